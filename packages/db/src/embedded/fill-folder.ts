/**
 * Makes a new data folder, in a process of its own (`make-folder.ts`): the engine's own way of making one takes 600 MB, and what of it is given back
 * stays with the process all the same. Here it takes 240 MB, and the server none of them (docs/decisions/0020).
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MemoryFS, PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

const MB = 1024 * 1024;
const PAGES_PER_MB = 16;
const FIRST_MB = 16;
/** The program that lays the folder out tries how large its buffers may be: with more it would try, fill and copy 128 MB of them for nothing. */
const MOST_MB = 64;

type Init = MemoryFS['init'];

type MemorySize = { readonly initial: number; readonly maximum?: number };
/** Only browsers' types name these. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { compile(program: Uint8Array): Promise<WebAssembly.Module>; Memory: new (size: MemorySize) => object };
};

/** The engine lays a folder in memory out in place; any other it lays out in memory first and copies as one archive, which takes 200 MB. */
class InPlace extends MemoryFS {
  readonly #disk: NodeFS;

  constructor(folder: string) {
    super();
    this.#disk = new NodeFS(folder);
  }

  override init(...given: Parameters<Init>): ReturnType<Init> {
    [this.pg] = given;
    return this.#disk.init(...given);
  }
}

/** The engine's program, with less memory to begin with than the 128 MB it asks for; they are copied whole, several times. */
function readProgram(): Promise<WebAssembly.Module> {
  const program = readFileSync(fileURLToPath(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))));
  // The import `env.memory` with a least and a most size in pages, each a number of seven bits a byte, the lowest first.
  const name = Buffer.from('\u0003env\u0006memory\u0002', 'latin1');
  const at = program.indexOf(name) + name.length + 1;
  const least = leb128(128 * PAGES_PER_MB);
  if (at < name.length + 1 || !program.subarray(at, at + least.length).equals(least)) {
    throw new Error('The embedded engine asks for its memory otherwise than expected: look at fill-folder.ts.');
  }
  leb128(FIRST_MB * PAGES_PER_MB).copy(program, at);
  return wasm.compile(new Uint8Array(program));
}

/** In two bytes. */
function leb128(pages: number): Buffer {
  return Buffer.from([(pages & 0x7f) | 0x80, pages >> 7]);
}

/** The engine makes its memories itself; none of this process may grow further. */
function limitMemories(): void {
  wasm.Memory = class extends wasm.Memory {
    constructor(size: MemorySize) {
      super({ ...size, maximum: MOST_MB * PAGES_PER_MB });
    }
  };
}

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('fill-folder.ts is told a folder to make.');
limitMemories();
const engine = await PGlite.create({
  fs: new InPlace(folder),
  pgliteWasmModule: await readProgram(),
  initialMemory: FIRST_MB * MB,
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=1MB'],
});
await engine.close();
