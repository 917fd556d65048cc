import type { Tx } from '@portal/db/database.ts';
import { filings, type FilingReceipt } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { ReceiptSource } from '@portal/domain/vat-returns/return-state.ts';
import { and, eq, inArray, ne } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordFiledApproval } from '../return-approvals/record-filed-approval.ts';
import { enqueueFilingEmail } from './filing-email.ts';
import type { FilingRow } from './get-return.ts';
import { lockTaxpayer, recordTaxpayerAudit } from './taxpayer.ts';

export type FilingOutcome = {
  readonly state: 'accepted' | 'refused' | 'unknown' | 'not_received';
  readonly receipt?: FilingReceipt;
  readonly receiptSource?: ReceiptSource;
  readonly refusal?: string;
};

/**
 * Stores the outcome of an attempt. If HMRC has accepted a repayment return, also queues its quote; each owner gets an email. Once an
 * attempt has an outcome, only HMRC's own acceptance can change it: it completes an outcome found by reading, and overrules a finding that
 * HMRC didn't have the return.
 */
export async function saveFilingOutcome(deps: AppDeps, filing: FilingRow, outcome: FilingOutcome): Promise<void> {
  const now = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    // Lock this first, as every change to the return does: another attempt may hold it while waiting for this one's row.
    await lockTaxpayer(tx, filing);
    const [current] = await tx
      .select({ state: filings.state, receiptSource: filings.receiptSource })
      .from(filings)
      .where(and(eq(filings.companyId, filing.companyId), eq(filings.id, filing.id)))
      .for('update');
    if (!current) return;
    const isLive = current.state === 'sending' || current.state === 'unknown';
    if (outcome.receiptSource === 'answer') {
      if (current.receiptSource === 'read_back') return addReceipt(tx, filing, outcome, now);
      if (current.state === 'accepted') return;
      const laterAttempt = isLive ? undefined : await lockLaterAttempt(tx, filing);
      // The user filed again, and we then found this attempt's return, with the same boxes, at HMRC.
      if (laterAttempt?.state === 'accepted') return addReceipt(tx, laterAttempt, outcome, now);
      if (laterAttempt) await endSuperfluousAttempt(tx, laterAttempt, now);
    } else if (!isLive) return;
    await tx
      .update(filings)
      .set({ refusal: null, ...outcome, ...(outcome.state === 'unknown' ? {} : { settledAt: now }) })
      .where(and(eq(filings.companyId, filing.companyId), eq(filings.id, filing.id)));
    await recordTaxpayerAudit(tx, filing, {
      at: now,
      actor: 'hmrc',
      action: `return.${outcome.state}`,
      subject: filing.obligationId,
      after: { receipt: outcome.receipt ?? null, source: outcome.receiptSource ?? null, refusal: outcome.refusal ?? null },
    });
    if (outcome.state !== 'accepted') return;
    await enqueueFilingEmail(deps, tx, filing, outcome.receipt);
    await recordFiledApproval(tx, filing, now);
    if (filing.practiceId === null && filing.boxes.direction === 'repayment') {
      await deps.enqueue(tx, 'advance.quote', { company_id: filing.companyId, obligation_id: filing.obligationId });
    }
  });
}

/** Locks the live or accepted attempt that followed one considered not received. */
async function lockLaterAttempt(tx: Tx, { companyId, id, obligationId }: FilingRow): Promise<FilingRow | undefined> {
  const [otherAttempt] = await tx
    .select()
    .from(filings)
    .where(
      and(
        eq(filings.companyId, companyId),
        eq(filings.obligationId, obligationId),
        ne(filings.id, id),
        inArray(filings.state, ['sending', 'unknown', 'accepted']),
      ),
    )
    .for('update');
  return otherAttempt;
}

/**
 * HMRC accepts only one return per period, so a second attempt can no longer file anything, whether it is still waiting or has already been
 * sent.
 */
async function endSuperfluousAttempt(tx: Tx, filing: FilingRow, at: Instant): Promise<void> {
  const { companyId, id, obligationId } = filing;
  const refusal = 'HMRC had already accepted your earlier attempt, so nothing was filed this time.';
  await tx
    .update(filings)
    .set({ state: 'refused', refusal, settledAt: at })
    .where(and(eq(filings.companyId, companyId), eq(filings.id, id)));
  await recordTaxpayerAudit(tx, filing, { at, actor: 'hmrc', action: 'return.refused', subject: obligationId, after: { refusal } });
}

/** Someone found the return at HMRC before HMRC's response was stored. */
async function addReceipt(tx: Tx, filing: FilingRow, { receipt, receiptSource }: FilingOutcome, at: Instant): Promise<void> {
  await tx
    .update(filings)
    .set({ receipt: receipt ?? null, receiptSource: receiptSource ?? null })
    .where(and(eq(filings.companyId, filing.companyId), eq(filings.id, filing.id)));
  const { obligationId: subject } = filing;
  await recordTaxpayerAudit(tx, filing, {
    at,
    actor: 'hmrc',
    action: 'return.receipt_added',
    subject,
    after: { receipt: receipt ?? null },
  });
}
