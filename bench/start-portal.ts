import { spawn, type ChildProcess } from 'node:child_process';
import { dirname } from 'node:path';
import { repositoryRoot } from '../scripts/testing/run-command.ts';

export type StartedPortal = { readonly process: ChildProcess; readonly address: string; readonly milliseconds: number };

/** Starts a portal with its sandbox in a separate process. Resolves when it prints its ready line. */
export function startPortal(environment: Readonly<Record<string, string>>): Promise<StartedPortal> {
  const startedAt = performance.now();
  const child = spawn('sh', ['scripts/start.sh'], {
    cwd: repositoryRoot,
    env: { ...process.env, ...environment, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
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

export function stopPortal(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
