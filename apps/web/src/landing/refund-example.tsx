import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { priceRefund } from '@portal/domain/advances/price-refund.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { Example, ExampleLine } from './landing-sections.tsx';

const EXAMPLE_REFUND = pence(12_340_55);

/** An example refund, priced by the same function as a real offer. */
export function RefundExample({ title, feeRateBps }: { title: string; feeRateBps: number }) {
  const terms = getAdvanceTerms(plainDate('2026-01-01'));
  const price = priceRefund(EXAMPLE_REFUND, feeRateBps, terms.minimumFeePence);
  if (!price) return null;
  return (
    <Example
      title={title}
      note={`After you accept our offer. Always at least 3 working days faster. HMRC usually repays within ${terms.hmrcRepaysWithinDays} days.`}
    >
      <ExampleLine name="HMRC owes you" figure={formatPounds(price.refund)} />
      <ExampleLine name={`Our fee, ${feeRateBps / 100}%`} figure={formatPounds(pence(-price.fee))} />
      <ExampleLine name="We’ll pay you" figure={formatPounds(price.net)} isTotal />
      <ExampleLine name="In your bank account" figure={`In as little as ${terms.payWithinHours} hours`} />
    </Example>
  );
}
