import { inflateRawSync } from 'node:zlib';

/** Reads the files of a zip archive from its central directory. */
export function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.length - 22;
  let offset = bytes.readUInt32LE(end + 16);
  const files = new Map<string, string>();
  for (let remaining = bytes.readUInt16LE(end + 10); remaining > 0; remaining -= 1) {
    const [compressedSize, nameLength, local] = [
      bytes.readUInt32LE(offset + 20),
      bytes.readUInt16LE(offset + 28),
      bytes.readUInt32LE(offset + 42),
    ];
    const name = bytes.toString('utf8', offset + 46, offset + 46 + nameLength);
    const from = local + 30 + bytes.readUInt16LE(local + 26);
    files.set(name, inflateRawSync(bytes.subarray(from, from + compressedSize)).toString('utf8'));
    offset += 46 + nameLength;
  }
  return files;
}
