import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Tx } from '@portal/db/database.ts';
import {
  accountCredits,
  advances,
  bankCredits,
  collectionPayouts,
  directDebitPayouts,
  invoiceRefunds,
  payouts,
  reconciliationNotes,
  unrecordedPayouts,
} from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { getSurplus } from './surplus-queries.ts';

/** Adds a note to the subject of a reconciliation exception. */
export async function noteException(
  deps: AppDeps,
  { input, actor, caller }: Call<(typeof reconciliationExceptionsApi)['note']>,
): Promise<{ done: true }> {
  const { company_id: companyId, subject_id: subjectId, note_id: id, text } = input;
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    if (!(await hasSubject(tx, companyId, subjectId))) throw createNotFoundError();
    const insertedNotes = await tx
      .insert(reconciliationNotes)
      .values({ companyId, id, subjectId, text, by: actor.userId, at })
      .onConflictDoNothing()
      .returning({ id: reconciliationNotes.id });
    if (insertedNotes.length === 0) return;
    const after = { text };
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: 'reconciliation.note_added',
      subject: subjectId,
      after,
      ip: caller.ip,
    });
  });
  return { done: true };
}

async function hasSubject(tx: Tx, companyId: string, subjectId: string): Promise<boolean> {
  for (const table of [bankCredits, advances, unrecordedPayouts, collectionPayouts, payouts, invoiceRefunds] as const) {
    const [row] = await tx
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.companyId, companyId), eq(table.id, subjectId)));
    if (row) return true;
  }
  if (subjectId === companyId) return (await getSurplus(tx, companyId)) !== 0;
  if (companyId !== NO_COMPANY) return false;
  for (const table of [directDebitPayouts, accountCredits] as const) {
    const [row] = await tx.select({ id: table.id }).from(table).where(eq(table.id, subjectId));
    if (row) return true;
  }
  return false;
}
