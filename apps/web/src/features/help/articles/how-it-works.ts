import { formatPounds } from '@portal/domain/money.ts';
import type { Article } from './article.ts';

export const HOW_IT_WORKS: Article = {
  key: 'how-it-works',
  title: 'How you get your refund early',
  group: 'Your refund, early',
  product: 'instant_vat',
  pages: ['dashboard', 'advance', 'demo', 'instantVatLanding', 'getStarted'],
  words: 'advance instant payout buy purchase loan collection account',
  write: ({ brand, terms }) => [
    `When your VAT return ends in a refund, ${brand} can buy the refund from you: we pay you first, and HMRC’s payment is ours when it comes. It is a purchase and not a loan, so there is no interest and nothing to pay back in instalments.`,
    {
      steps: [
        'You file the return here. HMRC accepts it at once.',
        `We check the refund and make you an offer. It stands for ${terms.quoteValidDays} days.`,
        'You read the agreement and accept it. Until the money has left you can withdraw free of charge.',
        'We open a collection account in your company’s name. You tell HMRC to repay into it, in HMRC’s own service, and confirm that here.',
        `We pay you within ${terms.payWithinHours} hours of your acceptance and of HMRC having the account.`,
        `HMRC repays, usually within ${terms.hmrcRepaysWithinDays} days of the filing. The advance is settled, and you can give HMRC your usual account again.`,
      ],
    },
    `A person looks at refunds above ${formatPounds(terms.reviewAbovePence)} and at anything unusual. That is part of the ${terms.payWithinHours} hours.`,
    { link: { label: 'See it with made-up figures in the demo', page: 'demo' } },
  ],
};
