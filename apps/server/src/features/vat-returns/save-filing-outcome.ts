import { filings, type FilingReceipt } from '@portal/db/schema/schema.ts';
import { and, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueFilingEmail } from './filing-email.ts';
import type { FilingRow } from './get-return.ts';

export type FilingOutcome = {
  readonly state: 'accepted' | 'refused' | 'unknown' | 'not_received';
  readonly receipt?: FilingReceipt;
  readonly receiptSource?: 'answer' | 'read_back';
  readonly refusal?: string;
};

/** Stores the outcome of an attempt. An accepted repayment return also queues its quote, and each owner gets an email. An attempt with an outcome does not change. */
export async function saveFilingOutcome(deps: AppDeps, filing: FilingRow, outcome: FilingOutcome): Promise<void> {
  const now = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const [current] = await tx
      .select({ state: filings.state })
      .from(filings)
      .where(and(eq(filings.companyId, filing.companyId), eq(filings.id, filing.id)))
      .for('update');
    if (current?.state !== 'sending' && current?.state !== 'unknown') return;
    await tx
      .update(filings)
      .set({ ...outcome, ...(outcome.state === 'unknown' ? {} : { settledAt: now }) })
      .where(and(eq(filings.companyId, filing.companyId), eq(filings.id, filing.id)));
    await recordAudit(tx, {
      companyId: filing.companyId,
      at: now,
      actor: 'hmrc',
      action: `return.${outcome.state}`,
      subject: filing.obligationId,
      after: { receipt: outcome.receipt ?? null, source: outcome.receiptSource ?? null, refusal: outcome.refusal ?? null },
    });
    if (outcome.state === 'accepted') await enqueueFilingEmail(deps, tx, filing, outcome.receipt);
    if (outcome.state === 'accepted' && filing.boxes.direction === 'repayment') {
      await deps.enqueue(tx, 'advance.quote', { company_id: filing.companyId, obligation_id: filing.obligationId });
    }
  });
}
