import type { Article } from './article.ts';

export const HMRC_PAYS_LESS: Article = {
  key: 'hmrc-pays-less',
  title: 'If HMRC asks questions, or doesn’t repay in full',
  group: 'If something goes wrong',
  product: 'instant_vat',
  pages: ['advance'],
  words: 'query inquiry adjusted shortfall set off debt suspended difference direct debit collect',
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
          ['repays less than you claimed', 'You owe us the difference. We’ll write to you before we collect anything.'],
          ['sets the refund against a debt', 'Your debt to HMRC goes down by that amount, and you owe us the same amount.'],
          ['decides that you owe VAT instead', 'You owe us the whole refund. You can still appeal to HMRC.'],
          ['holds the refund until you file a return', 'File the missing return. HMRC then carries on.'],
        ],
      },
    },
    'Your advance’s page shows which of these applies, how much is missing and what happens next.',
  ],
};
