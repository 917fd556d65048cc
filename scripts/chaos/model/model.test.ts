import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addCounts } from './coverage.ts';
import { runModel, type SequenceResult } from './run-model.ts';

/** Sequences that have been seen to hold, and others on every run. `npm run chaos -- --model 10000` runs more. */
const RUNS = [
  { name: 'the same ones each time', seed: 15, count: 25 },
  { name: 'others each time', seed: randomInt(1_000_000), count: 15 },
];

describe('random sequences of filing, advance, payout and repayment', () => {
  it.each(RUNS)('end with every penny where it belongs: $name, seed $seed', { timeout: 1_200_000 }, async ({ seed, count }) => {
    const violated: string[] = [];
    const counts = new Map<string, number>();
    await runModel({ seed, count }, ({ number, violations, steps, counts: more }: SequenceResult) => {
      addCounts(counts, more);
      if (violations.length > 0) violated.push([`seed ${seed}, sequence ${number}: ${violations.join('; ')}`, ...steps].join('\n  '));
    });
    expect(violated).toEqual([]);
    // Each reached the bank, failed at a provider and lost a connection.
    for (const what of ['action: move payouts', 'action: a provider fails', 'action: a connection drops'])
      expect(counts.get(what)).toBeGreaterThan(0);
  });
});
