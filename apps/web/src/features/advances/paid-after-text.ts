/** Describes how long it took from acceptance to payout. Hours have one decimal place. */
export function describePaidAfter(hours: number): string {
  if (hours < 1) return 'within an hour of you accepting';
  const wholeHours = Math.round(hours);
  return wholeHours === 1 ? 'about an hour after you accepted' : `${wholeHours} hours after you accepted`;
}
