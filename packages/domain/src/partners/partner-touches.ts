/** The two partner cookies, read by both the browser and the server. */
import { normalisePartnerName } from './partner-name.ts';

/** Cookie with the partner of the first touch; path / (docs/product/specification.md section 4). */
export const PARTNER_COOKIE = 'partner_id';
export const PARTNER_MAX_AGE_SECONDS = 2_592_000;

/** Cookie with the first and last touch and their times: "swoop@1795000000~azets@1795100000". */
export const TOUCHES_COOKIE = 'partner_touches';

/** One visit: the referring partner and the time in seconds since 1970. */
export type Arrival = { readonly partner: string; readonly at: number };
export type PartnerTouches = { readonly first: Arrival | undefined; readonly last: Arrival | undefined };

/** Formats two visits as a cookie value. Partner names can't contain "@" or "~". */
export function formatTouches(first: Arrival, last: Arrival): string {
  return [first, last].map(({ partner, at }) => `${encodeURIComponent(partner)}@${at}`).join('~');
}

/** Parses the cookie value. A visit is undefined if it is missing or invalid. */
export function parseTouches(value: string): PartnerTouches {
  const [first, last] = value.slice(0, 400).split('~').map(parseArrival);
  return { first, last };
}

function parseArrival(text: string): Arrival | undefined {
  const match = /^((?:[a-z0-9 ._-]|%20){1,180})@(\d{1,11})$/.exec(text);
  if (match === null) return undefined;
  const name = (match[1] ?? '').replaceAll('%20', ' ');
  return normalisePartnerName(name) === name ? { partner: name, at: Number(match[2]) } : undefined;
}
