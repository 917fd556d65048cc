/**
 * One round of the practice test: import new clients, then refresh their VAT and Self Assessment, and check the database after stopping the
 * portal.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '@portal/db/database.ts';
import { clockFrom, type Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Portfolio } from '@portal/sandbox/portfolio/portfolio-client.ts';
import { sql } from 'drizzle-orm';
import type { Chance } from '../shake.ts';
import { importUnderFire } from './import-under-fire.ts';
import { judgeImport } from './judge-import.ts';
import { judgePositions } from './judge-positions.ts';
import { judgeSync, readStates, type Known } from './judge-sync.ts';
import type { PracticeWorld } from './practice-world.ts';
import { syncUnderFire } from './sync-under-fire.ts';

export type RoundPlan = {
  readonly seed: number;
  /** Number of rows in the file; the portal applies 500 at a time. */
  readonly clients: number;
  readonly importKills: number;
  readonly syncKills: number;
  /** How many of the clients are refreshed. */
  readonly reads: number;
  readonly taxes: readonly ('vat' | 'sa')[];
  readonly cancels: boolean;
  /** Refreshes all clients once more without kills and expects the same result. */
  readonly readsAgain: boolean;
};

export type Shaken = {
  readonly what: string;
  readonly deaths: number;
  readonly grantsLost: number;
  /** Calls that HMRC rejected as too many. */
  readonly throttled: number;
  readonly elapsedMs: number;
  readonly violations: readonly string[];
};

/** Time allowed for the remaining work after the last kill of a part. */
const LIMIT_MS = 300_000;
/** Number of new clients whose positions are compared with a rebuild. */
const MOST_REBUILT = 200;

/** Runs one round and reports each part when it ends. */
export async function shakePractice(world: PracticeWorld, chance: Chance, plan: RoundPlan, tell: (part: Shaken) => void): Promise<void> {
  const limitMs = LIMIT_MS;
  const today = await world.beginDay();
  await world.revive();
  await world.connect();
  let startedAt = performance.now();
  const told = (what: string, part: Pick<Shaken, 'deaths' | 'grantsLost' | 'throttled'>, violations: readonly string[]): void => {
    const { deaths, grantsLost, throttled } = part;
    tell({ what, deaths, grantsLost, throttled, violations, elapsedMs: performance.now() - startedAt });
    startedAt = performance.now();
  };
  const { companyId } = world.admin;
  const imported = await importUnderFire(world, chance, {
    clients: plan.clients,
    seed: plan.seed,
    today,
    mostKills: plan.importKills,
    cancels: plan.cancels,
    limitMs,
  });
  const judged = await whenQuiet(world, limitMs, async (db) => {
    const found = await findClients(db, companyId, imported.portfolio);
    const some = idsOf(Object.values(found).flat()).slice(0, MOST_REBUILT);
    const broken = [
      ...(await judgeImport(db, companyId, imported.judged)),
      ...(await judgePositions(db, companyId, some, { today, now: lateOn(today) })),
    ];
    return { found, violations: [...imported.violations, ...broken] };
  });
  told(`import of ${plan.clients}`, { deaths: imported.deaths, grantsLost: 0, throttled: 0 }, judged.violations);
  for (const tax of plan.taxes) {
    const clients = judged.found[tax].slice(0, plan.reads);
    const options = { tax, clientIds: idsOf(clients), limitMs };
    const synced = await syncUnderFire(world, chance, { ...options, mostKills: plan.syncKills, cancels: plan.cancels });
    const broken = await judgeRefresh(world, { tax, clients, today, limitMs });
    const again = plan.readsAgain ? await readAgain(world, chance, { ...options, clients, today }) : [];
    told(`${tax} of ${clients.length}`, synced, [...synced.violations, ...broken, ...again]);
  }
}

function judgeRefresh(
  world: PracticeWorld,
  { tax, clients, today, limitMs }: { tax: 'vat' | 'sa'; clients: readonly Known[]; today: PlainDate; limitMs: number },
): Promise<string[]> {
  const { companyId } = world.admin;
  return whenQuiet(world, limitMs, async (db) => [
    ...(await judgeSync(db, companyId, tax, clients)),
    ...(await judgePositions(db, companyId, idsOf(clients), { today, now: lateOn(today) })),
  ]);
}

