/** Bundled portals on the cluster, with simulators that keep running. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@portal/db/open-database.ts';
import type { Database } from '@portal/db/database.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { createSite, removeSite, startSandbox, type Site } from '../../chaos/processes.ts';
import { createAgentSimulatorClient, type AgentSimulatorClient } from '../../portfolio/agent-simulator-client.ts';
import { createSandboxClient, type SandboxClient } from '../../smoke/sandbox-client.ts';
import { repositoryRoot, runCommand } from '../../testing/run-command.ts';
import { endProcess, openCluster, type Cluster } from './cluster.ts';

export type LossTestBed = {
  readonly cluster: Cluster;
  readonly site: Site;
  /** Each URL ends in /portal. */
  readonly portalUrls: readonly string[];
  readonly sandbox: SandboxClient;
  readonly agents: AgentSimulatorClient;
  /** Returns the names of portals that ended without being stopped. */
  findEnded(): readonly string[];
  /** Can read every table; goes through HAProxy. */
  query<Found>(work: (database: Database) => Promise<Found>): Promise<Found>;
  /** Runs `npm run audit -- verify`; returns its output if the trail isn't intact. */
  verifyAudit(): Promise<string | undefined>;
  close(): Promise<void>;
};

const PORTAL_COUNT = 2;
/** Higher than HMRC's real limit, so that a refresh reads a client in half a second. The simulator also enforces it. */
const CALLS_PER_SECOND = 12;
const START_LIMIT_MS = 120_000;

export async function openLossTestBed(log: (line: string) => void): Promise<LossTestBed> {
  const cluster = await openCluster();
  const children: ChildProcess[] = [];
  let closeSandbox = async (): Promise<void> => undefined;
  let site: Site | undefined;
  const close = async (): Promise<void> => {
    await Promise.all(children.map((child) => endProcess(child, 'SIGKILL')));
    await closeSandbox();
    if (site) removeSite(site);
    cluster.remove();
  };
  try {
    await migrate(cluster);
    const settings = { HMRC_CALLS_PER_SECOND: String(CALLS_PER_SECOND), NODE_ENV: 'production' };
    const ownSite = await createSite(cluster.portalUrl, settings);
    site = ownSite;
    const sandboxProcess = await startSandbox(ownSite);
    closeSandbox = () => sandboxProcess.stop();
    const agents = createAgentSimulatorClient(ownSite.sandboxUrl);
    await agents.setRequestsPerSecond(CALLS_PER_SECOND);
    const ports = [Number(new URL(ownSite.portalUrl).port)];
    while (ports.length < PORTAL_COUNT) ports.push(await findFreePort());
    for (const port of ports) children.push(await startPortal(ownSite, port));
    log(`${PORTAL_COUNT} portals on the cluster; logs in ${cluster.folder} and ${ownSite.logFile}`);
    return {
      cluster,
      site: ownSite,
      portalUrls: ports.map((port) => `http://localhost:${port}/portal`),
      sandbox: createSandboxClient(ownSite.sandboxUrl),
      agents,
      findEnded: () =>
        children.flatMap((child, index) => (child.exitCode === null && child.signalCode === null ? [] : [`portal ${index + 1}`])),
      query: async (work) => {
        const database = await openDatabase({ kind: 'postgres', url: cluster.ownerUrl, poolSize: 2, role: 'owner' }, () => undefined);
        try {
          return await work(database);
        } finally {
          await database.close();
        }
      },
      verifyAudit: async () => {
        const args = ['scripts/audit.ts', 'verify'];
        const environment = { ...ownSite.environment, DATABASE_URL: cluster.portalUrl };
        const { exitCode, output } = await runCommand(process.execPath, args, { environment });
        return exitCode === 0 ? undefined : output.trim();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function migrate({ ownerUrl, portalUrl }: Cluster): Promise<void> {
  const environment = { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_URL: portalUrl };
  const { exitCode, output } = await runCommand(process.execPath, ['scripts/migrate.ts'], { environment });
  if (exitCode !== 0) throw new Error(output);
}

function startPortal(site: Site, port: number): Promise<ChildProcess> {
  const log = openSync(site.logFile, 'a');
  const child = spawn(process.execPath, [join(repositoryRoot, 'apps/server/dist/main.js')], {
    env: { ...site.environment, PORT: String(port), PUBLIC_URL: site.environment['PORTAL_URL'] },
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
    child.once('exit', () => reject(new Error(`a portal did not start; its log is ${site.logFile}`)));
    child.stdout?.once('data', () => {
      clearTimeout(timer);
      resolve(child);
    });
  });
}
