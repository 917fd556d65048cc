/** Names and explanations of the optional cookies, for the banner, the cookie choices page and the privacy policy. */
import type { ConsentChoices } from './consent.ts';

type CookieKind = {
  readonly name: string;
  /** Used in a list within a sentence. */
  readonly short: string;
  readonly meaning: string;
};

export const COOKIE_KINDS: Readonly<Record<keyof ConsentChoices, CookieKind>> = {
  analytics: {
    name: 'Website statistics',
    short: 'which pages you visit',
    meaning: 'Google Analytics counts page visits. It doesn’t receive names, companies or figures.',
  },
  marketing: {
    name: 'Referrals',
    short: 'which partner or campaign sent you',
    meaning: 'Remembers which partner or campaign brought you here after this visit ends. We remember a partner for 30 days.',
  },
  chat: {
    name: 'Chat',
    short: 'your chat conversation',
    meaning: 'HubSpot’s cookies keep your chat conversation going between pages and visits.',
  },
};
