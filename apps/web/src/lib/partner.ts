/** Who sent the visitor: the query's partner or partner_id, lower case, else the cookie, else organic (specification 4). */

/** The partner of a page's query and cookies. */
export function partnerFrom(search: string, cookies: string): string {
  const query = new URLSearchParams(search);
  const named = query.get('partner') ?? query.get('partner_id') ?? '';
  const cookie = /(?:^|;\s*)partner_id=([^;]*)/.exec(cookies)?.[1] ?? '';
  const name = named.trim() || decodeCookie(cookie).trim();
  return name === '' ? 'organic' : name.toLowerCase();
}

function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Not percent-encoded, then: the value as it stands.
    return value;
  }
}

/** The visitor's partner, now. */
export const currentPartner = (): string => partnerFrom(location.search, document.cookie);
