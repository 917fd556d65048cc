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
        'HMRC replies with a receipt. We keep the whole receipt for six years, and you can print it at any time.',
      ],
    },
    `HMRC’s declaration is: “${DECLARATIONS.trader}”`,
    'You can add VAT that isn’t in your transactions to a box with an adjustment. Each needs a reason, which is stored with the return.',
    'We never change a filed return. If you find a mistake later, correct it in your next open return: we list the rows missing from the filed return and add up the net error. You can correct up to £10,000, or 1% of box 6 if that’s more, up to £50,000. Report larger errors to HMRC separately, along with any deliberate error.',
    'If HMRC’s reply is lost, we never guess and file again. The outcome stays unknown until HMRC’s own records confirm it.',
    { link: { label: 'About filing with us', page: 'vatReturnInfo' } },
  ],
};
