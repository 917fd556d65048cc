/** Partner names from links, cookies and requests. The input is untrusted. */

/** The partner name for users without a referrer. */
export const ORGANIC_PARTNER = 'organic';

const PARTNER_NAME_PATTERN = /^[a-z0-9][a-z0-9 ._-]{0,59}$/;

/**
 * Trims a partner name and converts it to lower case. Returns organic for an invalid name: over 60 characters, or containing anything but
 * letters, digits, spaces, dots, underscores and hyphens. Unknown but valid names are stored, so that their referrals can be identified if
 * the partner joins later.
 */
export function normalisePartnerName(text: string | null | undefined): string {
  const name = (text ?? '').trim().toLowerCase();
  return PARTNER_NAME_PATTERN.test(name) ? name : ORGANIC_PARTNER;
}
