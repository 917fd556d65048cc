import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { plainDate } from '@portal/domain/plain-date.ts';

/** Formats the fee for a partner's visitors: the rate in the partner table and the minimum of the current terms. */
export function formatFeeLine(partner: string): string {
  // Don't use the domain's clock, which loads a 20 kB calendar library. Terms don't change in the hour between UTC and London time.
  const today = plainDate(new Date().toISOString().slice(0, 10));
  const percent = getPartner(partner).feeRateBps / 100;
  const minimum = formatPounds(getAdvanceTerms(today).minimumFeePence).replace(/\.00$/, '');
  return `${percent}% of your VAT refund, minimum ${minimum}`;
}
