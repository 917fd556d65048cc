/** A PostgreSQL cluster in a temporary folder that syncs to disk and archives its WAL with pgBackRest and deploy/pgbackrest.conf. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import pg from 'pg';
import { repositoryRoot } from '../testing/run-command.ts';
import { getUnprivilegedOwner } from '../testing/start-postgres.ts';

export type Cluster = {
  readonly url: string;
  /** Starts PostgreSQL; resolves when it accepts writes. */
  start(): Promise<void>;
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Runs pgBackRest for the stanza and returns how many seconds it took. */
  runBackRest(...args: string[]): number;
  readRepositoryBytes(): number;
  readDataBytes(): number;
  /** Kills PostgreSQL with SIGKILL and deletes its files. */
  loseServer(): Promise<void>;
  remove(): Promise<void>;
};

const STANZA = 'portal';

type ClusterPaths = {
  readonly folder: string;
  readonly data: string;
  readonly port: number;
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  /** The paths for pgBackRest: only where they differ from deploy/pgbackrest.conf. */
  readonly environment: Readonly<Record<string, string>>;
  makeFolder(name: string): string;
  /** Runs a program as PostgreSQL's user. */
  run(program: string, args: readonly string[]): string;
};

export async function createCluster(postgresBinaries: string): Promise<Cluster> {
  const place = await createClusterPaths();
  const { folder, data, port, run } = place;
  run(join(postgresBinaries, 'initdb'), [
    '--pgdata',
    data,
    '--username',
    'portal',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--data-checksums',
  ]);
  const settings = [`port = ${port}`, `listen_addresses = '127.0.0.1'`, `unix_socket_directories = '${folder}'`, 'max_connections = 100'];
  settings.push('archive_mode = on', `archive_command = 'pgbackrest archive-push %p'`, 'archive_timeout = 60');
  settings.push('logging_collector = on', `log_directory = '${folder}/log'`, `log_filename = 'postgresql.log'`);
  appendFileSync(join(data, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
  const url = `postgres://portal@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (server !== undefined) await killServer(server);
  };
  return {
    url,
    start: async () => {
      server = spawn(join(postgresBinaries, 'postgres'), ['-D', data], {
        ...place.owner,
        cwd: folder,
        env: place.environment,
        stdio: 'ignore',
      });
      await waitUntilWritable(server, url, folder);
    },
    query: (text) => query(url, text),
    runBackRest: (...args) => {
      const startedAt = performance.now();
      run('pgbackrest', args);
      return (performance.now() - startedAt) / 1000;
    },
    readRepositoryBytes: () => readBytes(join(folder, 'repository')),
    readDataBytes: () => readBytes(data),
    loseServer: async () => {
      await kill();
      rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      place.makeFolder('data');
    },
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

async function createClusterPaths(): Promise<ClusterPaths> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-restore-'));
  const owner = getUnprivilegedOwner();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const makeFolder = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    if (owner) chownSync(path, owner.uid, owner.gid);
    return path;
  };
  const configFile = join(folder, 'pgbackrest.conf');
  cpSync(join(repositoryRoot, 'deploy/pgbackrest.conf'), configFile);
  const [data, port] = [makeFolder('data'), await findFreePort()];
  const environment = {
    PATH: process.env['PATH'] ?? '',
    PGBACKREST_CONFIG: configFile,
    PGBACKREST_STANZA: STANZA,
    PGBACKREST_REPO1_PATH: makeFolder('repository'),
    PGBACKREST_REPO1_CIPHER_PASS: randomBytes(24).toString('hex'),
    PGBACKREST_SPOOL_PATH: makeFolder('spool'),
    PGBACKREST_LOG_PATH: makeFolder('log'),
    PGBACKREST_LOCK_PATH: makeFolder('lock'),
    PGBACKREST_PG1_PATH: data,
    PGBACKREST_PG1_PORT: String(port),
    PGBACKREST_PG1_SOCKET_PATH: folder,
    PGBACKREST_PG1_USER: 'portal',
    PGBACKREST_PG1_DATABASE: 'postgres',
  };
  const run: ClusterPaths['run'] = (program, args) =>
    execFileSync(program, args, { ...owner, cwd: folder, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return { folder, data, port, owner, environment, makeFolder, run };
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // A failed query or connection rejects below, and a server being killed later is expected.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function waitUntilWritable(server: ChildProcess, url: string, folder: string): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}. Its log:\n${readLog(folder)}`);
    const isWritable = await query(url, 'select pg_is_in_recovery() as recovering').then(
      ([row]) => row?.['recovering'] === false,
      () => false,
    );
    if (isWritable) return;
    await pause(50);
  }
}

async function killServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exitPromise = once(server, 'exit');
  server.kill('SIGKILL');
  await exitPromise;
  // PostgreSQL's other processes end once they notice.
  await pause(1_000);
}

function readBytes(path: string): number {
  return Number(execFileSync('du', ['--summarize', '--bytes', path], { encoding: 'utf8' }).split('\t')[0]);
}

function readLog(folder: string): string {
  return readFileSync(join(folder, 'log/postgresql.log'), 'utf8').slice(-2000);
}
