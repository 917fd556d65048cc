import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../scripts/testing/run-command.ts';

export type StartedPortal = { readonly process: ChildProcess; readonly address: string; readonly milliseconds: number };

/** Starts a portal with its sandbox in a separate process; resolves when it prints its ready line. */
export function startPortal(environment: Readonly<Record<string, string>>): Promise<StartedPortal> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...readServerFlags(), join(repositoryRoot, 'apps/server/src/main.ts')], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const [, address] = /^ready (\S+)/m.exec(String(chunk)) ?? [];
      if (address) resolve({ process: child, address, milliseconds: performance.now() - startedAt });
    });
    child.once('exit', () => reject(new Error('the portal exited before it was ready')));
  });
}

/** Returns the Node flags of `npm start`. */
function readServerFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').filter((flag) => flag.startsWith('--'));
}

export function stopPortal(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
