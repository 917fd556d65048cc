import { explainRefusal } from '@portal/domain/vat-returns/explain-refusal.ts';
import { describeError } from '../../../lib/error-text.ts';
import { ApiError } from '../../../lib/problem-to-error.ts';
import type { Article } from './article.ts';

/** HMRC error codes that users may see, explained in our own words. */
const CODES: readonly (readonly [string, string])[] = [
  ['The return has already been filed', 'DUPLICATE_SUBMISSION'],
  ['The period hasn’t ended yet', 'TAX_PERIOD_NOT_ENDED'],
  ['HMRC isn’t expecting this return', 'PERIOD_KEY_INVALID'],
  ['The business is insolvent', 'RULE_INSOLVENT_TRADER'],
  ['We’re not authorised', 'CLIENT_OR_AGENT_NOT_AUTHORISED'],
];

const getHeading = (status: number): string => describeError(new ApiError({ status, code: '', message: '' })).heading;

export const ERROR_MESSAGES: Article = {
  key: 'error-messages',
  title: 'What our messages mean',
  group: 'If something goes wrong',
  product: 'instant_vat',
  pages: ['vatReturn'],
  words: 'error fault message refused failed offline unknown something wrong try again',
  write: () => [
    'Each message says what happened, what it means for your money or your filing, and what to do next. These are for returns that HMRC rejects:',
    {
      table: {
        caption: 'If HMRC rejects a return',
        head: ['What happened', 'What it means'],
        rows: CODES.map(([name, code]) => [name, explainRefusal(code, undefined)]),
      },
    },
    'You may also see:',
    {
      list: [
        `“${getHeading(0)}”: nothing you do is being sent, and what you see may be out of date.`,
        `“${getHeading(409)}”: someone else, or you in another window, made a change first. Reload the page.`,
        `“${getHeading(429)}”: wait as long as the message says, then try again.`,
        `“${describeError(undefined).heading}”: the problem is on our side. Reload the page. Nothing was filed or paid because of it.`,
      ],
    },
    'If you contact us about a message, quote the reference below it. It helps us find out what happened.',
  ],
};
