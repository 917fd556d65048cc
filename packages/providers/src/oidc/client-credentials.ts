/** HTTP Basic at a token endpoint, as RFC 6749 section 2.3.1 has it. */

/**
 * openid-client's own ClientSecretBasic also encodes "-", "_" and ".", which the RFC does not ask for and not every endpoint undoes;
 * the ids and secrets that Xero, Intuit and FreeAgent hand out hold these and no other special characters, and so pass unchanged.
 */
export function basicCredentials(clientId: string, clientSecret: string): string {
  const text = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(text, 'utf8').toString('base64')}`;
}

/** Reads what `basicCredentials` writes; undefined where the header is no such thing. */
export function readBasicCredentials(header: string | null): { clientId: string; clientSecret: string } | undefined {
  const encoded = /^basic +([\w+/=-]+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id, ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  try {
    return { clientId: decodeURIComponent(id ?? ''), clientSecret: decodeURIComponent(secret.join(':')) };
  } catch {
    return undefined;
  }
}
