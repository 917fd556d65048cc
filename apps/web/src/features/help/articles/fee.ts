import { priceRefund } from '@portal/domain/advances/price-refund.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import type { Article } from './article.ts';

const EXAMPLES_PENCE = [400_00, 500_00, 4_000_00, 12_340_55, 60_000_00] as const;

export const FEE_ARTICLE: Article = {
  key: 'fee',
  title: 'What it costs',
  group: 'Early refunds',
  product: 'instant_vat',
  pages: ['advance', 'instantVatLanding'],
  words: 'price charge percent minimum cost pounds commission',
  write: ({ terms, feeRateBps }) => [
    `Our fee is ${feeRateBps / 100}% of the refund, with a minimum of ${formatPounds(terms.minimumFeePence)}, rounded to the penny. We take it out of the refund, so you never pay us upfront. If a partner referred you, the offer says so and shows their rate.`,
    {
      table: {
        caption: 'Example fees',
        head: ['Refund', 'Our fee', 'You receive'],
        rows: EXAMPLES_PENCE.flatMap((refund) => {
          const price = priceRefund(pence(refund), feeRateBps, terms.minimumFeePence);
          return price ? [[formatPounds(price.refund), formatPounds(price.fee), formatPounds(price.net)]] : [];
        }),
      },
    },
    'Filing returns, seeing your figures and getting an offer are free. You don’t pay anything if you don’t accept the offer.',
  ],
};
