/** Removes duplicate obligations. */
import type { ObligationFact } from './tax-facts.ts';

/**
 * Keeps one obligation per period, preferring those with the given status: a VAT number can have two keys for one period, and a person can
 * have two businesses.
 */
export function keepOnePerPeriod(list: readonly ObligationFact[], preferredStatus: ObligationFact['status']): readonly ObligationFact[] {
  const byPeriod = new Map<string, ObligationFact>();
  for (const item of list) {
    const key = `${item.kind} ${item.start} ${item.end}`;
    if (!byPeriod.has(key) || item.status === preferredStatus) byPeriod.set(key, item);
  }
  return [...byPeriod.values()];
}
