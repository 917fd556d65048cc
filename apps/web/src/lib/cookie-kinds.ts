/** The kinds of cookies that wait for a choice: named and explained once, for the question, the page of choices and the data policy. */
import type { ConsentChoices } from './consent.ts';

type CookieKind = {
  readonly name: string;
  /** In a list within a sentence. */
  readonly short: string;
  readonly meaning: string;
};

export const COOKIE_KINDS: Readonly<Record<keyof ConsentChoices, CookieKind>> = {
  analytics: {
    name: 'Counting visits',
    short: 'which pages are visited',
    meaning: 'Google Analytics counts which pages are opened, without names, companies or figures.',
  },
  marketing: {
    name: 'Who sent you',
    short: 'which partner or campaign sent you',
    meaning: 'The partner or campaign that brought you here, remembered beyond this visit (30 days for a partner).',
  },
  chat: {
    name: 'Chat',
    short: 'the chat’s conversation',
    meaning: 'HubSpot’s cookies hold your chat together between pages and visits.',
  },
};
