/** A part of the random sequences of `npm run chaos -- --model N`, on each database engine. */
import { expect, it } from 'vitest';
import { runModel, type SequenceResult } from './run-model.ts';

const SEQUENCES = 200;

it(`pays and files at most once and accounts for every penny in ${SEQUENCES} random sequences of faults`, async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const results: SequenceResult[] = [];
  await runModel({ seed, count: SEQUENCES }, (result) => void results.push(result));
  expect({ seed, violated: results.filter(({ violations }) => violations.length > 0) }).toEqual({ seed, violated: [] });
  // Sequences that all end before the payout would prove nothing.
  expect(results.filter(({ ended }) => ended === 'settled').length).toBeGreaterThan(SEQUENCES / 2);
}, 900_000);
