/**
 * Determines which partner sent the visitor (docs/product/specification.md sections 3 and 4; docs/decisions/0014). The cookie `partner_id`
 * holds the first touch and takes precedence over the URL. The last touch is the name in the most recent URL, stored under `partner` and,
 * with both times, in a second cookie. A partner's landing page applies that partner for the rest of the visit. Without consent, nothing is
 * stored beyond the visit (PECR, regulation 6).
 */
import { normalisePartnerName, ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import {
  PARTNER_COOKIE,
  PARTNER_MAX_AGE_SECONDS,
  parseTouches,
  TOUCHES_COOKIE,
  formatTouches,
  type Arrival,
} from '@portal/domain/partners/partner-touches.ts';
import { onConsentChange, readConsent } from './consent.ts';

/** The session storage key for the partner whose landing page started this visit. */
const LANDING_PARTNER_KEY = 'partner_door';
/** Stored in local storage with consent, in session storage without: `{"name":"swoop"}`. */
const DATA_KEY = 'partner';

/** Returns the partner from the existing cookie, otherwise from the URL's `partner` or `partner_id`, otherwise "organic". */
export function findPartnerName(search: string, cookies: string): string {
  const cookie = getCookie(cookies, PARTNER_COOKIE);
  return cookie === '' ? (parsePartnerName(search) ?? ORGANIC_PARTNER) : normalisePartnerName(cookie);
}

/** Returns undefined if the URL doesn't name a partner. An invalid name counts as organic. */
function parsePartnerName(search: string): string | undefined {
  const query = new URLSearchParams(search);
  const partnerParam = (query.get('partner') ?? query.get('partner_id') ?? '').trim();
  return partnerParam === '' ? undefined : normalisePartnerName(partnerParam);
}

function getCookie(cookies: string, name: string): string {
  const value = new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(cookies)?.[1]?.trim() ?? '';
  try {
    return decodeURIComponent(value);
  } catch {
    // The value isn't percent-encoded.
    return value;
  }
}

export const getCurrentPartner = (): string =>
  sessionStorage.getItem(LANDING_PARTNER_KEY) ?? findPartnerName(location.search, document.cookie);

/** Returns the first and last touch after a page is opened. Arriving again with the same name isn't a new touch. */
export function getTouches(
  cookies: string,
  partnerName: string | undefined,
  at: number,
): { readonly first: Arrival; readonly last: Arrival } {
  const savedTouches = parseTouches(getCookie(cookies, TOUCHES_COOKIE));
  const cookie = getCookie(cookies, PARTNER_COOKIE);
  const name = cookie === '' ? (partnerName ?? ORGANIC_PARTNER) : normalisePartnerName(cookie);
  const first = savedTouches.first?.partner === name ? savedTouches.first : { partner: name, at };
  const last = savedTouches.last ?? first;
  return { first, last: partnerName === undefined || partnerName === last.partner ? last : { partner: partnerName, at } };
}

/** With `isPersistent` (consent given), the cookie outlives the visit. */
export function formatPartnerCookie(name: string, value: string, isPersistent: boolean, isSecure: boolean): string {
  return `${name}=${value}; Path=/${isPersistent ? `; Max-Age=${PARTNER_MAX_AGE_SECONDS}` : ''}; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/**
 * Records the arrival at this page, and records it again when the visitor changes their cookie choices. Returns a function that removes the
 * listener.
 */
export function recordPartner(landingPartner?: string): () => void {
  if (landingPartner !== undefined) sessionStorage.setItem(LANDING_PARTNER_KEY, landingPartner);
  const partnerName = landingPartner ?? parsePartnerName(location.search);
  recordArrival(partnerName);
  return onConsentChange(() => recordArrival(undefined));
}

function recordArrival(partnerName: string | undefined): void {
  const isPersistent = readConsent()?.marketing ?? false;
  const { first, last } = getTouches(document.cookie, partnerName, Math.floor(Date.now() / 1000));
  const isSecure = location.protocol === 'https:';
  document.cookie = formatPartnerCookie(PARTNER_COOKIE, encodeURIComponent(first.partner), isPersistent, isSecure);
  document.cookie = formatPartnerCookie(TOUCHES_COOKIE, formatTouches(first, last), isPersistent, isSecure);
  const [usedStorage, otherStorage] = isPersistent ? [localStorage, sessionStorage] : [sessionStorage, localStorage];
  const data =
    partnerName === undefined ? (usedStorage.getItem(DATA_KEY) ?? otherStorage.getItem(DATA_KEY)) : JSON.stringify({ name: partnerName });
  otherStorage.removeItem(DATA_KEY);
  if (data !== null) usedStorage.setItem(DATA_KEY, data);
}
