/** Creates a new data folder in a separate process under a temporary name, and renames the folder when it is complete. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENGINE_FLAGS } from './engine-flags.ts';

const scriptFile = fileURLToPath(new URL('./fill-folder.ts', import.meta.url));

/** Does nothing if the folder exists. The caller must hold the lock on the data folder. */
export async function createDataFolder(storage: string): Promise<void> {
  if (existsSync(storage)) return;
  // Remove what a killed start left behind. Its process may still be writing, so the new folder gets a different name.
  const temporaryPrefix = `${basename(storage)}.new-`;
  for (const name of readdirSync(dirname(storage))) {
    if (name.startsWith(temporaryPrefix)) rmSync(join(dirname(storage), name), { recursive: true, force: true });
  }
  const temporaryFolder = `${storage}.new-${process.pid}`;
  await run([...ENGINE_FLAGS, '--max-semi-space-size=2', scriptFile, temporaryFolder]);
  renameSync(temporaryFolder, storage);
}

function run(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let words = '';
    child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-4000)));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`The data folder could not be created (${signal ?? code}): ${words}`));
    });
  });
}
