/** The practice under test: Oakline with its admin logged in, the HMRC agent simulator, and a portal that can be killed. */
import { readFileSync } from 'node:fs';
import type { Endpoint, EndpointInput, EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Database } from '@portal/db/database.ts';
import { openDatabase } from '@portal/db/open-database.ts';
import { addDays, parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { createAgentSimulatorClient, type AgentSimulatorClient } from '../../portfolio/agent-simulator-client.ts';
import { ensureAgentConnected, signInAsPriya, type Admin } from '../../portfolio/oakline-admin.ts';
import { createSandboxClient, type SandboxClient } from '../../smoke/sandbox-client.ts';
import { openKillablePortal, type KillablePortal } from '../killable-portal.ts';
import { isConnectionLost, reviveAfterExit } from '../run-to-settlement.ts';
import { createSite } from '../processes.ts';

export type HmrcStatistics = {
  readonly calls: number;
  readonly throttled: number;
  readonly refreshed: number;
  readonly refresh_refused: number;
};

export type PracticeTestBed = KillablePortal & {
  readonly admin: Admin;
  readonly agents: AgentSimulatorClient;
  readonly sandbox: SandboxClient;
  /** Calls the portal as the admin, and retries if the portal was killed during the call. Only for calls that are safe to repeat. */
  callWithRestart<E extends Endpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    options?: { readonly idempotencyKey?: string },
  ): Promise<EndpointOutput<E>>;
  /** Connects HMRC if it isn't connected. Resolves to true if it was disconnected. */
  ensureConnected(): Promise<boolean>;
  readStatistics(): Promise<HmrcStatistics>;
  /** Returns when each call to HMRC was sent, in order, across all processes. */
  readDepartures(): readonly number[];
  /** Moves the sandbox clock to half past midnight on the next day and returns that day. */
  startNextDay(): Promise<PlainDate>;
  /** Runs a query while the portal is running. */
  queryRunning(query: string): Promise<readonly unknown[]>;
  /** Opens the database while the portal is running, which only PostgreSQL allows. */
  queryPostgres<Found>(query: (database: Database) => Promise<Found>): Promise<Found>;
  /** Kills the portal and then opens its database. */
  killAndQuery<Found>(query: (database: Database) => Promise<Found>): Promise<Found>;
};

/** Higher than HMRC's real limit, so that a second is enough to read a few clients. The simulator also enforces it. */
export const CALLS_PER_SECOND = 12;

export async function openPracticeTestBed(databaseUrl?: string): Promise<PracticeTestBed> {
  const site = await createSite(databaseUrl, { HMRC_CALLS_PER_SECOND: String(CALLS_PER_SECOND) });
  const portal = await openKillablePortal(site);
  try {
    const agents = createAgentSimulatorClient(site.sandboxUrl);
    const sandbox = createSandboxClient(site.sandboxUrl);
    await agents.setRequestsPerSecond(CALLS_PER_SECOND);
    const admin = await signInAsPriya(site.portalUrl);
    const databaseSetting =
      databaseUrl === undefined
        ? ({ kind: 'embedded', dataDir: site.folder } as const)
        : ({ kind: 'postgres', url: databaseUrl, poolSize: 2, role: 'owner' } as const);
    const queryPostgres: PracticeTestBed['queryPostgres'] = async (inspect) => {
      const database = await openDatabase(databaseSetting, () => undefined);
      try {
        return await inspect(database);
      } finally {
        await database.close();
      }
    };
    return {
      ...portal,
      admin,
      agents,
      sandbox,
      callWithRestart: async (endpoint, input, options) => {
        for (;;) {
          await portal.revive();
          try {
            return await admin.caller.call(endpoint, input, options);
          } catch (error) {
            if (!isConnectionLost(error) || !(await reviveAfterExit(portal))) throw error;
          }
        }
      },
      ensureConnected: () => ensureAgentConnected(admin, OAKLINE.hmrcUserId),
      readStatistics: async () => (await (await fetch(`${site.sandboxUrl}/control/hmrc/statistics`)).json()) as HmrcStatistics,
      readDepartures: () => readFileSync(portal.site.departuresFile, 'utf8').trim().split('\n').map(Number),
      startNextDay: async () => {
        const today = parsePlainDate((await sandbox.readClock()).slice(0, 10));
        if (today === undefined) throw new Error('the sandbox clock returned no valid date');
        const nextDay = addDays(today, 1);
        await sandbox.moveClock({ now: `${nextDay}T00:30:00.000Z` });
        return nextDay;
      },
      queryRunning: (query) =>
        databaseUrl === undefined ? portal.queryEmbedded(query) : queryPostgres(async ({ executeSql }) => (await executeSql(query)).rows),
      queryPostgres,
      killAndQuery: async (inspect) => {
        if (portal.isAlive()) await portal.kill();
        return queryPostgres(inspect);
      },
    };
  } catch (error) {
    await portal.close();
    throw error;
  }
}
