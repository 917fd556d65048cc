/** A new data folder, made beside its place by a process of its own and put there once it is whole. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENGINE_FLAGS } from './engine-flags.ts';

const program = fileURLToPath(new URL('./fill-folder.ts', import.meta.url));

/** Nothing where there is one. The caller holds the lock of the folder around it. */
export async function makeFolder(storage: string): Promise<void> {
  if (existsSync(storage)) return;
  // What a start that was killed had begun. Its process may still be writing there, hence never under the same name.
  const begun = `${basename(storage)}.new-`;
  for (const name of readdirSync(dirname(storage))) {
    if (name.startsWith(begun)) rmSync(join(dirname(storage), name), { recursive: true, force: true });
  }
  const fresh = `${storage}.new-${process.pid}`;
  await run([...ENGINE_FLAGS, '--max-semi-space-size=2', program, fresh]);
  renameSync(fresh, storage);
}

function run(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let words = '';
    child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-4000)));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`The data folder could not be made (${signal ?? code}): ${words}`));
    });
  });
}
