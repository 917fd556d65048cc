import { formatPounds } from '@portal/domain/money.ts';
import type { Article } from './article.ts';

export const HOW_IT_WORKS: Article = {
  key: 'how-it-works',
  title: 'How to get your refund early',
  group: 'Early refunds',
  product: 'instant_vat',
  pages: ['dashboard', 'advance', 'demo', 'instantVatLanding', 'getStarted'],
  words: 'advance instant payout buy purchase loan collection account',
  write: ({ brand, terms }) => [
    `When HMRC owes you a VAT refund, ${brand} can buy it from you. We pay you first, then keep HMRC’s payment when it arrives. It isn’t a loan, so there’s no interest and nothing to repay in instalments.`,
    {
      steps: [
        'File your return here. HMRC accepts it straight away.',
        `We check the refund and make you an offer. It’s valid for ${terms.quoteValidDays} days.`,
        'Read the agreement and accept it. You can withdraw free of charge until we’ve sent the payment.',
        'We open a collection account in your company’s name. You ask HMRC to pay your refund into it, using HMRC’s own service, then confirm here that you’ve done so.',
        `We pay you within ${terms.payWithinHours} hours of you accepting and HMRC having the account.`,
        `HMRC repays, usually within ${terms.hmrcRepaysWithinDays} days of filing. This settles the advance, and you can give HMRC your usual account details again.`,
      ],
    },
    `We manually review refunds above ${formatPounds(terms.reviewAbovePence)} and anything unusual. That’s included in the ${terms.payWithinHours} hours.`,
    { link: { label: 'See an example with made-up figures in the demo', page: 'demo' } },
  ],
};
