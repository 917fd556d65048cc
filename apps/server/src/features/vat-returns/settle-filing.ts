import { filings, type FilingReceipt } from '@portal/db/schema/schema.ts';
import { and, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { FilingRow } from './get-return.ts';

export type Settlement = {
  readonly state: 'accepted' | 'refused' | 'unknown' | 'not_received';
  readonly receipt?: FilingReceipt;
  readonly receiptSource?: 'answer' | 'read_back';
  readonly refusal?: string;
};

/** Stores the outcome of an attempt. An accepted repayment return also queues its quote. An attempt with an outcome does not change. */
export async function settleFiling(deps: AppDeps, filing: FilingRow, settlement: Settlement): Promise<void> {
  const now = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const [present] = await tx
      .select({ state: filings.state })
      .from(filings)
      .where(and(eq(filings.companyId, filing.companyId), eq(filings.id, filing.id)))
      .for('update');
    if (present?.state !== 'sending' && present?.state !== 'unknown') return;
    await tx
      .update(filings)
      .set({ ...settlement, ...(settlement.state === 'unknown' ? {} : { settledAt: now }) })
      .where(and(eq(filings.companyId, filing.companyId), eq(filings.id, filing.id)));
    await recordAudit(tx, {
      companyId: filing.companyId,
      at: now,
      actor: 'hmrc',
      action: `return.${settlement.state}`,
      subject: filing.obligationId,
      after: { receipt: settlement.receipt ?? null, source: settlement.receiptSource ?? null, refusal: settlement.refusal ?? null },
    });
    if (settlement.state === 'accepted' && filing.boxes.direction === 'repayment') {
      await deps.enqueue(tx, 'advance.quote', { company_id: filing.companyId, obligation_id: filing.obligationId });
    }
  });
}
