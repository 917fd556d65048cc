/** The practice under test: Oakline with its admin signed in, the HMRC agent simulator, and a portal that can be killed. */
import { readFileSync } from 'node:fs';
import type { Endpoint, InputOf, OutputOf } from '@portal/contract/endpoint.ts';
import type { Database } from '@portal/db/database.ts';
import { openDatabase } from '@portal/db/open-database.ts';
import { addDays, parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { reachAgentDouble, type AgentDouble } from '../../portfolio/agent-double.ts';
import { connectAgent, signInAsPriya, type Admin } from '../../portfolio/oakline-admin.ts';
import { reachDoubles, type Doubles } from '../../smoke/doubles.ts';
import { openMortalPortal, type MortalPortal } from '../mortal-portal.ts';
import { isConnectionLost, reviveOnceDead } from '../live.ts';
import { chooseSite } from '../processes.ts';

export type HmrcStatistics = {
  readonly calls: number;
  readonly throttled: number;
  readonly refreshed: number;
  readonly refresh_refused: number;
};

export type PracticeWorld = MortalPortal & {
  readonly admin: Admin;
  readonly agents: AgentDouble;
  readonly doubles: Doubles;
  /** Calls the portal as the admin and repeats the call if the portal was killed during it. Only for calls that are safe to repeat. */
  ask<E extends Endpoint>(endpoint: E, input: InputOf<E>, options?: { readonly idempotencyKey?: string }): Promise<OutputOf<E>>;
  /** Connects HMRC if it is not connected. Resolves to true if it had to. */
  connect(): Promise<boolean>;
  readStatistics(): Promise<HmrcStatistics>;
  /** When each call left for HMRC, in order, across all processes. */
  readDepartures(): readonly number[];
  /** Moves the sandbox clock to half past midnight of the next day and returns that day. */
  beginDay(): Promise<PlainDate>;
  /** Runs a query while the portal is running. */
  queryAlive(query: string): Promise<readonly unknown[]>;
  /** Opens the database while the portal is running; only PostgreSQL allows that. */
  look<Found>(look: (database: Database) => Promise<Found>): Promise<Found>;
  /** Kills the portal and then opens its database. */
  lookInside<Found>(look: (database: Database) => Promise<Found>): Promise<Found>;
};

/** More than HMRC's real limit, so that a second is enough to read a few clients. The simulator enforces this limit too. */
export const CALLS_PER_SECOND = 12;

export async function openPracticeWorld(databaseUrl?: string): Promise<PracticeWorld> {
  const site = await chooseSite(databaseUrl, { HMRC_CALLS_PER_SECOND: String(CALLS_PER_SECOND) });
  const portal = await openMortalPortal(site);
  try {
    const agents = reachAgentDouble(site.sandboxUrl);
    const doubles = reachDoubles(site.sandboxUrl);
    await agents.setRequestsPerSecond(CALLS_PER_SECOND);
    const admin = await signInAsPriya(site.portalUrl);
    const setting =
      databaseUrl === undefined
        ? ({ kind: 'embedded', dataDir: site.folder } as const)
        : ({ kind: 'postgres', url: databaseUrl, poolSize: 2 } as const);
    const look: PracticeWorld['look'] = async (inside) => {
      const database = await openDatabase(setting, () => undefined);
      try {
        return await inside(database);
      } finally {
        await database.close();
      }
    };
    return {
      ...portal,
      admin,
      agents,
      doubles,
      ask: async (endpoint, input, options) => {
        for (;;) {
          await portal.revive();
          try {
            return await admin.caller.call(endpoint, input, options);
          } catch (error) {
            if (!isConnectionLost(error) || !(await reviveOnceDead(portal))) throw error;
          }
        }
      },
      connect: () => connectAgent(admin, OAKLINE.hmrcUserId),
      readStatistics: async () => (await (await fetch(`${site.sandboxUrl}/control/hmrc/statistics`)).json()) as HmrcStatistics,
      readDepartures: () => readFileSync(portal.site.departuresFile, 'utf8').trim().split('\n').map(Number),
      beginDay: async () => {
        const today = parsePlainDate((await doubles.readClock()).slice(0, 10));
        if (today === undefined) throw new Error('the sandbox clock returned no valid date');
        const next = addDays(today, 1);
        await doubles.moveClock({ now: `${next}T00:30:00.000Z` });
        return next;
      },
      queryAlive: (query) =>
        databaseUrl === undefined ? portal.askInside(query) : look(async ({ executeSql }) => (await executeSql(query)).rows),
      look,
      lookInside: async (inside) => {
        if (portal.isAlive()) await portal.kill();
        return look(inside);
      },
    };
  } catch (error) {
    await portal.close();
    throw error;
  }
}
