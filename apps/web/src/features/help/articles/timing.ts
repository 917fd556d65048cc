import type { Article } from './article.ts';

export const TIMING: Article = {
  key: 'timing',
  title: 'How long it takes',
  group: 'Early refunds',
  product: 'instant_vat',
  pages: ['dashboard', 'advance'],
  words: 'when time days hours wait late slow delayed refund 24 30 working delay query inquiry',
  write: ({ terms }) => [
    {
      table: {
        caption: 'How long each step takes',
        head: ['Step', 'How long'],
        rows: [
          ['HMRC’s receipt for a return', 'Straight away'],
          ['Our offer', 'Moments after HMRC’s receipt'],
          ['Time to accept an offer', `${terms.quoteValidDays} days`],
          ['Our payment', `Within ${terms.payWithinHours} hours of you accepting and HMRC having the collection account`],
          ['Compared with waiting for HMRC', 'Always at least 3 working days faster'],
          ['HMRC’s repayment', `Usually within ${terms.hmrcRepaysWithinDays} days of filing`],
        ],
      },
    },
    `HMRC counts its ${terms.hmrcRepaysWithinDays} days from the day it receives the return, not including days it spends asking you questions. Once it approves a repayment, the money takes about 3 working days to reach a bank account.`,
    'If HMRC takes longer, you don’t have to wait: you already have your money. To see how far the claim is, sign in to your VAT account on HMRC’s website and track the repayment there.',
  ],
};
