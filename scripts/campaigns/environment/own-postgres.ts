/** A PostgreSQL server of the campaign's own, whose disk, clock and connections it can disrupt. It is restarted like a service. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, openSync, closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { findPostgresBinaries, getUnprivilegedOwner } from '../../testing/start-postgres.ts';

export type OwnPostgres = {
  readonly url: string;
  isRunning(): boolean;
  /** Starts it if it has ended. */
  ensureRunning(): Promise<void>;
  readLog(): string;
  stop(): void;
};

type PostgresOptions = {
  readonly folder: string;
  readonly settings: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

const START_ATTEMPTS = 60;

export async function startOwnPostgres({ folder, settings, environment }: PostgresOptions): Promise<OwnPostgres> {
  const postgresBinaries = findPostgresBinaries();
  if (postgresBinaries === undefined) throw new Error('There is no PostgreSQL on this machine. Install it, or choose --engine embedded.');
  const owner = getUnprivilegedOwner();
  const home = join(folder, 'postgres');
  mkdirSync(home);
  if (owner) chownSync(home, owner.uid, owner.gid);
  const data = join(home, 'data');
  const initdbArgs = ['--pgdata', data, '--username', 'portal', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'];
  execFileSync(join(postgresBinaries, 'initdb'), initdbArgs, { ...owner, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await findFreePort();
  const url = `postgres://portal@127.0.0.1:${port}/postgres`;
  // Small segments, so that several fit on a small disk. Everything else is at its defaults, with which it must survive.
  const fixedSettings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${home}`,
    'min_wal_size=32MB',
    'max_wal_size=64MB',
  ];
  const args = ['-D', data, ...[...fixedSettings, ...settings].flatMap((setting) => ['-c', setting])];
  const logFile = join(home, 'server.log');
  let server: ChildProcess | undefined;
  const isRunning = (): boolean => server !== undefined && server.exitCode === null && server.signalCode === null;
  const ensureRunning = async (): Promise<void> => {
    for (let attempt = 0; attempt < START_ATTEMPTS; attempt += 1) {
      if (!isRunning()) {
        const log = openSync(logFile, 'a');
        server = spawn(join(postgresBinaries, 'postgres'), args, {
          ...owner,
          cwd: home,
          stdio: ['ignore', 'ignore', log],
          env: { ...process.env, ...environment },
          detached: true,
        });
        closeSync(log);
      }
      if (await canConnect(url)) return;
      await pause(500);
    }
    throw new Error(`PostgreSQL doesn’t start: ${readFileSync(logFile, 'utf8').slice(-1500)}`);
  };
  await ensureRunning();
  return {
    url,
    isRunning,
    ensureRunning,
    readLog: () => readFileSync(logFile, 'utf8'),
    stop: () => {
      if (isRunning())
        execFileSync(join(postgresBinaries, 'pg_ctl'), ['stop', '--pgdata', data, '--mode', 'immediate'], {
          ...owner,
          cwd: home,
          stdio: 'ignore',
        });
    },
  };
}

async function canConnect(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    await client.end();
    return true;
  } catch {
    // It is starting, recovering or has ended, so the caller tries again.
    return false;
  }
}
