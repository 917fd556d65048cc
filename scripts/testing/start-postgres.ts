/** A temporary PostgreSQL server for the tests: no service, no fixed port, no fsync. Its folder is removed on exit. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';

export type TestServer = {
  readonly url: string;
  /** The same server through a Unix socket, which takes half as long as a TCP connection. */
  readonly socketUrl: string;
  stop(): void;
};

/** Returns the folder that contains initdb and postgres: on the PATH, or Debian's newest version. */
export function findPostgresBinaries(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const debianVersions = existsSync(versions) ? readdirSync(versions).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(process.env['PATH'] ?? '').split(':'), ...debianVersions.map((version) => join(versions, version, 'bin'))];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

export async function startPostgres(postgresBinaries: string): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-postgres-'));
  const owner = getUnprivilegedOwner();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const initdbArgs = ['--pgdata', data, '--username', 'portal', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'];
  execFileSync(join(postgresBinaries, 'initdb'), initdbArgs, { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await findFreePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off'];
  settings.push('synchronous_commit=off', 'full_page_writes=off', 'max_connections=200');
  const server = spawn(join(postgresBinaries, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Runs in a separate process group; otherwise Ctrl-C would stop the server while its databases are in use.
    detached: true,
  });
  const stop = createStopFunction(() => {
    if (server.exitCode !== null) return;
    // Waits for the server to stop, even in an exit handler. Immediate mode is fine because the data is discarded.
    execFileSync(join(postgresBinaries, 'pg_ctl'), ['stop', '--pgdata', data, '--mode', 'immediate'], {
      ...owner,
      cwd: folder,
      stdio: 'ignore',
    });
  }, folder);
  await waitUntilReady(server).catch((error: unknown) => {
    stop();
    throw error;
  });
  return {
    url: `postgres://portal@127.0.0.1:${port}/postgres`,
    socketUrl: `postgres://portal@127.0.0.1:${port}/postgres?host=${encodeURIComponent(folder)}`,
    stop,
  };
}

/**
 * Returns the user to run the server as, because PostgreSQL refuses to run as root: Debian's `postgres`, or another unprivileged user of
 * the system.
 */
export function getUnprivilegedOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const readUserId = (user: string, flag: string): number =>
    Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }));
  for (const user of ['postgres', 'nobody']) {
    try {
      return { uid: readUserId(user, '-u'), gid: readUserId(user, '-g') };
    } catch {
      // The user doesn't exist, so try the next one.
    }
  }
  throw new Error('PostgreSQL refuses to run as root, and this system has no user `postgres` or `nobody`.');
}

function createStopFunction(stopServer: () => void, folder: string): () => void {
  const stop = (): void => {
    process.off('exit', stop);
    stopServer();
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', stop);
  return stop;
}

function waitUntilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)));
    server.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
      if (output.includes('ready to accept connections')) resolve();
    });
  });
}
