/** Compares our calculation of 5,000 random prices with the Stripe simulator's invoice preview, over HTTP (decision 57). */
import { comparePrices, createRandom } from '../apps/sandbox/src/stripe/testing/compare-prices.ts';
import { startStripe } from '../apps/sandbox/src/stripe/testing/start-stripe.ts';
import type { BenchRow } from './bench-row.ts';

const CASES = 5_000;
/** Each batch gets its own simulator, because requests slow down as a simulator's data grows. */
const BATCH_SIZE = 250;

export async function measurePrices(): Promise<BenchRow[]> {
  const seed = Number(process.env['PRICES_SEED'] ?? 19);
  const random = createRandom(seed);
  const differences: string[] = [];
  let changes = 0;
  for (let caseCount = 0; caseCount < CASES; caseCount += BATCH_SIZE) {
    const stripe = await startStripe();
    const comparison = await comparePrices({
      provider: stripe.client,
      random,
      cases: BATCH_SIZE,
      version: caseCount + 1,
      setNow: stripe.setNow,
    });
    await stripe.close();
    differences.push(...comparison.differences);
    changes += comparison.changes;
  }
  for (const difference of differences.slice(0, 5)) console.log(`      ${difference}`);
  const title = `Random prices that differ from the Stripe simulator’s preview, of ${CASES} (${changes} of them changes within a month, seed ${seed})`;
  return [{ title, measured: String(differences.length), limit: '0', ok: differences.length === 0 }];
}
