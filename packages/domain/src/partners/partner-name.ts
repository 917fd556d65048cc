/** The name that a link, a cookie or a call gives for a partner: anybody can write anything there. */

/** Who referred a person whom nobody referred. */
export const ORGANIC = 'organic';

const NAME = /^[a-z0-9][a-z0-9 ._-]{0,59}$/;

/**
 * Lower case and trimmed; organic for anything that is no name (longer than 60, or with other characters than letters, digits, space, dot, underscore and hyphen).
 * A well-formed name that no row has is kept: its referrals can be told apart once the partner is one.
 */
export function cleanPartnerName(text: string | null | undefined): string {
  const name = (text ?? '').trim().toLowerCase();
  return NAME.test(name) ? name : ORGANIC;
}
