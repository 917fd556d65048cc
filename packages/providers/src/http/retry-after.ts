/**
 * Returns the wait that the provider requests, in seconds. A date (RFC 9110, section 10.2.3) is compared with the response's own Date
 * header, because our clock may differ.
 */
export function parseRetryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1000;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
