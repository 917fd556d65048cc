/**
 * Lists the entries of an in-memory ZIP file from its central directory (PKWARE APPNOTE 4.3) and inflates one entry up to a limit of actual
 * bytes: the sizes stated by a hostile file can't be trusted.
 */
import { crc32, createInflateRaw } from 'node:zlib';
import { Readable } from 'node:stream';
import { UnreadableFileError } from './unreadable-file-error.ts';

export type ZipEntry = {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly crc: number;
  readonly data: Uint8Array;
};

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const MAX_ENTRIES = 10_000;
const STORED_METHOD = 0;
const DEFLATED = 8;
export const DAMAGED_MESSAGE = 'the XLSX file is damaged: open it in your spreadsheet software and save it again';

/** Returns the entries by name. Throws UnreadableFileError if the directory is invalid. */
export function listZipEntries(bytes: Buffer): ReadonlyMap<string, ZipEntry> {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) throw new UnreadableFileError(1, '', DAMAGED_MESSAGE);
  const entries = new Map<string, ZipEntry>();
  try {
    let offset = bytes.readUInt32LE(end + 16);
    for (let index = 0; index < count; index += 1) {
      if (bytes.readUInt32LE(offset) !== ENTRY_SIGNATURE) throw new RangeError('not a directory entry');
      const nameLength = bytes.readUInt16LE(offset + 28);
      const entry = readEntry(bytes, offset, nameLength);
      entries.set(entry.name, entry);
      offset += 46 + nameLength + bytes.readUInt16LE(offset + 30) + bytes.readUInt16LE(offset + 32);
    }
  } catch (error) {
    // A failed bounds check means that the directory points outside the file.
    if (error instanceof RangeError) throw new UnreadableFileError(1, '', DAMAGED_MESSAGE);
    throw error;
  }
  return entries;
}

function findEnd(bytes: Buffer): number {
  const earliest = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let offset = bytes.length - END_BYTES; offset >= earliest; offset -= 1)
    if (bytes.readUInt32LE(offset) === END_SIGNATURE) return offset;
  throw new UnreadableFileError(1, '', DAMAGED_MESSAGE);
}

function readEntry(bytes: Buffer, offset: number, nameLength: number): ZipEntry {
  const size = bytes.readUInt32LE(offset + 20);
  const local = bytes.readUInt32LE(offset + 42);
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  if (start + size > bytes.length) throw new RangeError('the entry is outside the file');
  return {
    // Some writers separate folders with a backslash.
    name: bytes.toString('utf8', offset + 46, offset + 46 + nameLength).replaceAll('\\', '/'),
    isEncrypted: (bytes.readUInt16LE(offset + 8) & 1) === 1,
    method: bytes.readUInt16LE(offset + 10),
    crc: bytes.readUInt32LE(offset + 16),
    data: bytes.subarray(start, start + size),
  };
}

/** Returns an entry's content in chunks, checked against its CRC. Throws UnreadableFileError if it is damaged or larger than `maxBytes`. */
export async function* readZipEntry(entry: ZipEntry, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted) throw new UnreadableFileError(1, '', 'the XLSX file is password-protected: save it without a password');
  if (entry.method !== STORED_METHOD && entry.method !== DEFLATED) throw new UnreadableFileError(1, '', DAMAGED_MESSAGE);
  let total = 0;
  let crc = 0;
  try {
    for await (const chunk of entry.method === STORED_METHOD ? [entry.data] : inflate(entry.data)) {
      total += chunk.byteLength;
      if (total > maxBytes) throw new UnreadableFileError(1, '', describeTooLarge(maxBytes));
      crc = crc32(chunk, crc);
      yield chunk;
    }
  } catch (error) {
    if (isZlibError(error)) throw new UnreadableFileError(1, '', DAMAGED_MESSAGE);
    throw error;
  }
  if (crc !== entry.crc) throw new UnreadableFileError(1, '', DAMAGED_MESSAGE);
}

async function* inflate(data: Uint8Array): AsyncGenerator<Uint8Array> {
  const inflatedStream = Readable.from([data], { objectMode: false }).pipe(createInflateRaw({ chunkSize: 64 * 1024 }));
  for await (const chunk of inflatedStream) if (chunk instanceof Uint8Array) yield chunk;
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}

/** Returns the message for a sheet that unpacks to more than the portal can read. */
export function describeTooLarge(maxBytes: number): string {
  return `the sheet is larger than ${Math.round(maxBytes / 1_000_000)} MB when unzipped: save it as CSV, or split it`;
}
