/**
 * Infers why a refund was repaid short, to the extent that HMRC's figures show it. HMRC's APIs link neither a repayment to its return nor a
 * set-off to its debt (docs/reference/hmrc.md section 8), so every text says "HMRC’s figures suggest".
 */
import type { RefundCharge } from '../advances/refund-at-hmrc.ts';
import { formatPounds, pence, ZERO, type Pence } from '../money.ts';

/**
 * `late`: nothing arrived by the expected day. `cleared`: HMRC shows nothing left to repay, but no payment has arrived. `mandate_failed`:
 * the Direct Debit mandate required for the payout has ended. `unknown`: less arrived, and HMRC's figures don't show why.
 */
export const SHORTFALL_CAUSES = ['late', 'reduced', 'set_off', 'charge', 'cleared', 'mandate_failed', 'unknown'] as const;
export type ShortfallCause = (typeof SHORTFALL_CAUSES)[number];

export type InferredCause = {
  readonly cause: Extract<ShortfallCause, 'reduced' | 'set_off' | 'charge' | 'cleared'>;
  /** A sentence for both the trader and operators. */
  readonly text: string;
  /** The part of the refund that HMRC apparently won't repay. */
  readonly missing: Pence;
};

export type HmrcFigures = {
  readonly refund: Pence;
  /** The return's charge in HMRC's newest list; undefined if it isn't listed. */
  readonly charge: RefundCharge | undefined;
  /** True if HMRC listed that charge earlier. */
  readonly wasListed: boolean;
  /** How far the trader's other debts have fallen without a payment from the trader since HMRC last showed the refund as owed in full. */
  readonly debtsCleared: Pence;
};

/** Returns undefined if HMRC's figures agree with the refund we bought, or don't mention it. */
export function inferCause({ refund, charge, wasListed, debtsCleared }: HmrcFigures): InferredCause | undefined {
  if (charge === undefined && !wasListed) return undefined;
  if (charge === undefined) {
    const explanation =
      'HMRC’s figures suggest that it has paid or cancelled the refund, because the refund is no longer listed. We haven’t received anything.';
    return { cause: 'cleared', text: explanation, missing: ZERO };
  }
  if (charge.original > 0) {
    const explanation = `HMRC’s figures suggest that the return now shows ${formatPounds(charge.original)} to pay to HMRC, so there will be no refund.`;
    return { cause: 'charge', text: explanation, missing: refund };
  }
  const setOffLimit = pence(-charge.original);
  const remaining = pence(Math.max(0, -charge.outstanding));
  if (setOffLimit < refund) {
    const explanation = `HMRC’s figures suggest that it reduced the refund from ${formatPounds(refund)} to ${formatPounds(setOffLimit)}.`;
    return { cause: 'reduced', text: explanation, missing: pence(refund - setOffLimit) };
  }
  if (remaining >= refund) return undefined;
  // The refund is being paid out or set off. The part that HMRC still shows as owed can't have been used for a debt.
  const missingPence = pence(refund - remaining);
  const setOff = remaining > 0 ? missingPence : pence(Math.min(missingPence, debtsCleared));
  if (setOff > 0) {
    const explanation = `HMRC’s figures suggest that it set ${formatPounds(setOff)} of the refund off against other VAT you owed.`;
    return { cause: 'set_off', text: explanation, missing: setOff };
  }
  return { cause: 'cleared', text: 'HMRC’s figures suggest that it has paid the refund, but we haven’t received it.', missing: ZERO };
}

/** One charge in HMRC's list, identified by its type and period, because HMRC doesn't give it an id. */
export type ListedDebt = { readonly key: string; readonly outstanding: Pence };

/** Returns how far debts fell between two lists, beyond the trader's payments in between. A debt that is no longer listed was cleared. */
export function sumDebtsCleared(before: readonly ListedDebt[], after: readonly ListedDebt[], paidSinceFirstList: Pence): Pence {
  const outstandingAfter = new Map<string, number>();
  for (const { key, outstanding } of after) outstandingAfter.set(key, (outstandingAfter.get(key) ?? 0) + Math.max(0, outstanding));
  const outstandingBefore = new Map<string, number>();
  for (const { key, outstanding } of before) outstandingBefore.set(key, (outstandingBefore.get(key) ?? 0) + Math.max(0, outstanding));
  let clearedAmount = 0;
  for (const [key, outstanding] of outstandingBefore) clearedAmount += Math.max(0, outstanding - (outstandingAfter.get(key) ?? 0));
  return pence(Math.max(0, clearedAmount - paidSinceFirstList));
}
