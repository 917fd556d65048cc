/** Names and explanations of the optional cookies, for the banner, the cookie choices page and the privacy policy. */
import type { ConsentChoices } from './consent.ts';

type CookieKind = {
  readonly name: string;
  /** For a list within a sentence. */
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
