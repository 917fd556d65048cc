/** Runs random sequences of one seed, one after another, and verifies each. */
import { attempts } from '@portal/db/schema/schema.ts';
import { createRandom, pickWeighted } from '../random.ts';
import { ACTIONS } from './actions.ts';
import { verifySequence } from './verify-sequence.ts';
import { openModelTestBed, type ModelTestBed } from './model-test-bed.ts';
import { openSequence, readSequence, type Sequence } from './sequence.ts';
import { settleSequence } from './settle-sequence.ts';

export type SequenceResult = {
  readonly number: number;
  /** The state in which the advance ended; undefined if it did not. */
  readonly ended: string | undefined;
  readonly violations: readonly string[];
  /** What happened, in order. */
  readonly steps: readonly string[];
};

const MIN_STEPS = 15;
const MAX_STEPS = 40;

/** `first` is the number of the first sequence, so that a single one can be repeated. */
export async function runModel(
  { seed, first = 1, count }: { readonly seed: number; readonly first?: number; readonly count: number },
  onResult: (result: SequenceResult) => void,
): Promise<void> {
  const testBed = await openModelTestBed();
  try {
    const start = testBed.portal.deps.clock.now();
    for (let number = first; number < first + count; number += 1) {
      testBed.portal.moveClock(start);
      // Every trader signs up from the same address within minutes.
      await testBed.portal.deps.database.db.delete(attempts);
      onResult(await runSequence(testBed, seed, number));
    }
  } finally {
    await testBed.close();
  }
}

/** The choices depend only on seed and number. */
async function runSequence(testBed: ModelTestBed, seed: number, number: number): Promise<SequenceResult> {
  const sequence = await openSequence(testBed, createRandom(seed * 100_003 + number), number);
  const { random, steps } = sequence;
  testBed.portal.bank.setPayingBalance(500_000_000);
  const length = MIN_STEPS + Math.floor(random() * (MAX_STEPS - MIN_STEPS));
  for (let step = 0; step < length; step += 1) await takeStep(sequence);
  const ended = await settleSequence(sequence);
  steps.push(`ended ${ended ?? 'nowhere'}`);
  return { number, ended, violations: await verifySequence(sequence, ended), steps };
}

async function takeStep(sequence: Sequence): Promise<void> {
  const view = await readSequence(sequence);
  const possible = ACTIONS.filter((action) => action.isPossible?.(view) ?? true);
  const action = pickWeighted(sequence.random, possible);
  const outcome = await action.run(sequence, view);
  sequence.steps.push(
    `${view.advance?.state ?? 'no quote'}: ${action.name}${outcome === undefined ? '' : ` (${JSON.stringify(outcome)})`}`,
  );
}
