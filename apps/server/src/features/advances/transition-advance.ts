/**
 * The only way to change an advance's state. The domain must allow the change; it is recorded with actor and reason and audited, all in the
 * caller's transaction.
 */
import type { Tx } from '@portal/db/database.ts';
import { advanceTransitions, advances, companies } from '@portal/db/schema/schema.ts';
import { canTransition, type AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { recordAudit } from '../audit/record-audit.ts';

export type AdvanceRow = Omit<typeof advances.$inferSelect, 'state'> & { readonly state: AdvanceState };

/** The actor is a user's ID, or "rules", "bank" or "clock". */
export type TransitionContext = { readonly actor: string; readonly at: Instant; readonly ip?: string };

/**
 * Locks a company until the transaction ends, for work on several of its advances or credits together. Take this lock before an advance's
 * lock, to prevent deadlocks. Rows that merely refer to the company can still be inserted.
 */
export async function lockCompany(tx: Tx, companyId: string): Promise<void> {
  await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update');
}

/** Our key for PostgreSQL's advisory locks. */
const TOTAL_EXPOSURE_LOCK = 7_150_033;

/**
 * Serialises acceptances of different companies until the transaction ends, so that concurrent ones can't exceed the total exposure limit.
 * Take it after every other lock.
 */
export async function lockTotalExposure(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${TOTAL_EXPOSURE_LOCK})`);
}

/** Locks an advance's row until the transaction ends and returns it. Undefined if it does not exist. */
export async function lockAdvance(tx: Tx, companyId: string, advanceId: string): Promise<AdvanceRow | undefined> {
  const [row] = await tx
    .select()
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.id, advanceId)))
    .for('update');
  return row as AdvanceRow | undefined;
}

type AdvanceChanges = Partial<Omit<typeof advances.$inferInsert, 'companyId' | 'id' | 'state' | 'updatedAt'>>;

/** Changes the state of a locked advance. Throws before writing anything if the domain does not allow the transition. */
export async function transitionAdvance(
  tx: Tx,
  row: AdvanceRow,
  to: AdvanceState,
  context: TransitionContext,
  reason: string,
  changes: AdvanceChanges = {},
): Promise<AdvanceRow> {
  if (!canTransition(row.state, to)) {
    throw new AppError('conflict', 'advance.wrong_state', `You can’t do that any more: this advance is ${row.state.replaceAll('_', ' ')}.`);
  }
  const isThisAdvance = and(eq(advances.companyId, row.companyId), eq(advances.id, row.id));
  await tx
    .update(advances)
    .set({ ...changes, state: to, updatedAt: context.at })
    .where(isThisAdvance);
  await recordTransition(tx, row.companyId, row.id, row.state, to, context, reason);
  await recordAudit(tx, {
    companyId: row.companyId,
    at: context.at,
    actor: context.actor,
    action: `advance.${to}`,
    subject: row.id,
    before: { state: row.state },
    after: { state: to, reason },
    ...(context.ip === undefined ? {} : { ip: context.ip }),
  });
  return { ...row, ...(changes as Partial<AdvanceRow>), state: to, updatedAt: context.at };
}

/** Appends to an advance's history. */
export async function recordTransition(
  tx: Tx,
  companyId: string,
  advanceId: string,
  from: AdvanceState | null,
  to: AdvanceState,
  context: TransitionContext,
  reason: string,
): Promise<void> {
  const nextSequence = sql<number>`(select coalesce(max(sequence), 0) + 1 from advance_transitions where company_id = ${companyId} and advance_id = ${advanceId})`;
  await tx
    .insert(advanceTransitions)
    .values({ companyId, advanceId, sequence: nextSequence, fromState: from, toState: to, at: context.at, actor: context.actor, reason });
}