/** An undisturbed refresh must find the same states, and store nothing more. */
async function readAgain(
  world: PracticeWorld,
  chance: Chance,
  {
    tax,
    clientIds,
    limitMs,
    clients,
    today,
  }: { tax: 'vat' | 'sa'; clientIds: readonly string[]; limitMs: number; clients: readonly Known[]; today: PlainDate },
): Promise<string[]> {
  const states = (): Promise<Map<string, string>> => world.lookInside(({ db }) => readStates(db, world.admin.companyId, tax, clients));
  const before = await states();
  const calm = await syncUnderFire(world, chance, { tax, clientIds, limitMs, mostKills: 0, cancels: false });
  const broken = await judgeRefresh(world, { tax, clients, today, limitMs });
  const after = await states();
  const changed = [...before].filter(([id, state]) => after.get(id) !== state);
  return [
    ...calm.violations.map((sentence) => `read again: ${sentence}`),
    ...broken.map((sentence) => `read again: ${sentence}`),
    ...(changed.length > 0 ? [`an undisturbed refresh finds ${changed.length} clients in another state, first ${changed[0]?.[1]}`] : []),
  ];
}

function idsOf(clients: readonly Known[]): readonly string[] {
  return [...new Set(clients.map(({ id }) => id))];
}

/** The portfolio's clients as the portal stores them: those with VAT, and people with a National Insurance number. */
export async function findClients(db: Db, companyId: string, { list }: Portfolio): Promise<Record<'vat' | 'sa', readonly Known[]>> {
  const { rows } = await db.execute<{ id: string; vrn: string | null; nino: string | null; has_vat: boolean; has_sa: boolean }>(
    sql`select id, vrn, nino, has_vat, has_sa from clients where company_id = ${companyId}`,
  );
  const byVrn = new Map(rows.map((row) => [row.vrn, row]));
  const byNino = new Map(rows.map((row) => [row.nino, row]));
  const known = (found: { id: string } | undefined, situation: Known['situation']): Known[] => (found ? [{ id: found.id, situation }] : []);
  return {
    vat: list.flatMap(({ vat, situation }) => (vat && byVrn.get(vat.vrn)?.has_vat ? known(byVrn.get(vat.vrn), situation) : [])),
    sa: list.flatMap(({ nino, situation }) => (nino !== undefined && byNino.get(nino)?.has_sa ? known(byNino.get(nino), situation) : [])),
  };
}

const BETWEEN_LOOKS_MS = 500;

/** Waits until no job that changes figures is left, then kills the portal and opens its database. */
async function whenQuiet<Found>(world: PracticeWorld, limitMs: number, look: (db: Db) => Promise<Found>): Promise<Found> {
  await world.revive();
  const until = performance.now() + limitMs;
  for (;;) {
    const busy = (await world.queryAlive(BUSY)) as readonly { readonly job: string }[];
    if (busy.length === 0) return world.lookInside(({ db }) => look(db));
    if (performance.now() > until) throw new Error(`these jobs did not finish: ${busy.map(({ job }) => job).join('; ')}`);
    await pause(BETWEEN_LOOKS_MS);
  }
}

/**
 * Jobs that change figures. A refresh is not listed, because its own rows show when it has ended; an idle sync worker ends itself at its
 * next run.
 */
export const BUSY = `
  select concat_ws(' ', data ->> 'kind', state, 'after', start_after, 'tried', retry_count, left(output::text, 300)) as job
  from pgboss.job where name = 'portal' and state < 'completed'
    and data ->> 'kind' in ('clients.import', 'clients.work-out', 'practice.totals')`;

/** Time of the comparison rebuild; it only dates computed items, which are not compared. */
export function lateOn(today: PlainDate): Instant {
  return clockFrom(() => Date.parse(`${today}T23:00:00.000Z`)).now();
}
