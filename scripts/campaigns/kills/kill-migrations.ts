/**
 * Migrations of an empty database that are killed at a statement, up to three times before they may finish: `npm run migrate` on
 * PostgreSQL, sometimes two at once, and the portal's first start on the embedded engine. Afterwards, schema and content must equal those
 * of an undisturbed database.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@portal/db/open-database.ts';
import { createTestPostgresDatabase } from '@portal/db/testing/test-postgres.ts';
import { formatPoint, readKillPoints } from '../../chaos/kill-plan.ts';
import { createSite, PRELOAD_SCRIPT, ProcessExitedError, removeSite, startPortal, startSandbox } from '../../chaos/processes.ts';
import { repositoryRoot } from '../../testing/run-command.ts';
import { checkBooks } from '../../restore-drill/check-books.ts';
import { describeError, type KillContext, type KillResult } from './kill-result.ts';
import { describeDifferences, readContent, type DatabaseContent } from './read-content.ts';

const MAX_KILLS = 3;
/** The share of PostgreSQL runs in which a second migration runs alongside the one that is killed. */
const SHARE_OF_PAIRS = 0.3;

/** One database to migrate. */
type Subject = {
  /** Runs the migration and resolves when it has ended: killed, or done. `killAt` counts statements; `all` records them. */
  readonly migrate: (killAt: string | undefined) => Promise<'killed' | 'done'>;
  readonly read: () => Promise<DatabaseContent>;
  readonly remove: () => Promise<void>;
};
type MigrationTestBed = { readonly create: () => Promise<Subject>; readonly traceFile: string; readonly close: () => Promise<void> };

export async function killMigrations(context: KillContext, count: number): Promise<KillResult> {
  const { random, engine, log, signal, steps } = context;
  const testBed = engine === 'postgres' ? await openPostgresTestBed(context) : await openEmbeddedTestBed();
  const findings: string[] = [];
  const startedAt = performance.now();
  let kills = 0;
  const readSteps = (): string[] =>
    readKillPoints(existsSync(testBed.traceFile) ? readFileSync(testBed.traceFile, 'utf8') : '').map(formatPoint);
  try {
    const { content: expectedContent, statements } = await migrateWithoutKills(testBed);
    log(`migration: ${statements} moments to kill at`);
    while (kills < count && !signal.aborted && findings.length === 0) {
      const subject = await testBed.create();
      try {
        const killsHere = Math.min(1 + Math.floor(random() * MAX_KILLS), count - kills);
        for (let kill = 0; kill < killsHere; kill += 1) {
          // Completed statements aren't repeated, so a later kill must come earlier in the run.
          const killAt = 1 + Math.floor((random() * statements) / (kill + 1));
          if ((await subject.migrate(String(killAt))) === 'killed') kills += 1;
        }
        if ((await subject.migrate(undefined)) === 'killed') findings.push('a migration that was not to be killed ended by a signal');
        findings.push(...describeDifferences(expectedContent, await subject.read()));
      } finally {
        await subject.remove();
      }
    }
  } catch (error) {
    findings.push(describeError(error));
  } finally {
    for (const step of readSteps()) steps.add(`migration: ${step}`);
    log(`migration: ${kills} kills in ${Math.round((performance.now() - startedAt) / 1000)} s, ${findings.length} findings`);
    await testBed.close();
  }
  return { kills, crashes: 0, lostConnections: 0, findings };
}

async function migrateWithoutKills(testBed: MigrationTestBed): Promise<{ content: DatabaseContent; statements: number }> {
  const subject = await testBed.create();
  try {
    await subject.migrate('all');
    const statements = readFileSync(testBed.traceFile, 'utf8').trim().split('\n').length;
    rmSync(testBed.traceFile);
    return { content: await subject.read(), statements };
  } finally {
    await subject.remove();
  }
}

async function openPostgresTestBed({ random }: KillContext): Promise<MigrationTestBed> {
  const site = await createSite(undefined);
  const runMigrate = async (url: string, killAt: string | undefined): Promise<'killed' | 'done'> => {
    const killSettings: Record<string, string> =
      killAt === undefined ? {} : { CHAOS_KILL_AT_STATEMENT: killAt, CHAOS_TRACE: site.traceFile };
    const { PATH = '', NODE_COMPILE_CACHE = '' } = site.environment;
    const child = spawn(process.execPath, ['--import', PRELOAD_SCRIPT, join(repositoryRoot, 'scripts/migrate.ts')], {
      env: { PATH, NODE_COMPILE_CACHE, DATABASE_URL: url, ...killSettings },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: true,
    });
    let problems = '';
    child.stderr?.on('data', (chunk: Buffer) => (problems += chunk.toString()));
    const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
    if (killedBy === 'SIGKILL') return 'killed';
    if (code !== 0) throw new Error(`npm run migrate ended with ${killedBy ?? code}: ${problems}`);
    return 'done';
  };
  return {
    traceFile: site.traceFile,
    close: async () => removeSite(site),
    create: async () => {
      const { url, drop } = await createTestPostgresDatabase('empty');
      return {
        migrate: async (killAt) => {
          const isPaired = killAt !== undefined && killAt !== 'all' && random() < SHARE_OF_PAIRS;
          const [outcome] = await Promise.all([runMigrate(url, killAt), isPaired ? runMigrate(url, undefined) : undefined]);
          return outcome;
        },
        read: () => inspect({ kind: 'postgres', url, poolSize: 2, role: 'owner' }),
        remove: drop,
      };
    },
  };
}

/**
 * Runs a portal's first start, which creates the schema and seed data. Each start begins without a database; the simulators keep running.
 */
async function openEmbeddedTestBed(): Promise<MigrationTestBed> {
  const site = await createSite(undefined);
  const sandbox = await startSandbox(site);
  const start = async (killAt: string | undefined): Promise<'killed' | 'done'> => {
    const killSettings: Record<string, string> = killAt === undefined ? { CHAOS_TRACE: '/dev/null' } : { CHAOS_KILL_AT_STATEMENT: killAt };
    try {
      const portal = await startPortal(site, undefined, killSettings);
      await portal.kill();
      return killAt === undefined || killAt === 'all' ? 'done' : 'killed';
    } catch (error) {
      if (error instanceof ProcessExitedError && error.message.includes('SIGKILL')) return 'killed';
      throw error;
    }
  };
  return {
    traceFile: site.traceFile,
    close: async () => {
      await sandbox.stop();
      removeSite(site);
    },
    create: async () => {
      const remove = (): void => rmSync(join(site.folder, 'database'), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      return {
        migrate: (killAt) => start(killAt),
        read: () => inspect({ kind: 'embedded', dataDir: site.folder }),
        remove: async () => remove(),
      };
    },
  };
}

async function inspect(setting: Parameters<typeof openDatabase>[0]): Promise<DatabaseContent> {
  const database = await openDatabase(setting, () => undefined);
  try {
    const { auditProblems, unbalanced } = await checkBooks(database.db);
    return new Map([
      ...(await readContent(database, { haveJobsRun: setting.kind === 'embedded' })),
      ['problems of the books', `${auditProblems + unbalanced}`],
    ]);
  } finally {
    await database.close();
  }
}
