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
        'We compute the nine boxes from your books. Each box opens the transactions behind it.',
        'We point out what tends to make HMRC ask: unusual moves, doubles, transactions without a treatment.',
        'You confirm HMRC’s declaration and press “File this return”. It can be done only once the period has ended.',
        'HMRC answers with a receipt. We keep it whole for six years, and you can print it at any time.',
      ],
    },
    `The declaration is HMRC’s own: “${DECLARATIONS.trader}”`,
    'A filed return never changes here. What you find later goes into the next open return; large errors must be told to HMRC separately.',
    'If HMRC’s answer is lost on the way, we never file a second time on a guess. The return is shown as “outcome unknown” until HMRC’s own list tells us.',
    { link: { label: 'What filing with us is', page: 'vatReturnInfo' } },
  ],
};
