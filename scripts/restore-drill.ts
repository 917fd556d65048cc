/**
 * `npm run restore-drill`: backs up a database with pgBackRest and deploy/pgbackrest.conf, makes a mistake, loses the cluster, restores to
 * the moment before the mistake, starts the portal on the restored database and checks the ledger and the audit trail. Prints how long each
 * step took.
 */
import { parseArgs } from 'node:util';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@portal/db/open-database.ts';
import type { Database } from '@portal/db/database.ts';
import { companies, operators } from '@portal/db/schema/schema.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { recordAudit } from '../apps/server/src/features/audit/record-audit.ts';
import { addAdvances } from '../apps/server/src/testing/add-advances.ts';
import { migrateDatabaseAt } from '../apps/server/src/testing/create-portal-database.ts';
import { findFreePorts, startPortalProcess } from '../apps/server/src/testing/start-portal-process.ts';
import { checkBooks } from './restore-drill/check-books.ts';
import { createCluster, type Cluster } from './restore-drill/cluster.ts';
import { findProgram, installOnDebian } from './testing/debian.ts';
import { findPostgresBinaries } from './testing/start-postgres.ts';

const HELP = `npm run restore-drill [-- --advances N]

Needs PostgreSQL and pgBackRest (Debian: postgresql, pgbackrest). Uses a temporary cluster; nothing else is touched.
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const formatSeconds = (value: number): string => `${value.toFixed(1)} s`;
const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

async function measure<Result>(measureName: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await work();
  print(`${measureName}: ${formatSeconds((performance.now() - startedAt) / 1000)}`);
  return result;
}

async function withDatabase<Result>({ url }: Cluster, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 4, role: 'owner' }, (error) => {
    throw error;
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Runs a portal with its sandbox until it is ready, then stops it. Returns its readiness report. */
async function runPortal({ url }: Cluster, folder: string): Promise<string> {
  const portal = startPortalProcess(folder, await findFreePorts(), { DATABASE_URL: url });
  await portal.waitUntilReady();
  const response = await fetch(`${portal.url}/portal/readyz`);
  const failureText = `${response.status} ${await response.text()}`;
  portal.process.kill('SIGTERM');
  await portal.ended;
  return failureText;
}

async function addWork(cluster: Cluster, count: number, seed: number): Promise<void> {
  await withDatabase(cluster, async (database) => {
    const operatorIds = (await database.db.select({ id: operators.userId }).from(operators)).map(({ id }) => id);
    await addAdvances(database, { count, seed, now: systemClock.now(), operatorIds });
    const allCompanies = await database.db.select({ id: companies.id }).from(companies);
    for (const { id } of allCompanies) {
      await database.db.transaction((tx) =>
        recordAudit(tx, { companyId: id, at: systemClock.now(), actor: 'rules', action: 'drill.checked', subject: id, after: { seed } }),
      );
    }
  });
}

/** Waits until every segment so far is in the repository. */
async function waitUntilArchived(cluster: Cluster): Promise<void> {
  const [row] = await cluster.query('select pg_walfile_name(pg_switch_wal()) as name');
  const name = String(row?.['name']);
  for (;;) {
    const [archiver] = await cluster.query('select last_archived_wal as name, failed_count from pg_stat_archiver');
    if (String(archiver?.['name']) >= name) return;
    await pause(100);
  }
}

async function runDrill(advances: number): Promise<boolean> {
  const postgresBinaries = findPostgresBinaries();
  if (!postgresBinaries) throw new Error('PostgreSQL is not installed. Install its server programs (Debian: apt-get install postgresql).');
  if (!findProgram(['pgbackrest']) && !(await installOnDebian('pgbackrest')))
    throw new Error('pgBackRest is not installed. Install it (Debian: apt-get install pgbackrest).');
  const folder = mkdtempSync(join(tmpdir(), 'portal-restore-data-'));
  const cluster = await createCluster(postgresBinaries);
  try {
    await cluster.start();
    await migrateDatabaseAt(cluster.url);
    await runPortal(cluster, folder);
    await addWork(cluster, advances, 1);
    cluster.runBackRest('stanza-create');
    cluster.runBackRest('check');
    print(`full backup of ${formatMegabytes(cluster.readDataBytes())}: ${formatSeconds(cluster.runBackRest('--type=full', 'backup'))}`);
    print(`  in the repository, compressed and encrypted: ${formatMegabytes(cluster.readRepositoryBytes())}`);
    await addWork(cluster, Math.ceil(advances / 4), 2);
    const before = await withDatabase(cluster, ({ db }) => checkBooks(db));
    const [moment] = await cluster.query('select clock_timestamp()::text as at');
    await pause(1_000);
    await cluster.query(`update companies set name = 'Mistake'`);
    await measure('WAL archived up to now', () => waitUntilArchived(cluster));
    await cluster.loseServer();
    print('cluster lost: its files are deleted');
    const startedAt = performance.now();
    const restore = ['--type=time', `--target=${String(moment?.['at'])}`, '--target-action=promote', 'restore'];
    print(`restore of the files: ${formatSeconds(cluster.runBackRest(...restore))}`);
    await measure('replay of WAL to the moment, until it accepts writes', () => cluster.start());
    const startMeasurement = await measure('start of the portal', () => runPortal(cluster, folder));
    print(`from the loss to a portal that is ready: ${formatSeconds((performance.now() - startedAt) / 1000)} (${startMeasurement})`);
    const after = await withDatabase(cluster, ({ db }) => checkBooks(db));
    const [countRow] = await cluster.query(`select count(*)::int as count from companies where name = 'Mistake'`);
    print(
      `${after.postings} postings, ${after.unbalanced} unbalanced; ${after.auditEntries} audit entries, problems in its chains: ${after.auditProblems}`,
    );
    print(`companies with the mistake: ${String(countRow?.['count'])}`);
    // The portal itself adds entries when it restarts.
    const isWhole = after.postings >= before.postings && after.auditEntries >= before.auditEntries && before.postings > 0;
    return (
      isWhole && after.unbalanced === 0 && after.auditProblems === 0 && countRow?.['count'] === 0 && startMeasurement.startsWith('200')
    );
  } finally {
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

const { values } = parseArgs({ options: { advances: { type: 'string', default: '4000' }, help: { type: 'boolean' } } });
if (values.help) print(HELP);
else {
  const hasPassed = await runDrill(Number(values.advances));
  print(hasPassed ? 'The restored database is whole.' : 'The restored database is NOT whole.');
  process.exitCode = hasPassed ? 0 : 1;
}
