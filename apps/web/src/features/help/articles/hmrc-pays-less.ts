import type { Article } from './article.ts';

export const HMRC_PAYS_LESS: Article = {
  key: 'hmrc-pays-less',
  title: 'If HMRC asks questions, is late or doesn’t repay in full',
  group: 'If something goes wrong',
  product: 'instant_vat',
  pages: ['advance'],
  words:
    'why late slow delayed track missing query inquiry adjusted shortfall set off debt suspended difference direct debit collect instalments reference pay dispute',
  write: ({ terms }) => [
    {
      table: {
        caption: 'What HMRC might do, and what it means for you',
        head: ['If HMRC…', 'What it means for you'],
        rows: [
          [
            'asks a question',
            `HMRC’s ${terms.hmrcRepaysWithinDays}-day clock pauses until you answer, so reply soon. You keep the money we paid.`,
          ],
          [
            'is late',
            'You keep the money we paid. To see how far the claim is, sign in to your VAT account on HMRC’s website and track the repayment there.',
          ],
          [
            'repays less than you claimed',
            `You owe us the difference. We email you the amount and the date at least ${terms.shortfallNoticeDays} days before it’s due.`,
          ],
          ['sets the refund against a debt', 'Your debt to HMRC goes down by that amount, and you owe us the same amount.'],
          ['decides that you owe VAT instead', 'You owe us the whole refund. You can still appeal to HMRC.'],
          ['withholds the refund until you file a return', 'File the missing return. HMRC will then process the refund.'],
        ],
      },
    },
    'Your refund’s page shows what we know, how much is missing and what happens next. HMRC doesn’t give us the cause, so we say what its figures suggest.',
    {
      table: {
        caption: 'How to pay a shortfall',
        head: ['You can…', 'How it works'],
        rows: [
          ['pay by bank transfer', 'Quote the reference on your refund’s page, so that we can match your payment.'],
          ['set up a Direct Debit, if we offer it', 'We email you the amount and date before each collection.'],
          ['pay in two or three monthly instalments', 'Without interest or fees, for limited companies and LLPs.'],
          ['let us take it off your next early refund', 'You see the amount before you accept that offer.'],
          ['dispute it', 'We stop collecting until we’ve replied.'],
        ],
      },
    },
  ],
};
