/**
 * `npm run upgrade-drill`: upgrades two packaged portals behind the proxy from deploy/proxy while they are in use, following
 * docs/operations.md, and counts the failed calls. The "next version" is this one with two more migrations: columns and a concurrent index
 * on tables in use.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { buildPackage } from './package/make-package.ts';
import { startOwnSimulators, unpackPackage, type PackagedPortal, type UnpackedPackage } from './package/packaged-portal.ts';
import { findPostgresBinaries, startPostgres } from './testing/start-postgres.ts';
import type { LoadReport } from './upgrade-drill/load.ts';
import { prepareProxy, type TlsProxy } from './upgrade-drill/proxy.ts';

const HELP = `npm run upgrade-drill [-- --people N] [--kill]

Needs PostgreSQL and HAProxy (Debian: postgresql, haproxy). With --kill, a portal is also killed under load:
calls that it was working on then fail, and the figure says how many.
`;

const MIGRATIONS = {
  '9998_expand': `ALTER TABLE "users" ADD COLUMN "drill" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "drill" boolean DEFAULT false NOT NULL;`,
  '9999_index': `-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "users_drill";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "users_drill" ON "users" ("full_name", "drill");`,
};
/** How long each state stays in use before the next step. */
const STATE_MS = 3_000;
const STOP_DELAY_SECONDS = '2';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function addMigrations({ root }: UnpackedPackage): void {
  const folder = join(root, 'apps/server/dist/migrations');
  const journalFile = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: object[] };
  for (const [tag, text] of Object.entries(MIGRATIONS)) {
    writeFileSync(join(folder, `${tag}.sql`), text);
    journal.entries.push({ idx: journal.entries.length, version: '7', when: Date.now(), tag, breakpoints: true });
  }
  writeFileSync(journalFile, JSON.stringify(journal));
}

async function migrate(unpacked: UnpackedPackage, url: string): Promise<string> {
  const startedAt = performance.now();
  const { exitCode, output } = await unpacked.run('migrate', { MIGRATION_DATABASE_URL: url });
  if (exitCode !== 0) throw new Error(output);
  return `${output.trim().split('\n').at(-1)} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`;
}

type UpgradeTestBed = {
  readonly next: UnpackedPackage;
  readonly databaseUrl: string;
  readonly proxy: TlsProxy;
  readonly simulatorUrl: string;
  /** The portals that are currently running; the drill replaces them. */
  readonly portals: PackagedPortal[];
  startPortal(unpacked: UnpackedPackage, place: number): Promise<PackagedPortal>;
};

async function runDrill(people: number, kills: boolean): Promise<boolean> {
  const postgresBinaries = findPostgresBinaries();
  if (!postgresBinaries) throw new Error('PostgreSQL is not installed. Install its server programs (Debian: apt-get install postgresql).');
  const folder = mkdtempSync(join(tmpdir(), 'portal-upgrade-'));
  const server = await startPostgres(postgresBinaries);
  const { file } = await buildPackage(folder);
  const [current, next] = [await unpackPackage(file), await unpackPackage(file)];
  addMigrations(next);
  const proxy = await prepareProxy(folder);
  const ports: [number, number] = [await findFreePort(), await findFreePort()];
  const simulators = await startOwnSimulators(`http://127.0.0.1:${ports[0]}`);
  const environment = {
    ...simulators.settings,
    DATABASE_URL: server.url,
    HOST: '127.0.0.1',
    PUBLIC_URL: `https://localhost:${proxy.port}`,
    TRUST_PROXY: 'loopback',
    STOP_DELAY_SECONDS,
  };
  const portals: PackagedPortal[] = [];
  const startPortal: UpgradeTestBed['startPortal'] = (unpacked, place) => unpacked.start({ ...environment, PORT: String(ports[place]) });
  try {
    print(`this version: ${await migrate(current, server.url)}`);
    for (const place of ports.keys()) portals.push(await startPortal(current, place));
    await proxy.start(ports);
    const testBed = { next, databaseUrl: server.url, proxy, simulatorUrl: simulators.url, portals, startPortal };
    return describeReport(await upgradeUnderLoad(testBed, people, kills), kills);
  } finally {
    for (const { process: child } of portals) child.kill('SIGKILL');
    await proxy.stop();
    await simulators.stop();
    server.stop();
    for (const unpacked of [current, next]) unpacked.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function upgradeUnderLoad(testBed: UpgradeTestBed, people: number, kills: boolean): Promise<LoadReport> {
  const { next, databaseUrl, proxy, simulatorUrl, portals, startPortal } = testBed;
  const load = fork(
    new URL('./upgrade-drill/load.ts', import.meta.url),
    [`https://localhost:${proxy.port}/portal`, simulatorUrl, String(people)],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: proxy.certificateFile } },
  );
  const loadEnd = once(load, 'exit').then(([code]) => {
    throw new Error(`the people’s process ended with ${String(code)}`);
  });
  // Only an early exit is an error, and the race below then rejects.
  loadEnd.catch(() => undefined);
  const receive = async (): Promise<unknown> => ((await Promise.race([once(load, 'message'), loadEnd])) as unknown[])[0];
  await receive();
  print(`${people} people logged in through the proxy`);
  await pause(STATE_MS);
  print(`next version: ${await migrate(next, databaseUrl)}`);
  await pause(STATE_MS);
  for (const [place, portal] of portals.entries()) {
    const startedAt = performance.now();
    const exitCode = await portal.stop();
    portals[place] = await startPortal(next, place);
    print(`portal ${place + 1} stopped with ${exitCode} and replaced in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    // As described in docs/operations.md, the next portal is stopped only once the proxy sends requests to this one again.
    await pause(STATE_MS);
  }
  if (kills) {
    portals[0]?.process.kill('SIGKILL');
    print('portal 1 killed');
    await pause(STATE_MS);
  }
  load.send('stop');
  return (await receive()) as LoadReport;
}

function describeReport({ calls, failures, lost, slowestMs }: LoadReport, kills: boolean): boolean {
  for (const failure of failures.slice(0, 20)) print(`  ${failure}`);
  print(`${calls} calls, ${failures.length} failed, ${lost} acknowledged writes lost, slowest ${(slowestMs / 1000).toFixed(2)} s`);
  return lost === 0 && (kills || failures.length === 0);
}

const { values } = parseArgs({
  options: { people: { type: 'string', default: '4' }, kill: { type: 'boolean', default: false }, help: { type: 'boolean' } },
});
if (values.help) print(HELP);
else process.exitCode = (await runDrill(Number(values.people), values.kill)) ? 0 : 1;
