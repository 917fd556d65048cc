/**
 * GoCardless's payouts: the amounts collected, less its fees and payments that failed or were charged back after an earlier payout
 * (developer.gocardless.com/api-reference, "Payouts" and "Payout Items").
 */
import { formatPounds, pence, sumPence, type Pence } from '../money.ts';

/** `pending`: announced. `paid`: sent to our bank. `bounced`: our bank returned it, and GoCardless may try again. */
export const PAYOUT_STATUSES = ['pending', 'paid', 'bounced'] as const;
export type DirectDebitPayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** The amount of a Direct Debit: positive when it is paid out, negative when it is withheld again. */
const DEBIT_ITEMS: readonly string[] = ['payment_paid_out', 'payment_failed', 'payment_charged_back'];
/** GoCardless's charges (negative) and refunded charges (positive), including VAT. */
const FEE_ITEMS: readonly string[] = ['gocardless_fee', 'app_fee', 'surcharge_fee'];

export type PayoutItem = {
  /** GoCardless's type, for example "payment_paid_out". */
  readonly type: string;
  readonly paymentId: string | undefined;
  /** In tenths of a penny, because GoCardless's fees can be fractions of a penny. Positive means in our favour. */
  readonly tenths: number;
};

export type PayoutFacts = { readonly net: Pence; readonly currency: string; readonly items: readonly PayoutItem[] };

/** One company's share: `net` is `gross` less `fee`. Each may be negative if more is withheld than paid. */
export type PayoutShare = { readonly companyId: string; readonly gross: Pence; readonly fee: Pence };

const isDebitItem = ({ type }: PayoutItem): boolean => DEBIT_ITEMS.includes(type);

/** Returns the amount that GoCardless collected in a payout, less the amount withheld, before fees. */
export function getGross(items: readonly PayoutItem[]): Pence {
  return sumPence(items.filter(isDebitItem).map(({ tenths }) => pence(Math.round(tenths / 10))));
}

/**
 * Returns a sentence explaining why a payout can't be posted; undefined if it can. `findCompany` returns a payment's company, or undefined if
 * it isn't one of ours.
 */
export function findPayoutProblem(
  { net, currency, items }: PayoutFacts,
  findCompany: (paymentId: string) => string | undefined,
): string | undefined {
  if (currency !== 'GBP') return `It’s in ${currency}, not in pounds.`;
  for (const item of items) {
    if (!isDebitItem(item) && !FEE_ITEMS.includes(item.type)) return `It has an item of an unknown type, “${item.type}”.`;
    if (item.paymentId === undefined) return `It has an item of type “${item.type}” with no payment.`;
    if (findCompany(item.paymentId) === undefined) return `Payment ${item.paymentId} in it isn’t one of our Direct Debits.`;
    if (isDebitItem(item) && item.tenths % 10 !== 0) return `Payment ${item.paymentId} in it isn’t a whole number of pence.`;
  }
  // Items are exact to a tenth of a penny, and the payout is their rounded sum.
  const tenths = items.reduce((sum, item) => sum + item.tenths, 0);
  if (Math.abs(tenths - net * 10) > 5)
    return `Its items add up to ${formatPounds(pence(Math.round(tenths / 10)))}, but the payout is ${formatPounds(pence(net))}.`;
  return undefined;
}

/** Returns each company's share of a payout that can be posted. The shares add up to the payout, to the penny. */
export function splitPayout(
  { net, items }: Pick<PayoutFacts, 'net' | 'items'>,
  findCompany: (paymentId: string) => string | undefined,
): PayoutShare[] {
  const companies = [...new Set(items.map(({ paymentId }) => findCompany(paymentId ?? '') ?? ''))].toSorted();
  const totalFee = getGross(items) - net;
  let exactFee = 0;
  let allocatedFee = 0;
  return companies.map((companyId, index) => {
    const companyItems = items.filter(({ paymentId }) => findCompany(paymentId ?? '') === companyId);
    exactFee -= companyItems.filter((item) => !isDebitItem(item)).reduce((sum, { tenths }) => sum + tenths, 0);
    const feeSoFar = index === companies.length - 1 ? totalFee : Math.round(exactFee / 10);
    const fee = pence(feeSoFar - allocatedFee);
    allocatedFee = feeSoFar;
    return { companyId, gross: getGross(companyItems), fee };
  });
}
