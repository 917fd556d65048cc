import { getTestServerUrl } from '@portal/db/testing/test-postgres.ts';
import { expect, it } from 'vitest';
import { addCounts } from './coverage.ts';
import { runModel, type SequenceResult } from './run-model.ts';

/**
 * Runs the same sequences every time, so that a failure is caused by the change under test. Each engine has its own: most of the 200 on
 * PostgreSQL, where other tests take longer than they do. On the embedded engine, they would take longer than all others.
 */
const RUN = getTestServerUrl() ? { seed: 15, first: 101, count: 150 } : { seed: 15, first: 1, count: 50 };

it('random sequences of filing, advance, payout and repayment end with every penny where it belongs', async () => {
  const violatedSequences: string[] = [];
  const counts = new Map<string, number>();
  await runModel(RUN, ({ number, violations, steps, counts: more }: SequenceResult) => {
    addCounts(counts, more);
    if (violations.length > 0)
      violatedSequences.push([`seed ${RUN.seed}, sequence ${number}: ${violations.join('; ')}`, ...steps].join('\n  '));
  });
  expect(violatedSequences).toEqual([]);
  // Checks that each run reached the bank, failed at a provider and lost a connection.
  for (const eventName of ['action: move payouts', 'action: a provider fails', 'action: a connection drops']) {
    expect(counts.get(eventName)).toBeGreaterThan(0);
  }
}, 1_200_000);
