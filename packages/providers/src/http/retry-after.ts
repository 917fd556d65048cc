/**
 * How long the provider asks us to wait, in seconds. A date (RFC 9110, section 10.2.3) is compared with the response's own Date header,
 * because our clock may differ.
 */
export function retryAfterSecondsOf(headers: Headers): number | undefined {
  const told = headers.get('retry-after');
  if (told === null) return undefined;
  const seconds = /^\d+$/.test(told) ? Number(told) : (Date.parse(told) - Date.parse(headers.get('date') ?? '')) / 1000;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
