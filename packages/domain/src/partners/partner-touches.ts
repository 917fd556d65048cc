/** The two cookies about partners, as browser and server both read them. */
import { cleanPartnerName } from './partner-name.ts';

/** The partner of the first touch (specification 4): path /, 30 days in seconds. */
export const PARTNER_COOKIE = 'partner_id';
export const PARTNER_MAX_AGE_SECONDS = 2_592_000;

/** First and last touch with their times, beside it: "swoop@1795000000~azets@1795100000". */
export const TOUCHES_COOKIE = 'partner_touches';

/** One arrival: who sent the person and when, in seconds since 1970. */
export type Arrival = { readonly partner: string; readonly at: number };
export type Touches = { readonly first: Arrival | undefined; readonly last: Arrival | undefined };

/** The cookie's value of two arrivals. Names hold neither of its signs. */
export function writeTouches(first: Arrival, last: Arrival): string {
  return [first, last].map(({ partner, at }) => `${encodeURIComponent(partner)}@${at}`).join('~');
}

/** The arrivals of a cookie's value; undefined where it does not say one. */
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
