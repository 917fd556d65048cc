/** HTTP Basic credentials for a token endpoint (RFC 6749, section 2.3.1). */

/**
 * openid-client's ClientSecretBasic also encodes "-", "_" and ".", which the RFC doesn't require and not every endpoint decodes. The IDs
 * and secrets of Xero, Intuit and FreeAgent contain no other special characters, so they are left unchanged here.
 */
export function encodeBasicCredentials(clientId: string, clientSecret: string): string {
  const credentialsText = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(credentialsText, 'utf8').toString('base64')}`;
}

/** Parses the output of `encodeBasicCredentials`; undefined for other headers. */
export function readBasicCredentials(header: string | null): { clientId: string; clientSecret: string } | undefined {
  const encodedCredentials = /^basic +([\w+/=-]+)$/i.exec(header ?? '')?.[1];
  if (encodedCredentials === undefined) return undefined;
  const [id, ...secret] = Buffer.from(encodedCredentials, 'base64').toString('utf8').split(':');
  try {
    return { clientId: decodeURIComponent(id ?? ''), clientSecret: decodeURIComponent(secret.join(':')) };
  } catch {
    return undefined;
  }
}
