/**
 * The VAT treatment of our fee. The fee is the discount at which we buy a refund before HMRC pays it, with recourse to the trader: HMRC
 * treats a factor's discount as consideration for an exempt supply of credit. A separately charged service would be taxable.
 */
import type { PlainDate } from '../plain-date.ts';
import { plainDate } from '../plain-date.ts';

/** `exempt`: an exempt supply to the trader. `outside_scope`: not a supply at all. We don't charge VAT in either case. */
export type FeeVatTreatment = {
  readonly from: PlainDate;
  readonly treatment: 'exempt' | 'outside_scope';
  /** Explains the effect on the trader, for documents. */
  readonly text: string;
  /** The source of the treatment. */
  readonly source: string;
};

/** In date order, newest last. A standard rate would also need VAT invoices, which we don't issue. */
const FEE_VAT_TREATMENTS: readonly FeeVatTreatment[] = [
  {
    from: plainDate('2020-01-01'),
    treatment: 'exempt',
    text: 'Our fee is exempt from VAT, so there’s no VAT on it to reclaim.',
    source: 'VAT Notice 701/49 section 5.3; VAT Act 1994, Schedule 9, Group 5, item 2',
  },
];

/** Returns the treatment of a fee charged on a day. */
export function getFeeVatTreatment(suppliedOn: PlainDate): FeeVatTreatment {
  const treatment = FEE_VAT_TREATMENTS.findLast(({ from }) => from <= suppliedOn) ?? FEE_VAT_TREATMENTS[0];
  if (!treatment) throw new RangeError('no VAT treatment of the fee');
  return treatment;
}
