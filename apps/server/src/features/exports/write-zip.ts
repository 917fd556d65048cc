/**
 * Streams a zip archive. Sizes follow each file in a data descriptor, so nothing is buffered (PKWARE APPNOTE 6.3, sections 4.3 and 4.4.4).
 */
import { crc32, createDeflateRaw } from 'node:zlib';

export type ZipFile = { readonly name: string; readonly content: string | AsyncIterable<string> };

type Written = { readonly name: Buffer; readonly crc: number; readonly packed: number; readonly size: number; readonly at: number };

export async function* writeZip(files: readonly ZipFile[]): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let at = 0;
  for (const { name, content } of files) {
    const nameBytes = Buffer.from(name);
    const header = localHeader(nameBytes);
    yield header;
    let [crc, packed, size] = [0, 0, 0];
    const texts = typeof content === 'string' ? once(content) : content;
    const seen = measure(texts, (bytes) => {
      crc = crc32(bytes, crc);
      size += bytes.length;
    });
    for await (const chunk of deflate(seen)) {
      packed += chunk.length;
      yield chunk;
    }
    yield descriptor(crc, packed, size);
    written.push({ name: nameBytes, crc, packed, size, at });
    at += header.length + packed + DESCRIPTOR_BYTES;
  }
  const directory = Buffer.concat(written.map(directoryEntry));
  yield directory;
  yield endOfDirectory(written.length, directory.length, at);
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function* measure(texts: AsyncIterable<string>, see: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    see(bytes);
    yield bytes;
  }
}

/** Compresses chunk by chunk, so that the archive grows with the rows and memory use stays flat. */
async function* deflate(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const packer = createDeflateRaw();
  const chunks: Buffer[] = [];
  packer.on('data', (chunk: Buffer) => chunks.push(chunk));
  for await (const part of parts) {
    await new Promise<void>((resolve, reject) => packer.write(part, (error) => (error ? reject(error) : resolve())));
    yield* chunks.splice(0);
  }
  await new Promise<void>((resolve, reject) => {
    packer.once('end', resolve);
    packer.once('error', reject);
    packer.end();
  });
  yield* chunks.splice(0);
}

/** Bit 3: sizes follow the data. Bit 11: names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
/** A fixed date (1 January 1980), so that the same table always gives the same file. */
const DOS_DATE = 0x21;
const DESCRIPTOR_BYTES = 16;

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt16LE(DOS_DATE, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function descriptor(crc: number, packed: number, size: number): Buffer {
  const bytes = Buffer.alloc(DESCRIPTOR_BYTES);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  bytes.writeUInt32LE(packed, 8);
  bytes.writeUInt32LE(size, 12);
  return bytes;
}

function directoryEntry({ name, crc, packed, size, at }: Written): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(VERSION, 4);
  entry.writeUInt16LE(VERSION, 6);
  entry.writeUInt16LE(FLAGS, 8);
  entry.writeUInt16LE(DEFLATED, 10);
  entry.writeUInt16LE(DOS_DATE, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(packed, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE(at, 42);
  return Buffer.concat([entry, name]);
}

function endOfDirectory(files: number, bytes: number, at: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(at, 16);
  return end;
}
