import { DECLARATIONS } from '@portal/domain/vat-returns/declarations.ts';
import type { Article } from './article.ts';

export const FILING: Article = {
  key: 'filing',
  title: 'Checking and filing your VAT return',
  group: 'Returns and HMRC',
  product: 'instant_vat',
  pages: ['vatReturn', 'vatReturnInfo', 'dashboard'],
  words: 'submit nine boxes declaration receipt mtd making tax digital correct mistake period late adjustment error vat652',
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
    'VAT that isn’t in your transactions can be added to a box with an adjustment. Each needs a reason, which stays with the return.',
    'We never change a filed return. If you find a mistake later, correct it in your next open return: we list the rows that the filed return lacks and add up the net error. You can correct up to £10,000, or 1% of box 6 if that’s more, up to £50,000. Report larger errors to HMRC separately, and any error that was made deliberately.',
    'If HMRC’s reply gets lost, we never guess and file again. We say that the outcome isn’t known yet, until HMRC’s own records confirm it.',
    { link: { label: 'About filing with us', page: 'vatReturnInfo' } },
  ],
};
