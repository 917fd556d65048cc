/** Three portals on one temporary PostgreSQL server, with a practice of 10,000 clients. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPortalDatabase } from '../../../apps/server/src/testing/create-portal-database.ts';
import { fillListLimit } from '../../../bench/list-limit-data.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import pg from 'pg';
import { createSite, removeSite, startSandbox, type Site } from '../../chaos/processes.ts';
import { repositoryRoot } from '../../testing/run-command.ts';
import { useTemporaryPostgres } from '../../testing/use-temporary-postgres.ts';
import type { PortalSample } from './measure-portal.ts';

export type SoakPortals = {
  /** Each URL ends in /portal. */
  readonly urls: readonly string[];
  readonly sandboxUrl: string;
  readonly logFile: string;
  /** Measures each portal, in the same order. */
  measure(): Promise<readonly PortalSample[]>;
  query<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]>;
  close(): Promise<void>;
};

const PORTAL_COUNT = 3;
const MEASURE_SCRIPT = fileURLToPath(new URL('./measure-portal.ts', import.meta.url));
/** The arguments of scripts/start.sh, and those that `measure-portal.ts` needs. */
const NODE_ARGS = ['--max-semi-space-size=16', '--heap-growing-percent=15', '--expose-gc', '--import', MEASURE_SCRIPT];

export async function openSoakPortals(): Promise<SoakPortals> {
  const server = await useTemporaryPostgres();
  const database = await createPortalDatabase();
  const site = await createSite(database.url, { NODE_ENV: 'production' });
  const sandbox = await startSandbox(site);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const children: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(children.map(stop));
    await sandbox.stop();
    await client.end();
    server.stop();
    removeSite(site);
  };
  try {
    const ports = [Number(new URL(site.portalUrl).port)];
    while (ports.length < PORTAL_COUNT) ports.push(await findFreePort());
    for (const port of ports) children.push(await startPortalProcess(site, port));
    await fillListLimit(client, [10_000]);
    return {
      urls: ports.map((port) => `http://localhost:${port}/portal`),
      sandboxUrl: site.sandboxUrl,
      logFile: site.logFile,
      measure: () => Promise.all(children.map(measure)),
      query: async <Row extends pg.QueryResultRow>(text: string) => (await client.query<Row>(text)).rows,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startPortalProcess(site: Site, port: number): Promise<ChildProcess> {
  const log = openSync(site.logFile, 'a');
  const child = spawn(process.execPath, [...NODE_ARGS, join(repositoryRoot, 'apps/server/dist/main.js')], {
    env: { ...site.environment, PORT: String(port), PUBLIC_URL: site.environment['PORTAL_URL'] },
    stdio: ['ignore', 'pipe', log, 'ipc'],
  });
  closeSync(log);
  if (!child.stdout) throw new Error('the portal has no output');
  const exitPromise = once(child, 'exit').then(() => {
    throw new Error(`a portal ended before it was ready; its log is ${site.logFile}`);
  });
  await Promise.race([once(child.stdout, 'data'), exitPromise]);
  return child;
}

async function measure(child: ChildProcess): Promise<PortalSample> {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error(`a portal ended with ${child.signalCode ?? child.exitCode}`);
  const messagePromise = once(child, 'message');
  child.send('measure');
  const [sample] = (await messagePromise) as [PortalSample];
  return sample;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exitPromise = once(child, 'exit');
  child.kill('SIGTERM');
  await exitPromise;
}
