/**
 * Creates a new data folder in its own process (see create-data-folder.ts). The engine's own method uses 600 MB and wouldn't return it to
 * the system. This method uses 240 MB, and none of the server's memory (docs/decisions/0020).
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MemoryFS, PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

const MB = 1024 * 1024;
const PAGES_PER_MB = 16;
const INITIAL_MB = 16;
/** The initialising program tests how large its buffers can be. With more memory, it would needlessly fill and copy 128 MB. */
const MAX_MB = 64;

type Init = MemoryFS['init'];

type MemorySize = { readonly initial: number; readonly maximum?: number };
/** TypeScript declares these only in its type definitions for browsers. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { compile(wasmBytes: Uint8Array): Promise<WebAssembly.Module>; Memory: new (size: MemorySize) => object };
};

/**
 * The engine initialises an in-memory folder in place. It would initialise any other kind of folder in memory and copy it as one archive,
 * which uses 200 MB.
 */
class InPlaceFS extends MemoryFS {
  readonly #disk: NodeFS;

  constructor(folder: string) {
    super();
    this.#disk = new NodeFS(folder);
  }

  override init(...args: Parameters<Init>): ReturnType<Init> {
    [this.pg] = args;
    return this.#disk.init(...args);
  }
}

/** Reads the engine's program and reduces its initial memory of 128 MB, because that memory is copied several times. */
function readProgram(): Promise<WebAssembly.Module> {
  const wasmBytes = readFileSync(fileURLToPath(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))));
  // The import `env.memory`, followed by its minimum and maximum size in pages as LEB128 numbers.
  const name = Buffer.from('\u0003env\u0006memory\u0002', 'latin1');
  const offset = wasmBytes.indexOf(name) + name.length + 1;
  const minimum = encodeLeb128(128 * PAGES_PER_MB);
  if (offset < name.length + 1 || !wasmBytes.subarray(offset, offset + minimum.length).equals(minimum)) {
    throw new Error('The embedded engine declares its memory differently than expected: check fill-folder.ts.');
  }
  encodeLeb128(INITIAL_MB * PAGES_PER_MB).copy(wasmBytes, offset);
  return wasm.compile(new Uint8Array(wasmBytes));
}

/** Encodes a number of pages in two bytes. */
function encodeLeb128(pages: number): Buffer {
  return Buffer.from([(pages & 0x7f) | 0x80, pages >> 7]);
}

/** Limits all memories in the process, because the engine creates its own. */
function limitWasmMemory(): void {
  wasm.Memory = class extends wasm.Memory {
    constructor(size: MemorySize) {
      super({ ...size, maximum: MAX_MB * PAGES_PER_MB });
    }
  };
}

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('fill-folder.ts needs a folder as its argument.');
limitWasmMemory();
const engine = await PGlite.create({
  fs: new InPlaceFS(folder),
  pgliteWasmModule: await readProgram(),
  initialMemory: INITIAL_MB * MB,
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=1MB'],
});
await engine.close();
