import { explainRefusal } from '@portal/domain/vat-returns/explain-refusal.ts';
import type { Article } from './article.ts';

/** HMRC error codes that people meet. The explanations are the product's own. */
const CODES: readonly (readonly [string, string])[] = [
  ['A return is there already', 'DUPLICATE_SUBMISSION'],
  ['The period has not ended', 'TAX_PERIOD_NOT_ENDED'],
  ['HMRC expects no such return', 'PERIOD_KEY_INVALID'],
  ['The business is insolvent', 'RULE_INSOLVENT_TRADER'],
  ['We are not authorised', 'CLIENT_OR_AGENT_NOT_AUTHORISED'],
];

export const ERROR_MESSAGES: Article = {
  key: 'error-messages',
  title: 'What our messages mean',
  group: 'When something goes wrong',
  product: 'instant_vat',
  pages: ['vatReturn'],
  words: 'error fault message refused failed offline unknown something wrong try again',
  write: () => [
    'Every message says what happened, what it means for your money or your filing, and what to do. These come from HMRC when it refuses a return:',
    {
      table: {
        caption: 'When HMRC refuses a return',
        head: ['What happened', 'What we tell you'],
        rows: CODES.map(([name, code]) => [name, explainRefusal(code, undefined)]),
      },
    },
    {
      list: [
        '“You are offline”: nothing you do is sent. What you see may be old.',
        '“This has changed meanwhile”: somebody, or you in another window, was faster. Load the page again.',
        '“Too many attempts”: wait 15 minutes, then try again.',
        '“This page has a fault”: it is ours. Load the page again; nothing was filed or paid by it.',
      ],
    },
    'If you write to us about a message, quote the letters and digits under it. They let us find what happened.',
  ],
};
