/**
 * Everything the portal may store in a browser. The data policy displays this list, and a test compares it with the names that the code
 * uses.
 */
import type { ConsentChoices } from '../../lib/consent.ts';
import { CONSENT_COOKIE } from '../../lib/consent.ts';
import { PARTNER_COOKIE } from '@portal/domain/partners/partner-touches.ts';

export type StoredItem = {
  readonly name: string;
  readonly kind: 'cookie' | 'local storage' | 'session storage' | 'cache';
  readonly why: string;
  readonly howLong: string;
  /** The consent that this item needs. Undefined if the service can't work without the item. */
  readonly needs?: keyof ConsentChoices;
};

const TAGS_WHY = 'Which campaign brought you, so that we know which ones are worth their money.';
const CHAT_WHY = 'Of HubSpot, who runs the chat: that it is you who wrote before.';

export const BROWSER_STORAGE: readonly StoredItem[] = [
  {
    name: 'portal_session',
    kind: 'cookie',
    why: 'That you are signed in.',
    howLong: '30 days, or 7 days without a visit; gone when you log out',
  },
  { name: 'portal_browser', kind: 'cookie', why: 'That a sign-in begun in this browser ends in this browser.', howLong: '2 hours' },
  {
    name: 'portal_device',
    kind: 'cookie',
    why: 'A number for this browser, which the law makes us tell HMRC with each call against fraud.',
    howLong: '10 years',
  },
  { name: CONSENT_COOKIE, kind: 'cookie', why: 'What you chose about cookies.', howLong: '180 days' },
  { name: PARTNER_COOKIE, kind: 'cookie', why: 'Which partner sent you.', howLong: 'Until you close the browser; 30 days if you allow it' },
  { name: 'g-company', kind: 'local storage', why: 'Which company you opened last.', howLong: 'Until you log out' },
  {
    name: 'post-login-redirect',
    kind: 'local storage',
    why: 'The page you wanted before we asked you to log in.',
    howLong: 'Until you are there',
  },
  {
    name: 'idempotency-key:',
    kind: 'local storage',
    why: 'One for each filing or acceptance under way, so that a second press does nothing twice.',
    howLong: 'Until it is done',
  },
  {
    name: 'instant-vat-email',
    kind: 'session storage',
    why: 'The address you typed to sign up, for the next page.',
    howLong: 'Until you close the tab',
  },
  {
    name: 'sent-mail',
    kind: 'session storage',
    why: 'To whom we sent a link, for the page that says so.',
    howLong: 'Until you close the tab',
  },
  {
    name: 'typed-email',
    kind: 'session storage',
    why: 'The address you typed to log in, for the page that sets a new password.',
    howLong: 'Until you close the tab',
  },
  {
    name: 'form-draft:',
    kind: 'session storage',
    why: 'What you typed into a form and have not sent yet. Never a password, a code, a sort code or an account number.',
    howLong: 'Until it is saved, you log out or you close the tab',
  },
  {
    name: 'form-draft-owner',
    kind: 'session storage',
    why: 'The email address of who typed it, so that nobody else who logs in here sees it.',
    howLong: 'Until you log out or close the tab',
  },
  {
    name: 'offline-page-*',
    kind: 'cache',
    why: 'The page that we show while there is no network. Nothing about you.',
    howLong: 'Until you clear the browser’s data',
  },
  { name: 'partner_door', kind: 'session storage', why: 'Whose page you came in by.', howLong: 'Until you close the tab' },
  { name: 'partner', kind: 'session storage', why: 'Which partner sent you.', howLong: 'Until you close the tab' },
  {
    name: 'partner',
    kind: 'local storage',
    why: 'Which partner sent you, on a later visit.',
    howLong: 'Until you log out',
    needs: 'marketing',
  },
  { name: 'utm_tags', kind: 'session storage', why: TAGS_WHY, howLong: 'Until you close the tab' },
  { name: 'utm_tags', kind: 'local storage', why: TAGS_WHY, howLong: 'Until you log out', needs: 'marketing' },
  {
    name: '_ga, _ga_*',
    kind: 'cookie',
    why: 'Of Google: which pages are used and how often. Never the operators’ pages.',
    howLong: '2 years',
    needs: 'analytics',
  },
  { name: 'messagesUtk', kind: 'cookie', why: CHAT_WHY, howLong: '6 months', needs: 'chat' },
  { name: 'hubspotutk', kind: 'cookie', why: CHAT_WHY, howLong: '6 months', needs: 'chat' },
  { name: '__hstc, __hssc, __hssrc', kind: 'cookie', why: CHAT_WHY, howLong: '6 months at most', needs: 'chat' },
];
