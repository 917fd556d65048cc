/** Evaluates whether HMRC's figures show that it still owes a refund in full. */
import { formatPounds, pence, type Pence } from '../money.ts';
import { addDays, formatDate, type PlainDate } from '../plain-date.ts';
import type { AdvanceTerms } from './advance-terms.ts';

/** The charge for a return in HMRC's list. Negative amounts are owed by HMRC; `outstanding` is 0 once cleared. */
export type RefundCharge = { readonly original: Pence; readonly outstanding: Pence };

/**
 * `receivedOn`: the day HMRC received the return; undefined if it hasn't. `charge`: omitted while HMRC's list doesn't show one for the
 * return.
 */
export type RefundAtHmrc = { readonly receivedOn: PlainDate | undefined; readonly charge?: RefundCharge };

/** The outcome of one check, in the form an eligibility rule returns. */
export type RefundFinding = { readonly outcome: 'pass' | 'fail' | 'review'; readonly finding: string; readonly how_to_fix: string };

/**
 * HMRC shows a return about a day after it was filed, and a repayment takes three working days after its approval (docs/reference/hmrc.md
 * section 8). Until then, a refund that isn't listed can't have been repaid; afterwards, it may have been repaid and removed from the list.
 */
export const LISTED_WITHIN_DAYS = 4;

const NOTHING_LEFT_TO_ADVANCE = 'There’s no refund to advance. HMRC has already repaid it, or set it off against a debt.';

/**
 * Evaluates whether the refund is still to come, based on HMRC's list of charges; no HMRC API reports "sent for payment"
 * (docs/reference/hmrc.md section 8). We must never buy a refund that HMRC has repaid, reduced or set off.
 */
export function evaluateRefundAtHmrc(
  refund: Pence,
  { receivedOn, charge }: RefundAtHmrc,
  terms: AdvanceTerms,
  today: PlainDate,
): RefundFinding {
  if (receivedOn === undefined) {
    return {
      outcome: 'fail',
      finding: 'HMRC’s records don’t show when it received the return.',
      how_to_fix: 'Refresh the figures from HMRC tomorrow.',
    };
  }
  if (charge !== undefined && charge.outstanding === 0) {
    return { outcome: 'fail', finding: 'HMRC’s records show nothing left to repay for this period.', how_to_fix: NOTHING_LEFT_TO_ADVANCE };
  }
  if (charge !== undefined && (charge.original !== -refund || charge.outstanding !== -refund))
    return toChangedRefundFinding(refund, charge);
  const isLate = addDays(receivedOn, terms.hmrcRepaysWithinDays) < today;
  const since = `HMRC received the return on ${formatDate(receivedOn)}`;
  if (!isLate && charge === undefined && addDays(receivedOn, LISTED_WITHIN_DAYS) < today) {
    return {
      outcome: 'review',
      finding: `${since}, but its records don’t show the refund yet. It may have repaid it already.`,
      how_to_fix: 'One of our team will review it. You don’t need to do anything.',
    };
  }
  if (!isLate) return { outcome: 'pass', finding: `${since} and hasn’t repaid it yet.`, how_to_fix: '' };
  const lateReason = `${since}, more than ${terms.hmrcRepaysWithinDays} days ago. It usually repays sooner.`;
  if (charge === undefined) {
    return {
      outcome: 'fail',
      finding: `${lateReason} Its records show nothing owed for this period.`,
      how_to_fix: 'Ask HMRC about the refund. We can still buy your next one.',
    };
  }
  return {
    outcome: 'review',
    finding: `${lateReason} It hasn’t repaid the refund yet.`,
    how_to_fix: 'One of our team will review it. You don’t need to do anything.',
  };
}

function toChangedRefundFinding(refund: Pence, charge: RefundCharge): RefundFinding {
  const shownAmount =
    charge.outstanding < 0 ? `${formatPounds(pence(-charge.outstanding))} to repay` : `${formatPounds(charge.outstanding)} to pay`;
  return {
    outcome: 'fail',
    finding: `HMRC’s records show ${shownAmount} for this period, but the return says ${formatPounds(refund)} to repay.`,
    how_to_fix:
      'HMRC has changed the figure or set some of it off against a debt. Its letter to you explains why. We can’t buy this refund.',
  };
}
