import type { Article } from './article.ts';

export const TIMING: Article = {
  key: 'timing',
  title: 'How long everything takes',
  group: 'Your refund, early',
  product: 'instant_vat',
  pages: ['dashboard', 'advance'],
  words: 'when time days hours wait late 24 30 working delay query inquiry',
  write: ({ terms }) => [
    {
      table: {
        caption: 'How long each part takes',
        head: ['What', 'How long'],
        rows: [
          ['HMRC’s receipt for a return', 'At once'],
          ['Our offer', 'Within moments of the receipt'],
          ['An offer stands', `${terms.quoteValidDays} days`],
          ['Our payment', `Within ${terms.payWithinHours} hours of your acceptance and of HMRC having the collection account`],
          ['Compared with waiting for HMRC', 'Always at least 3 working days faster'],
          ['HMRC’s repayment', `Usually within ${terms.hmrcRepaysWithinDays} days of the filing`],
        ],
      },
    },
    `HMRC counts its ${terms.hmrcRepaysWithinDays} days from the day it receives the return. Days that it spends asking you questions do not count. After it approves a repayment, the money takes about 3 working days to reach a bank account.`,
    'If HMRC takes longer, that is our wait and not yours: you have your money.',
  ],
};
