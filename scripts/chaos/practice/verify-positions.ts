/** Checks positions after all the kills: each observation is stored once, and each figure equals a rebuild from the observations. */
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '@portal/db/database.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { sql } from '@portal/db/sql.ts';
import { toCanonicalText } from '../../../apps/server/src/features/positions/canonical-text.ts';
import { countTotals } from '../../../apps/server/src/features/positions/count-totals.ts';
import { rebuildPositions } from '../../../apps/server/src/features/positions/rebuild-position.ts';

export type Moment = { readonly today: PlainDate; readonly now: Instant };

export async function verifyPositions(db: Db, companyId: string, clientIds: readonly string[], moment: Moment): Promise<string[]> {
  return [
    ...(await verifyObservations(db, companyId, clientIds)),
    ...(await verifyRebuild(db, companyId, clientIds, moment)),
    ...(await verifyTotals(db, companyId, moment.today)),
  ];
}

/** HMRC's responses don't change during the test, so each observation of a client must be stored only once. */
async function verifyObservations(db: Db, companyId: string, clientIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ kind: string; clients: number; most: number }>(sql`
    select kind, count(*)::int as clients, max(times)::int as most from (
      select client_id, kind, source, body_hash, count(*) as times from client_observations
      where company_id = ${companyId} and client_id = any(${toUuidArray(clientIds)}) group by 1, 2, 3, 4) as one
    where times > 1 group by kind`);
  return rows.map(({ kind, clients, most }) => `${kind} is stored up to ${most} times for ${clients} clients`);
}

type Snapshot = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

class RollbackSignal extends Error {
  readonly violations: readonly string[];
  constructor(violations: readonly string[]) {
    super('looked');
    this.violations = violations;
  }
}

/** Rebuilds in a transaction that is rolled back. */
async function verifyRebuild(db: Db, companyId: string, clientIds: readonly string[], { today, now }: Moment): Promise<string[]> {
  try {
    await db.transaction(async (tx) => {
      const storedSnapshot = await takeSnapshot(tx, companyId, clientIds);
      for (const tax of TAXES) await rebuildPositions(tx, { companyId, tax, clientIds, today, now });
      throw new RollbackSignal(compareSnapshots(storedSnapshot, await takeSnapshot(tx, companyId, clientIds)));
    });
  } catch (error) {
    if (error instanceof RollbackSignal) return [...error.violations];
    throw error;
  }
  return [];
}

async function takeSnapshot(db: Db, companyId: string, clientIds: readonly string[]): Promise<Snapshot> {
  const clientFilter = sql`company_id = ${companyId} and client_id = any(${toUuidArray(clientIds)})`;
  const read = async (statement: ReturnType<typeof sql>) => (await db.execute<Record<string, unknown>>(statement)).rows;
  return {
    tax_positions: await read(sql`select * from tax_positions where ${clientFilter} order by client_id, tax`),
    // Items computed by rule are dated with the time of the rebuild.
    due_items: await read(
      sql`select client_id, tax, key, what, due_on, amount_pence, title, period_start, period_end, source, case when source <> 'rule' then as_of end as as_of
        from due_items where ${clientFilter} order by client_id, tax, key`,
    ),
    client_rows: await read(sql`select * from client_rows where ${clientFilter} order by client_id`),
  };
}

function compareSnapshots(stored: Snapshot, rebuilt: Snapshot): string[] {
  return Object.entries(stored).flatMap(([table, rows]) => {
    const rebuiltRows = rebuilt[table] ?? [];
    if (rows.length !== rebuiltRows.length) return [`${table} has ${rows.length} rows, a rebuild gives ${rebuiltRows.length}`];
    const rowDifferences = rows.flatMap((row, index) => {
      const rebuiltRow = rebuiltRows[index] ?? {};
      const columns = Object.keys(row).filter((column) => !isDeepStrictEqual(row[column], rebuiltRow[column]));
      return columns.length > 0 ? [`${JSON.stringify([row['client_id'], row['tax']])} ${columns.join(', ')}`] : [];
    });
    return rowDifferences.length > 0 ? [`${rowDifferences.length} rows of ${table} differ from a rebuild, first ${rowDifferences[0]}`] : [];
  });
}

type StoredTotals = { readonly viewer_id: string; readonly counted_on: string; readonly overall: unknown; readonly totals: unknown };

/**
 * Checks the totals for the practice and for each member with assigned clients. A mark shows that a change came after the running portal
 * was last read but before it ended; the portal counts again when it starts.
 */
async function verifyTotals(db: Db, companyId: string, today: PlainDate): Promise<string[]> {
  const marks = await db.execute(sql`select from stale_totals where company_id = ${companyId} limit 1`);
  if (marks.rows.length > 0) return [];
  const { rows } = await db.execute<StoredTotals>(
    sql`select viewer_id, counted_on, overall, totals from practice_totals where company_id = ${companyId}`,
  );
  const countedTotals = await countTotals(db, companyId, today);
  return countedTotals.flatMap(({ viewerId, overall, totals }) => {
    const storedRow = rows.find(({ viewer_id }) => viewer_id === viewerId);
    if (!storedRow) return [`there are no totals for ${viewerId}`];
    if (storedRow.counted_on !== today) return [`the totals for ${viewerId} are of ${storedRow.counted_on}`];
    const isSame = toCanonicalText([storedRow.overall, storedRow.totals]) === toCanonicalText([overall, totals]);
    return isSame ? [] : [`the stored totals for ${viewerId} differ from a recount`];
  });
}

function toUuidArray(ids: readonly string[]) {
  return sql`${`{${ids.join(',')}}`}::uuid[]`;
}
