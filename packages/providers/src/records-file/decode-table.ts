/** Decodes the text of a table exported from other software. */
import { UnreadableFileError } from './unreadable-file-error.ts';

/**
 * UTF-8, UTF-16 with a byte order mark (Excel's “Unicode text”), otherwise Windows-1252, in which Excel for Windows saves a plain CSV. Line
 * ends become "\n". Throws UnreadableFileError for binary data.
 */
export function decodeTable(bytes: Uint8Array): string {
  const text = decode(bytes).replaceAll(/\r\n?/g, '\n');
  const nulIndex = text.indexOf('\0');
  if (nulIndex < 0) return text;
  const line = text.slice(0, nulIndex).split('\n').length;
  throw new UnreadableFileError(line, '', 'the file contains binary data (a NUL byte): save it as CSV UTF-8 or XLSX');
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
