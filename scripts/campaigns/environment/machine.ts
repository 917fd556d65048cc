/**
 * One computer that runs the portal: its disks, its database server, its clock, and a trader. A process manager restarts processes that
 * end.
 */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@portal/db/open-database.ts';
import { migrateDatabaseAt } from '../../../apps/server/src/testing/create-portal-database.ts';
import { createTrader, type FilingTrader } from '../../chaos/filing-test-bed.ts';
import { createSite, removeSite, startPortal, startSandbox, type Site } from '../../chaos/processes.ts';
import { checkBooks } from '../../restore-drill/check-books.ts';
import { runAsSystem } from '../../../apps/server/src/run-as-system.ts';
import { createCaller } from '../../smoke/caller.ts';
import { createSandboxClient, type SandboxClient } from '../../smoke/sandbox-client.ts';
import type { Engine } from '../campaign.ts';
import { startOwnPostgres, type OwnPostgres } from './own-postgres.ts';

export type MachineOptions = {
  readonly engine: Engine;
  /** The database's folder. */
  readonly dataFolder: string;
  /** The folder for uploads and the log. */
  readonly spoolFolder: string;
  readonly postgresSettings?: readonly string[];
  readonly portalSettings?: Readonly<Record<string, string>>;
  /** Environment variables for every process. */
  readonly environment?: Readonly<Record<string, string>>;
};

export type Machine = {
  readonly engine: Engine;
  readonly site: Site;
  readonly postgres: OwnPostgres | undefined;
  readonly sandbox: SandboxClient;
  readonly trader: FilingTrader;
  readonly pid: () => number;
  readonly isAlive: () => boolean;
  /** Restarts ended processes, as a process manager would. Returns the number of restarts. */
  restart(): Promise<number>;
  /** Returns the log lines added since the last call. */
  readLog(): string;
  /** With the portal stopped, checks the money, the audit trail and that these messages are in the database. */
  check(references: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
};

const RESTART_ATTEMPTS = 20;

export async function openMachine(options: MachineOptions): Promise<Machine> {
  const { engine, dataFolder, spoolFolder, environment = {} } = options;
  const postgres =
    engine === 'postgres'
      ? await startOwnPostgres({ folder: dataFolder, settings: options.postgresSettings ?? [], environment })
      : undefined;
  if (postgres) await migrateDatabaseAt(postgres.url);
  const uploadsFolder = join(spoolFolder, 'uploads');
  mkdirSync(uploadsFolder, { recursive: true });
  const site = await createSiteAt(options, postgres?.url, uploadsFolder);
  const simulators = await startSandbox(site);
  let child: ChildProcess | undefined;
  const start = () => startPortal(site, (spawned) => (child = spawned));
  const sandbox = createSandboxClient(site.sandboxUrl);
  const close = async (): Promise<void> => {
    child?.kill('SIGKILL');
    await simulators.stop();
    postgres?.stop();
    removeSite(site);
  };
  const first = await start()
    .then(async (portal) => ({ portal, trader: await createTrader(createCaller(site.portalUrl, { ip: '198.51.100.20' }), sandbox) }))
    .catch(async (error: unknown) => {
      // A running child process would keep this one alive.
      await close();
      throw error;
    });
  const { trader } = first;
  let { portal } = first;
  let read = 0;
  return {
    engine,
    site,
    postgres,
    sandbox,
    trader,
    pid: () => child?.pid ?? 0,
    isAlive: () => portal.isAlive(),
    restart: async () => {
      let restarts = 0;
      if (postgres && !postgres.isRunning()) restarts += 1;
      await postgres?.ensureRunning();
      while (!portal.isAlive()) {
        restarts += 1;
        if (restarts > RESTART_ATTEMPTS) throw new Error('the portal does not start again');
        const startPromise = await start().catch(() => pause(1_000));
        if (startPromise) portal = startPromise;
      }
      return restarts;
    },
    readLog: () => {
      const logText = readFileSync(site.logFile, 'utf8');
      const addedText = logText.slice(read);
      read = logText.length;
      return addedText;
    },
    check: async (references) => {
      await portal.kill();
      return checkDatabase(options, postgres?.url, references);
    },
    close,
  };
}

async function createSiteAt(
  { dataFolder, spoolFolder, ...options }: MachineOptions,
  databaseUrl: string | undefined,
  uploadsFolder: string,
) {
  const settings = { DATA_DIR: join(dataFolder, 'portal'), TMPDIR: uploadsFolder, ...options.portalSettings, ...options.environment };
  const site = await createSite(databaseUrl, settings);
  // The portal expects its simulators there, but this campaign doesn't damage their records.
  mkdirSync(settings.DATA_DIR);
  mkdirSync(join(site.folder, 'sandbox'));
  symlinkSync(join(site.folder, 'sandbox'), join(settings.DATA_DIR, 'sandbox'));
  const sandboxFolder = { SANDBOX_DATA_DIR: join(settings.DATA_DIR, 'sandbox') };
  return { ...site, environment: { ...site.environment, ...sandboxFolder }, logFile: join(spoolFolder, 'portal.log') };
}

async function checkDatabase({ dataFolder }: MachineOptions, url: string | undefined, references: readonly string[]): Promise<string[]> {
  const setting =
    url === undefined
      ? ({ kind: 'embedded', dataDir: join(dataFolder, 'portal') } as const)
      : ({ kind: 'postgres', url, poolSize: 2, role: 'owner' } as const);
  const database = await openDatabase(setting, () => undefined);
  try {
    const { unbalanced, auditEntries, auditProblems } = await runAsSystem('command', () => checkBooks(database.db));
    const { rows } = await database.executeSql(`select subject from audit_entries where action = 'contact_message.received'`);
    const storedSubjects = new Set((rows as { subject: string }[]).map(({ subject }) => subject));
    const lostReferences = references.filter((reference) => !storedSubjects.has(reference));
    return [
      ...(unbalanced > 0 ? [`${unbalanced} postings don’t balance`] : []),
      ...(auditEntries === 0 || auditProblems > 0 ? [`the audit trail has ${auditProblems} problems in ${auditEntries} entries`] : []),
      ...(lostReferences.length > 0 ? [`${lostReferences.length} acknowledged messages are lost`] : []),
    ];
  } finally {
    await database.close();
  }
}
