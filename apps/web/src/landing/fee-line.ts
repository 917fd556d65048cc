import { termsOn } from '@portal/domain/advances/advance-terms.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { findPartner } from '@portal/domain/partners/partners.ts';
import { plainDate } from '@portal/domain/plain-date.ts';

/** What we charge a partner's visitors: the table's rate, the terms' minimum. */
export function feeLine(partner: string): string {
  // Not by the domain's clock: it brings a calendar library of 20 kB, and terms do not change at the hour between UTC and London.
  const today = plainDate(new Date().toISOString().slice(0, 10));
  const percent = findPartner(partner).feeRateBps / 100;
  const minimum = formatPounds(termsOn(today).minimumFeePence).replace(/\.00$/, '');
  return `${percent}% of your VAT refund, minimum ${minimum}`;
}
