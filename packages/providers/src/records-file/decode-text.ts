/** Decodes the bytes of a CSV file as strict UTF-8 with "\n" line ends. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Text up to the start of a faulty line. The reader knows that line's number; this module doesn't count lines. */
export type DecodedText = { readonly text: string; readonly fault?: string };

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** Parsing a larger chunk would block the server's other requests. */
const MAX_CHUNK_BYTES = 256 * 1024;
const NOT_UTF8_MESSAGE = 'the text isn’t UTF-8: save the file again as “CSV UTF-8 (comma delimited)”';
const BINARY_MESSAGE = 'the file contains binary data (a NUL byte): save it as CSV UTF-8 or XLSX';

/** Decodes a stream. Stops at the first fault. */
export async function* decodeText(stream: AsyncIterable<Uint8Array>): AsyncGenerator<DecodedText> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let tail: Uint8Array = new Uint8Array(0);
  let hasTrailingReturn = false;
  for await (const chunk of splitChunks(stream)) {
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      yield { text: normalise(decodeValidLines(tail, chunk), hasTrailingReturn), fault: NOT_UTF8_MESSAGE };
      return;
    }
    tail = findIncompleteEnd(tail, chunk);
    const nulIndex = text.indexOf('\0');
    if (nulIndex >= 0) {
      const line = Math.max(text.lastIndexOf('\n', nulIndex), text.lastIndexOf('\r', nulIndex)) + 1;
      yield { text: normalise(text.slice(0, line), hasTrailingReturn), fault: BINARY_MESSAGE };
      return;
    }
    const normalText = normalise(text, hasTrailingReturn);
    if (text !== '') hasTrailingReturn = text.endsWith('\r');
    if (normalText !== '') yield { text: normalText };
  }
  try {
    decoder.decode();
  } catch {
    yield { text: '', fault: NOT_UTF8_MESSAGE };
  }
}

/** Turns "\r\n" and "\r" into "\n". Drops a "\n" that completes the "\r\n" of the previous chunk. */
function normalise(text: string, isAfterReturn: boolean): string {
  const ownText = isAfterReturn && text.startsWith('\n') ? text.slice(1) : text;
  return ownText.includes('\r') ? ownText.replaceAll(/\r\n?/g, '\n') : ownText;
}

async function* splitChunks(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    if (chunk.byteLength <= MAX_CHUNK_BYTES) {
      yield chunk;
      continue;
    }
    for (let start = 0; start < chunk.byteLength; start += MAX_CHUNK_BYTES) {
      yield chunk.subarray(start, start + MAX_CHUNK_BYTES);
      await nextTurn();
    }
  }
}

/** Returns the last bytes (at most three) of a character that continues in the next chunk. */
function findIncompleteEnd(previous: Uint8Array, chunk: Uint8Array): Uint8Array {
  const end = chunk.byteLength >= 3 ? chunk.subarray(-3) : Uint8Array.from([...previous, ...chunk]).subarray(-3);
  for (let index = end.length - 1; index >= 0; index -= 1) {
    const byte = end[index] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    // The bytes are copied, because the stream may reuse its buffer.
    return index + length > end.length ? end.slice(index) : new Uint8Array(0);
  }
  return new Uint8Array(0);
}

/** Returns the text of the complete lines before the first invalid line. A line feed byte is never part of a multi-byte character. */
function decodeValidLines(tail: Uint8Array, chunk: Uint8Array): string {
  const bytes = Uint8Array.from([...tail, ...chunk]);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let decodedText = '';
  let start = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] !== LINE_FEED && bytes[index] !== CARRIAGE_RETURN) continue;
    try {
      decodedText += decoder.decode(bytes.subarray(start, index + 1));
    } catch {
      return decodedText;
    }
    start = index + 1;
  }
  return decodedText;
}
