import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import {
  advances,
  bankCredits,
  directDebitPayouts,
  invoiceRefunds,
  reconciliationNotes,
  unrecordedPayouts,
} from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { getSurplus } from './surplus-queries.ts';

/** Adds a note to a credit, an advance, money owed to a company, a GoCardless payout, a payment without an order, or a refund. */
export async function noteException(
  deps: AppDeps,
  { input, actor, caller }: Call<(typeof reconciliationExceptionsApi)['note']>,
): Promise<{ done: true }> {
  const { company_id: companyId, subject_id: subjectId, note_id: id, text } = input;
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const [credit] = await tx
      .select({ id: bankCredits.id })
      .from(bankCredits)
      .where(and(eq(bankCredits.companyId, companyId), eq(bankCredits.id, subjectId)));
    const [advance] = await tx
      .select({ id: advances.id })
      .from(advances)
      .where(and(eq(advances.companyId, companyId), eq(advances.id, subjectId)));
    const hasSurplus = subjectId === companyId && (await getSurplus(tx, companyId)) !== 0;
    const [payout] =
      companyId === NO_COMPANY
        ? await tx.select({ id: directDebitPayouts.id }).from(directDebitPayouts).where(eq(directDebitPayouts.id, subjectId))
        : [];
    const [unrecordedPayout] = await tx
      .select({ id: unrecordedPayouts.id })
      .from(unrecordedPayouts)
      .where(and(eq(unrecordedPayouts.companyId, companyId), eq(unrecordedPayouts.id, subjectId)));
    const [refund] = await tx
      .select({ id: invoiceRefunds.id })
      .from(invoiceRefunds)
      .where(and(eq(invoiceRefunds.companyId, companyId), eq(invoiceRefunds.id, subjectId)));
    if (!credit && !advance && !hasSurplus && !payout && !unrecordedPayout && !refund) throw createNotFoundError();
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
