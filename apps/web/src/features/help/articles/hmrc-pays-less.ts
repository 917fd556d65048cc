import type { Article } from './article.ts';

export const HMRC_PAYS_LESS: Article = {
  key: 'hmrc-pays-less',
  title: 'When HMRC asks, pays less or pays nothing',
  group: 'When something goes wrong',
  product: 'instant_vat',
  pages: ['advance'],
  words: 'query inquiry adjusted shortfall set off debt suspended difference direct debit collect',
  write: ({ terms }) => [
    {
      table: {
        caption: 'What HMRC may do, and what it means',
        head: ['What HMRC does', 'What it means for you'],
        rows: [
          [
            'Asks a question',
            `Its ${terms.hmrcRepaysWithinDays} days stand still until you have answered. Answer soon; you keep the money we paid.`,
          ],
          ['Repays less than you claimed', 'The difference is due from you. We write to you before we collect anything.'],
          ['Sets the refund off against a debt', 'Your debt at HMRC is smaller by that sum, which is then due to us.'],
          ['Decides that you owe it instead', 'The whole refund is due from you; you keep the right to appeal to HMRC.'],
          ['Holds it until a return is filed', 'File the missing return. HMRC then goes on.'],
        ],
      },
    },
    'The page of your advance says which of these it is, how much is missing and what happens next.',
  ],
};
