/** Detects the file format from the first bytes: file names are unreliable, and an unsupported format needs a clear message. */
import { UnreadableFileError } from './unreadable-file-error.ts';

/** The format, and a stream that starts at the file's first byte. */
export type DetectedFile = { readonly format: 'csv' | 'xlsx'; readonly stream: AsyncIterable<Uint8Array> };

type MagicBytes = { readonly bytes: readonly number[]; readonly reason: string; readonly isUtf16?: boolean };

const SAVE_AS_ADVICE = 'open it in your spreadsheet software and save it as CSV UTF-8 or XLSX';
const MAX_MAGIC_LENGTH = 8;
const ZIP = [0x50, 0x4b];
const REJECTED_FORMATS: readonly MagicBytes[] = [
  {
    bytes: [0xd0, 0xcf, 0x11, 0xe0],
    reason: `this is an old Excel file (.xls) or a password-protected file: ${SAVE_AS_ADVICE}, without a password`,
  },
  { bytes: [0x25, 0x50, 0x44, 0x46], reason: 'this is a PDF: export the list as CSV or XLSX from the software that created it' },
  { bytes: [0xff, 0xfe], isUtf16: true, reason: 'the text is UTF-16: save the file again as “CSV UTF-8 (comma delimited)”' },
  { bytes: [0xfe, 0xff], isUtf16: true, reason: 'the text is UTF-16: save the file again as “CSV UTF-8 (comma delimited)”' },
  { bytes: [0x1f, 0x8b], reason: 'this is a compressed file (gzip): unzip it first' },
  { bytes: [0x7b, 0x5c, 0x72, 0x74, 0x66], reason: `this is a text document (RTF): ${SAVE_AS_ADVICE}` },
  { bytes: [0x89, 0x50, 0x4e, 0x47], reason: 'this is an image: export the list as CSV or XLSX from the software that created it' },
  { bytes: [0xff, 0xd8, 0xff], reason: 'this is an image: export the list as CSV or XLSX from the software that created it' },
];

/** Throws UnreadableFileError for an empty file and for known but unsupported formats. `acceptsUtf16`: the caller decodes it. */
export async function detectFormat(
  stream: AsyncIterable<Uint8Array>,
  fileName: string,
  { acceptsUtf16 = false } = {},
): Promise<DetectedFile> {
  const iterator = stream[Symbol.asyncIterator]();
  const firstChunks: Uint8Array[] = [];
  let length = 0;
  while (length < MAX_MAGIC_LENGTH) {
    const next = await iterator.next();
    if (next.done) break;
    // The bytes are copied, because the stream may reuse its buffer.
    firstChunks.push(length + next.value.byteLength < MAX_MAGIC_LENGTH ? next.value.slice() : next.value);
    length += next.value.byteLength;
  }
  const fullStream = continueStream(firstChunks, iterator);
  const start = Buffer.concat(firstChunks.map((chunk) => chunk.subarray(0, MAX_MAGIC_LENGTH)));
  const startsWith = (bytes: readonly number[]) => bytes.every((byte, index) => start[index] === byte);
  if (length === 0) return reject(fullStream, `${fileName} is empty`);
  const rejectedFormat = REJECTED_FORMATS.find(({ bytes, isUtf16 = false }) => startsWith(bytes) && !(acceptsUtf16 && isUtf16));
  if (rejectedFormat) return reject(fullStream, rejectedFormat.reason);
  return { format: startsWith(ZIP) ? 'xlsx' : 'csv', stream: fullStream };
}

/** Closes the source before the file is rejected. */
async function reject(stream: AsyncGenerator<Uint8Array>, reason: string): Promise<never> {
  await stream.next();
  await stream.return(undefined);
  throw new UnreadableFileError(1, '', reason);
}

async function* continueStream(firstChunks: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* firstChunks;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
