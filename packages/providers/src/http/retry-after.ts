/** How long a provider asks to be left alone: seconds, or a date (RFC 9110, 10.2.3), which is taken by the answer's own clock, because ours may differ. */
export function retryAfterSecondsOf(headers: Headers): number | undefined {
  const told = headers.get('retry-after');
  if (told === null) return undefined;
  const seconds = /^\d+$/.test(told) ? Number(told) : (Date.parse(told) - Date.parse(headers.get('date') ?? '')) / 1000;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
