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
    name: 'Website statistics',
    short: 'which pages are visited',
    meaning: 'Google Analytics counts page visits, without names, companies or figures.',
  },
  marketing: {
    name: 'Referrals',
    short: 'which partner or campaign sent you',
    meaning: 'Remembers which partner or campaign brought you here after this visit ends (30 days for a partner).',
  },
  chat: {
    name: 'Chat',
    short: 'the chat’s conversation',
    meaning: 'HubSpot’s cookies keep your chat going between pages and visits.',
  },
};
