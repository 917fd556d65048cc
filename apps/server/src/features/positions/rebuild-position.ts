/** Works positions out anew from the newest observations. Nothing else writes tax_positions, due_items and the figures of client_rows. */
import type { Tx } from '@portal/db/database.ts';
import { dueItems, taxPositions } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { positionOf } from '@portal/domain/practice/positions/position-of.ts';
import type { Position } from '@portal/domain/practice/positions/position.ts';
import type { Tax } from '@portal/domain/uk-tax/references/hmrc-bank-account.ts';
import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { loadFacts } from './load-facts.ts';
import { writeClientRows } from './write-client-rows.ts';

/** `now` dates what is computed by rule. */
export type RebuildOf = { readonly companyId: string; readonly tax: Tax; readonly today: PlainDate; readonly now: Instant };

/** One client and tax, in the caller's transaction. Whoever calls it also enqueues `practice.totals`. */
export function rebuildPosition(tx: Tx, { clientId, ...of }: RebuildOf & { readonly clientId: string }): Promise<void> {
  return rebuildPositions(tx, { ...of, clientIds: [clientId] });
}

/** So many clients go through at a time: their rows stay far below what one statement may carry. */
const AT_A_TIME = 100;

/** Many clients of one tax: a dozen statements for each hundred of them. A client that does not have the tax (any more) loses its position. */
export async function rebuildPositions(tx: Tx, { clientIds, ...of }: RebuildOf & { readonly clientIds: readonly string[] }): Promise<void> {
  for (let from = 0; from < clientIds.length; from += AT_A_TIME) {
    await rebuildSome(tx, of, clientIds.slice(from, from + AT_A_TIME));
  }
}

async function rebuildSome(tx: Tx, { companyId, tax, today, now }: RebuildOf, clientIds: readonly string[]): Promise<void> {
  const known = await loadFacts(tx, companyId, tax, clientIds);
  const positions = known.map(({ clientId, facts }) => ({ clientId, position: positionOf(tax, facts, today) }));
  const ids = [...clientIds];
  const kept = positions.map(({ clientId }) => clientId);
  const ofTax = and(eq(taxPositions.companyId, companyId), eq(taxPositions.tax, tax), inArray(taxPositions.clientId, ids));
  await tx.delete(taxPositions).where(kept.length === 0 ? ofTax : and(ofTax, notInArray(taxPositions.clientId, kept)));
  await tx.delete(dueItems).where(and(eq(dueItems.companyId, companyId), eq(dueItems.tax, tax), inArray(dueItems.clientId, ids)));
  if (positions.length > 0) {
    await tx
      .insert(taxPositions)
      .values(positions.map(({ clientId, position }) => rowOf(companyId, clientId, position)))
      .onConflictDoUpdate({ target: [taxPositions.companyId, taxPositions.clientId, taxPositions.tax], set: NEWER });
  }
  const items = positions.flatMap(({ clientId, position }) => itemRows(companyId, clientId, position, now));
  for (let from = 0; from < items.length; from += 1_000) await tx.insert(dueItems).values(items.slice(from, from + 1_000));
  await writeClientRows(tx, companyId, clientIds, today);
}

type PositionRow = typeof taxPositions.$inferInsert;

function rowOf(companyId: string, clientId: string, position: Position): PositionRow {
  const { nextDue } = position;
  return {
    companyId,
    clientId,
    tax: position.tax,
    owedPence: position.owed,
    overduePence: position.overdue,
    overdueSince: position.overdueSince,
    refundPence: position.refund,
    overdueReturns: position.overdueReturns,
    penaltyPoints: position.points,
    pointsThreshold: position.pointsThreshold,
    penaltyPence: position.penalty,
    interestPence: position.interest,
    computedOn: position.detail.computed_on,
    isEstimate: position.isEstimate,
    nextDueOn: nextDue?.due_on ?? null,
    nextDueWhat: nextDue === null || nextDue.what === 'refund' ? null : nextDue.what,
    nextDuePence: nextDue?.amount_pence ?? null,
    source: position.source,
    asOf: position.asOf,
    detail: position.detail,
  };
}

/** Everything but the key, from the row that could not be inserted. */
const NEWER = {
  owedPence: sql`excluded.owed_pence`,
  overduePence: sql`excluded.overdue_pence`,
  overdueSince: sql`excluded.overdue_since`,
  refundPence: sql`excluded.refund_pence`,
  overdueReturns: sql`excluded.overdue_returns`,
  penaltyPoints: sql`excluded.penalty_points`,
  pointsThreshold: sql`excluded.points_threshold`,
  penaltyPence: sql`excluded.penalty_pence`,
  interestPence: sql`excluded.interest_pence`,
  computedOn: sql`excluded.computed_on`,
  isEstimate: sql`excluded.is_estimate`,
  nextDueOn: sql`excluded.next_due_on`,
  nextDueWhat: sql`excluded.next_due_what`,
  nextDuePence: sql`excluded.next_due_pence`,
  source: sql`excluded.source`,
  asOf: sql`excluded.as_of`,
  detail: sql`excluded.detail`,
} satisfies Record<Exclude<keyof PositionRow, 'companyId' | 'clientId' | 'tax'>, unknown>;

function itemRows(companyId: string, clientId: string, { tax, items }: Position, now: Instant): (typeof dueItems.$inferInsert)[] {
  return items.map((item) => ({
    companyId,
    clientId,
    tax,
    key: item.key,
    what: item.what,
    dueOn: item.due_on,
    amountPence: item.amount_pence,
    title: item.title,
    periodStart: item.period_start,
    periodEnd: item.period_end,
    source: item.source,
    asOf: item.as_of ?? now,
  }));
}
