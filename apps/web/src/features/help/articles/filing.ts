import { DECLARATIONS } from '@portal/domain/vat-returns/declarations.ts';
import type { Article } from './article.ts';

export const FILING: Article = {
  key: 'filing',
  title: 'Checking and filing your VAT return',
  group: 'Returns and HMRC',
  product: 'instant_vat',
  pages: ['vatReturn', 'vatReturnInfo', 'dashboard'],
  words: 'submit nine boxes declaration receipt mtd making tax digital correct mistake period',
  write: () => [
    {
      steps: [
        'We work out the nine boxes from your books. Select a box to see the transactions behind it.',
        'We point out what often leads to questions from HMRC: unusual changes, duplicates and transactions without a VAT treatment.',
        'You confirm HMRC’s declaration and file the return. You can only file once the period has ended.',
        'HMRC replies with a receipt. We keep all of it for six years, and you can print it at any time.',
      ],
    },
    `HMRC’s declaration is: “${DECLARATIONS.trader}”`,
    'We never change a filed return. If you find a mistake later, correct it in your next open return. You must tell HMRC about large errors separately.',
    'If HMRC’s reply gets lost, we never guess and file again. We tell you that the outcome isn’t known yet, until HMRC’s own records confirm it.',
    { link: { label: 'About filing with us', page: 'vatReturnInfo' } },
  ],
};
