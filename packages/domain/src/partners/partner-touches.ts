/** The two partner cookies, as both the browser and the server read them. */
import { cleanPartnerName } from './partner-name.ts';

/** Cookie with the partner of the first touch, path / (docs/product/specification.md section 4). */
export const PARTNER_COOKIE = 'partner_id';
export const PARTNER_MAX_AGE_SECONDS = 2_592_000;

/** Cookie with the first and last touch and their times: "swoop@1795000000~azets@1795100000". */
export const TOUCHES_COOKIE = 'partner_touches';

/** One arrival: the referring partner and the time in seconds since 1970. */
export type Arrival = { readonly partner: string; readonly at: number };
export type Touches = { readonly first: Arrival | undefined; readonly last: Arrival | undefined };

/** The cookie value for two arrivals. Partner names cannot contain "@" or "~". */
export function writeTouches(first: Arrival, last: Arrival): string {
  return [first, last].map(({ partner, at }) => `${encodeURIComponent(partner)}@${at}`).join('~');
}

/** Parses the cookie value; an arrival is undefined if it is missing or invalid. */
export function readTouches(value: string): Touches {
  const [first, last] = value.slice(0, 400).split('~').map(readArrival);
  return { first, last };
}

function readArrival(text: string): Arrival | undefined {
  const found = /^((?:[a-z0-9 ._-]|%20){1,180})@(\d{1,11})$/.exec(text);
  if (found === null) return undefined;
  const name = (found[1] ?? '').replaceAll('%20', ' ');
  return cleanPartnerName(name) === name ? { partner: name, at: Number(found[2]) } : undefined;
}
