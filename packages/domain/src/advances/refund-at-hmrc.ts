/** What HMRC shows of a refund after it has the return: whether it is still owed, and in full. */
import { formatPounds, pence, type Pence } from '../money.ts';
import { addDays, formatDate, type PlainDate } from '../plain-date.ts';
import type { AdvanceTerms } from './advance-terms.ts';

/** An entry of HMRC's list of charges that belongs to a return; negative amounts are what HMRC owes. `outstanding` is 0 where nothing is left. */
export type RefundCharge = { readonly original: Pence; readonly outstanding: Pence };

/** `receivedOn`: the day HMRC got the return; undefined where it has not. `charge`: left out where HMRC's list shows none for the return yet. */
export type RefundAtHmrc = { readonly receivedOn: PlainDate | undefined; readonly charge?: RefundCharge };

/** One finding, as a rule of the advance's list has it. */
export type RefundFinding = { readonly outcome: 'pass' | 'fail' | 'review'; readonly finding: string; readonly mend: string };

const REPAID_AS_USUAL = 'There is nothing to bring forward: HMRC has repaid it, or set it off against a debt.';

/**
 * Whether the refund is still to come, as far as HMRC's own list tells (no vendor's call says "sent for payment": reference/hmrc FACTS
 * section 8). A refund that HMRC has repaid, cut or set off must never be bought.
 */
export function judgeRefundAtHmrc(
  refund: Pence,
  { receivedOn, charge }: RefundAtHmrc,
  terms: AdvanceTerms,
  today: PlainDate,
): RefundFinding {
  if (receivedOn === undefined) {
    return { outcome: 'fail', finding: 'HMRC does not show when it received the return.', mend: 'Refresh the figures from HMRC in a day.' };
  }
  if (charge !== undefined && charge.outstanding === 0) {
    return { outcome: 'fail', finding: 'HMRC shows nothing left to repay for this period.', mend: REPAID_AS_USUAL };
  }
  if (charge !== undefined && (charge.original !== -refund || charge.outstanding !== -refund)) return changed(refund, charge);
  const isLate = addDays(receivedOn, terms.hmrcRepaysWithinDays) < today;
  const since = `HMRC received the return on ${formatDate(receivedOn)}`;
  if (!isLate) return { outcome: 'pass', finding: `${since} and shows no repayment yet.`, mend: '' };
  const late = `${since}, more than ${terms.hmrcRepaysWithinDays} days ago, and usually repays sooner.`;
  if (charge === undefined) {
    return {
      outcome: 'fail',
      finding: `${late} It shows nothing owed for this period.`,
      mend: 'Ask HMRC where the refund is. We buy the next one.',
    };
  }
  return { outcome: 'review', finding: `${late} It still owes the refund.`, mend: 'One of our team looks at it; you need do nothing.' };
}

function changed(refund: Pence, charge: RefundCharge): RefundFinding {
  const shown =
    charge.outstanding < 0 ? `${formatPounds(pence(-charge.outstanding))} to repay` : `${formatPounds(charge.outstanding)} to pay`;
  return {
    outcome: 'fail',
    finding: `HMRC shows ${shown} for this period, and the return says ${formatPounds(refund)} to repay.`,
    mend: 'HMRC has changed the figure or set some of it off. Its letter says why; we cannot buy this refund.',
  };
}
