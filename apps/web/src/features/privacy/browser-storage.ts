/**
 * Everything the portal may store in a browser. The data policy shows this list, and a test compares it with the names that the code uses.
 */
import type { ConsentChoices } from '../../lib/consent.ts';
import { CONSENT_COOKIE } from '../../lib/consent.ts';
import { PARTNER_COOKIE } from '@portal/domain/partners/partner-touches.ts';

export type StoredItem = {
  readonly name: string;
  readonly kind: 'cookie' | 'local storage' | 'session storage' | 'cache';
  readonly why: string;
  readonly retention: string;
  /** The consent that this item needs. Undefined if the service can't work without it. */
  readonly needs?: keyof ConsentChoices;
};

const TAGS_REASON = 'Which campaign brought you here, so that we know which ones are worth paying for.';
const CHAT_REASON = 'Set by HubSpot, which runs the chat, to recognise you when you come back.';

export const BROWSER_STORAGE: readonly StoredItem[] = [
  {
    name: 'portal_session',
    kind: 'cookie',
    why: 'Keeps you logged in.',
    retention: '30 days, or 7 days without a visit. Deleted when you log out',
  },
  {
    name: 'portal_browser',
    kind: 'cookie',
    why: 'Makes sure that a login started in this browser is completed in this browser.',
    retention: '2 hours',
  },
  {
    name: 'portal_device',
    kind: 'cookie',
    why: 'An ID for this browser. By law, we must send it to HMRC with each request to prevent fraud.',
    retention: '10 years',
  },
  { name: CONSENT_COOKIE, kind: 'cookie', why: 'Your cookie choices.', retention: '180 days' },
  {
    name: PARTNER_COOKIE,
    kind: 'cookie',
    why: 'Which partner referred you.',
    retention: 'Until you close the browser, or 30 days if you allow it',
  },
  { name: 'g-company', kind: 'local storage', why: 'The company you opened last.', retention: 'Until you log out' },
  {
    name: 'post-login-redirect',
    kind: 'local storage',
    why: 'The page you were trying to open before we asked you to log in.',
    retention: 'Until you get there',
  },
  {
    name: 'idempotency-key:',
    kind: 'local storage',
    why: 'One for each filing or acceptance in progress, so that clicking twice doesn’t submit it twice.',
    retention: 'Until it’s done',
  },
  {
    name: 'scroll-positions',
    kind: 'session storage',
    why: 'How far you’ve scrolled on each page, so that going back returns you to the same place.',
    retention: 'Until you close the tab',
  },
  {
    name: 'instant-vat-email',
    kind: 'session storage',
    why: 'The email you entered to sign up, for the next page.',
    retention: 'Until you close the tab',
  },
  {
    name: 'sent-mail',
    kind: 'session storage',
    why: 'The email address we sent a link to, so that the next page can show it.',
    retention: 'Until you close the tab',
  },
  {
    name: 'typed-email',
    kind: 'session storage',
    why: 'The email you entered to log in, for the page where you set a new password.',
    retention: 'Until you close the tab',
  },
  {
    name: 'form-draft:',
    kind: 'session storage',
    why: 'What you’ve entered in a form but not sent yet. Never a password, code, sort code or account number.',
    retention: 'Until you save it, log out or close the tab',
  },
  {
    name: 'form-draft-owner',
    kind: 'session storage',
    why: 'The email of the person who filled in the form, so that other people who log in here don’t see what they entered.',
    retention: 'Until you log out or close the tab',
  },
  {
    name: 'offline-page-*',
    kind: 'cache',
    why: 'The page we show when you’re offline. Contains no information about you.',
    retention: 'Until you clear your browser’s data',
  },
  { name: 'partner_door', kind: 'session storage', why: 'Which partner’s page you arrived on.', retention: 'Until you close the tab' },
  { name: 'partner', kind: 'session storage', why: 'Which partner referred you.', retention: 'Until you close the tab' },
  {
    name: 'partner',
    kind: 'local storage',
    why: 'Which partner referred you, for later visits.',
    retention: 'Until you log out',
    needs: 'marketing',
  },
  { name: 'utm_tags', kind: 'session storage', why: TAGS_REASON, retention: 'Until you close the tab' },
  { name: 'utm_tags', kind: 'local storage', why: TAGS_REASON, retention: 'Until you log out', needs: 'marketing' },
  {
    name: '_ga, _ga_*',
    kind: 'cookie',
    why: 'Set by Google to count which pages are used and how often. Never on operators’ pages.',
    retention: '2 years',
    needs: 'analytics',
  },
  { name: 'messagesUtk', kind: 'cookie', why: CHAT_REASON, retention: '6 months', needs: 'chat' },
  { name: 'hubspotutk', kind: 'cookie', why: CHAT_REASON, retention: '6 months', needs: 'chat' },
  { name: '__hstc, __hssc, __hssrc', kind: 'cookie', why: CHAT_REASON, retention: 'Up to 6 months', needs: 'chat' },
];
