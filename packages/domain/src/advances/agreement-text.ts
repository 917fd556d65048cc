import { formatPounds } from '../money.ts';
import { formatDate, type PlainDate } from '../plain-date.ts';
import { formatVrn } from '../uk-tax/references/vrn.ts';
import type { Price } from './price-refund.ts';

export type AgreementFacts = {
  readonly brand: string;
  readonly companyName: string;
  readonly vrn: string;
  readonly periodStart: PlainDate;
  readonly periodEnd: PlainDate;
  readonly price: Price;
  readonly feeRateBps: number;
  readonly payWithinHours: number;
  /** The day HMRC received a return filed with other software; null if we filed it. */
  readonly foundOn: PlainDate | null;
};

/**
 * The agreement text, frozen with the quote: what is sold, the price, and what happens if HMRC pays a different amount. Plain text, one
 * paragraph per line.
 */
export function writeAgreement(facts: AgreementFacts): string {
  const { brand, companyName, vrn, price } = facts;
  const period = `${formatDate(facts.periodStart)} to ${formatDate(facts.periodEnd)}`;
  const isFound = facts.foundOn !== null;
  const basis = facts.foundOn === null ? '' : `, by the return that HMRC received on ${formatDate(facts.foundOn)} and has shown to us`;
  return [
    'Agreement for the purchase of a VAT refund',
    `1. What is sold. ${companyName} (VAT number ${formatVrn(vrn)}, “you”) sells to ${brand} (“we”) the right to the VAT repayment that HM Revenue & Customs owes for the period ${period}: ${formatPounds(price.refund)}${basis}. This is a sale, not a loan.`,
    `2. What we pay. We pay ${formatPounds(price.net)}: the refund of ${formatPounds(price.refund)} less our fee of ${formatPounds(price.fee)} (${facts.feeRateBps / 100}% of the refund, at least £5). We pay it within ${facts.payWithinHours} hours of your acceptance to the bank account you gave us, once HMRC holds the collection account described in clause 3.`,
    '3. How the money comes back. HMRC repays only to an account in your own name. We open a collection account in your name with our payments provider and you give us a mandate over it. You ask HMRC, in HMRC’s own service, to make repayments to that account, and you don’t change this until this refund has arrived.',
    '4. If HMRC pays less, or nothing. If HMRC reduces the refund, sets it off against another debt, suspends it or refuses it, you pay us the difference. We collect it by Direct Debit, after letting you know the amount and the date.',
    '5. If HMRC pays more. Any repayment interest, and any other amount above the refund that reaches the collection account, is yours. We pass it on to you.',
    `6. What you confirm. You confirm that the return${isFound ? ', filed with other software,' : ''} is true and complete, ${isFound ? 'that HMRC has not repaid it and has not notified you of a change to it, ' : ''}that you have not sold this refund to anyone else, and that you have disclosed to us every debt to HMRC that you know of.`,
    '7. Changing your mind. You can withdraw free of charge at any time before we have paid.',
  ].join('\n');
}
