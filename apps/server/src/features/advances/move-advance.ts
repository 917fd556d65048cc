/** The one way an advance changes state: allowed by the domain, recorded with actor and reason, audited, all in the caller's transaction. */
import type { Tx } from '@portal/db/database.ts';
import { advanceMoves, advances, companies } from '@portal/db/schema/schema.ts';
import { canMove, type AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, eq, sql } from 'drizzle-orm';
import { recordAudit } from '../audit/record-audit.ts';

export type AdvanceRow = Omit<typeof advances.$inferSelect, 'state'> & { readonly state: AdvanceState };

/** Who moves it: a user's id, or "rules", "bank", "clock". */
export type Mover = { readonly actor: string; readonly at: Instant; readonly ip?: string };

/**
 * Locks a company until the transaction ends, for what looks at several of its advances or credits at once. Always before an
 * advance, so that two writers cannot wait for each other. Rows that only refer to the company are still let in.
 */
export async function lockCompany(tx: Tx, companyId: string): Promise<void> {
  await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update');
}

/** Reads an advance and locks its row until the transaction ends; undefined where there is none. */
export async function lockAdvance(tx: Tx, companyId: string, advanceId: string): Promise<AdvanceRow | undefined> {
  const [row] = await tx
    .select()
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.id, advanceId)))
    .for('update');
  return row as AdvanceRow | undefined;
}

type Changes = Partial<Omit<typeof advances.$inferInsert, 'companyId' | 'id' | 'state' | 'updatedAt'>>;

/** Moves a locked advance; a move that the domain does not allow is refused and nothing is written. */
export async function moveAdvance(
  tx: Tx,
  row: AdvanceRow,
  to: AdvanceState,
  mover: Mover,
  reason: string,
  changes: Changes = {},
): Promise<AdvanceRow> {
  if (!canMove(row.state, to)) {
    throw new AppError(
      'conflict',
      'advance.wrong_state',
      `This advance is ${row.state.replaceAll('_', ' ')}; that is not possible any more.`,
    );
  }
  const of = and(eq(advances.companyId, row.companyId), eq(advances.id, row.id));
  await tx
    .update(advances)
    .set({ ...changes, state: to, updatedAt: mover.at })
    .where(of);
  await recordMove(tx, row.companyId, row.id, row.state, to, mover, reason);
  await recordAudit(tx, {
    companyId: row.companyId,
    at: mover.at,
    actor: mover.actor,
    action: `advance.${to}`,
    subject: row.id,
    before: { state: row.state },
    after: { state: to, reason },
    ...(mover.ip === undefined ? {} : { ip: mover.ip }),
  });
  return { ...row, ...(changes as Partial<AdvanceRow>), state: to, updatedAt: mover.at };
}

/** Appends to an advance's history. */
export async function recordMove(
  tx: Tx,
  companyId: string,
  advanceId: string,
  from: AdvanceState | null,
  to: AdvanceState,
  mover: Mover,
  reason: string,
): Promise<void> {
  const next = sql<number>`(select coalesce(max(sequence), 0) + 1 from advance_moves where company_id = ${companyId} and advance_id = ${advanceId})`;
  await tx
    .insert(advanceMoves)
    .values({ companyId, advanceId, sequence: next, fromState: from, toState: to, at: mover.at, actor: mover.actor, reason });
}
