/** Reads and changes shortfalls. Every change adds an event and an audit entry in the caller's transaction. */
import type { Db, Tx } from '@portal/db/database.ts';
import { shortfallEvents, shortfalls } from '@portal/db/schema/schema.ts';
import { pence, ZERO, type Pence } from '@portal/domain/money.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { sumReceivedAmounts } from '../advances/credit-facts.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { AdvanceRow, TransitionContext } from '../advances/transition-advance.ts';

export type ShortfallRow = typeof shortfalls.$inferSelect;
export type ShortfallKey = { readonly companyId: string; readonly id: string };

export const isThisShortfall = ({ companyId, id }: ShortfallKey) => and(eq(shortfalls.companyId, companyId), eq(shortfalls.id, id));

/** Locks a case until the transaction ends. Take the company's and the advance's locks first. */
export async function lockShortfall(tx: Tx, key: ShortfallKey): Promise<ShortfallRow | undefined> {
  const [row] = await tx.select().from(shortfalls).where(isThisShortfall(key)).for('update');
  return row;
}

export async function findShortfallByAdvance(db: Db | Tx, companyId: string, advanceId: string): Promise<ShortfallRow | undefined> {
  const [row] = await db
    .select()
    .from(shortfalls)
    .where(and(eq(shortfalls.companyId, companyId), eq(shortfalls.advanceId, advanceId)));
  return row;
}

/** Returns the part of the refund that hasn't arrived from HMRC or the trader. Never negative. */
export async function getOwedAmount(db: Db | Tx, advance: Pick<AdvanceRow, 'companyId' | 'id' | 'refundPence'>): Promise<Pence> {
  return pence(Math.max(0, advance.refundPence - (await sumReceivedAmounts(db, advance.companyId, advance.id))));
}

/** Returns the part that the trader owes: nothing while HMRC's repayment, or our payment to the trader, is still outstanding. */
export async function getOwedByTrader(
  db: Db | Tx,
  advance: Pick<AdvanceRow, 'companyId' | 'id' | 'refundPence' | 'state'>,
): Promise<Pence> {
  return advance.state === 'shortfall' || advance.state === 'collecting' ? getOwedAmount(db, advance) : ZERO;
}

type ShortfallChanges = Partial<Omit<ShortfallRow, 'companyId' | 'id' | 'advanceId' | 'updatedAt'>>;

/** Changes a locked case and records the change in its history. */
export async function changeShortfall(
  tx: Tx,
  row: ShortfallRow,
  changes: ShortfallChanges,
  context: TransitionContext,
  action: string,
  text: string,
): Promise<ShortfallRow> {
  await tx
    .update(shortfalls)
    .set({ ...changes, updatedAt: context.at })
    .where(isThisShortfall(row));
  await recordShortfallEvent(tx, row, context, action, text, { before: { status: row.status }, after: changes });
  return { ...row, ...changes, updatedAt: context.at };
}

/** Appends to the case's history and to the audit trail. Returns the event's number within the case. */
export async function recordShortfallEvent(
  tx: Tx,
  { companyId, id }: ShortfallKey,
  context: TransitionContext,
  action: string,
  text: string,
  { before, after }: { before?: object; after?: object } = {},
): Promise<number> {
  const sequence = sql<number>`(select coalesce(max(sequence), 0) + 1 from shortfall_events where company_id = ${companyId} and shortfall_id = ${id})`;
  const [event] = await tx
    .insert(shortfallEvents)
    .values({ companyId, shortfallId: id, sequence, at: context.at, actor: context.actor, text })
    .returning({ sequence: shortfallEvents.sequence });
  if (!event) throw new Error('the database returned no event');
  await recordAudit(tx, {
    companyId,
    at: context.at,
    actor: context.actor,
    action: `shortfall.${action}`,
    subject: id,
    ...(before ? { before } : {}),
    after: { ...after, text },
    ...(context.ip === undefined ? {} : { ip: context.ip }),
  });
  return event.sequence;
}
