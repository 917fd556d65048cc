/**
 * Streams a zip archive. Sizes follow each file in a data descriptor, so nothing is buffered (PKWARE APPNOTE 6.3, sections 4.3 and 4.4.4).
 */
import { crc32, createDeflateRaw } from 'node:zlib';

export type ZipFile = { readonly name: string; readonly content: string | Uint8Array | AsyncIterable<string> };

type WrittenEntry = {
  readonly name: Buffer;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly offset: number;
};

export async function* writeZip(files: Iterable<ZipFile> | AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const entries: WrittenEntry[] = [];
  let offset = 0;
  for await (const { name, content } of files) {
    const nameBytes = Buffer.from(name);
    const header = writeLocalHeader(nameBytes);
    yield header;
    let [crc, compressedSize, size] = [0, 0, 0];
    const contentChunks = typeof content === 'string' || content instanceof Uint8Array ? toSingleChunk(content) : content;
    const measuredChunks = measureBytes(contentChunks, (bytes) => {
      crc = crc32(bytes, crc);
      size += bytes.length;
    });
    for await (const chunk of deflate(measuredChunks)) {
      compressedSize += chunk.length;
      yield chunk;
    }
    yield writeDataDescriptor(crc, compressedSize, size);
    entries.push({ name: nameBytes, crc, compressedSize, size, offset });
    offset += header.length + compressedSize + DESCRIPTOR_BYTES;
  }
  const directory = Buffer.concat(entries.map(writeDirectoryEntry));
  yield directory;
  yield writeEndOfDirectory(entries.length, directory.length, offset);
}

async function* toSingleChunk(text: string | Uint8Array): AsyncGenerator<string | Uint8Array> {
  yield text;
}

async function* measureBytes(contentChunks: AsyncIterable<string | Uint8Array>, onBytes: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const contentPart of contentChunks) {
    const bytes = Buffer.from(contentPart);
    onBytes(bytes);
    yield bytes;
  }
}

/** Compresses chunk by chunk, so that the archive grows with the rows and memory use stays flat. */
async function* deflate(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const deflater = createDeflateRaw();
  const chunks: Buffer[] = [];
  deflater.on('data', (chunk: Buffer) => chunks.push(chunk));
  for await (const part of parts) {
    await new Promise<void>((resolve, reject) => deflater.write(part, (error) => (error ? reject(error) : resolve())));
    yield* chunks.splice(0);
  }
  await new Promise<void>((resolve, reject) => {
    deflater.once('end', resolve);
    deflater.once('error', reject);
    deflater.end();
  });
  yield* chunks.splice(0);
}

/** Bit 3: sizes follow the data. Bit 11: names are UTF-8. */
const ZIP_FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
/** A fixed date (1 January 1980), so that the same table always gives the same file. */
const DOS_DATE = 0x21;
const DESCRIPTOR_BYTES = 16;

function writeLocalHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(ZIP_FLAGS, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt16LE(DOS_DATE, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function writeDataDescriptor(crc: number, compressedSize: number, size: number): Buffer {
  const bytes = Buffer.alloc(DESCRIPTOR_BYTES);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  bytes.writeUInt32LE(compressedSize, 8);
  bytes.writeUInt32LE(size, 12);
  return bytes;
}

function writeDirectoryEntry({ name, crc, compressedSize, size, offset }: WrittenEntry): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(VERSION, 4);
  entry.writeUInt16LE(VERSION, 6);
  entry.writeUInt16LE(ZIP_FLAGS, 8);
  entry.writeUInt16LE(DEFLATED, 10);
  entry.writeUInt16LE(DOS_DATE, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(compressedSize, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE(offset, 42);
  return Buffer.concat([entry, name]);
}

function writeEndOfDirectory(files: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
