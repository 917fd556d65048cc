/** Describes the time from acceptance to payout. Hours have one decimal. */
export function paidAfterText(hours: number): string {
  if (hours < 1) return 'within the hour after you accepted';
  const whole = Math.round(hours);
  return whole === 1 ? 'about an hour after you accepted' : `${whole} hours after you accepted`;
}
