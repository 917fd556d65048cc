/** Runs a seed's random sequences one after another, and verifies each. */
import { createRandom, pickWeighted } from '../random.ts';
import { ACTIONS } from './actions.ts';
import type { Connections } from './dropped-connections.ts';
import { drainQueues, followNextAction } from './expected-steps.ts';
import { verifyNewDebits } from './verify-debits.ts';
import { verifyOwners } from './verify-owners.ts';
import { verifySequence } from './verify-sequence.ts';
import { openModelTestBed } from './model-test-bed.ts';
import { readBalances } from './read-balances.ts';
import { readSequence, type Sequence, type SequenceView } from './sequence.ts';
import { endFailures, settleSequence } from './settle-sequence.ts';
import { prepareStartStates } from './starts.ts';

export type SequenceResult = {
  readonly number: number;
  /** The state in which the advance ended; undefined if it didn't end. */
  readonly ended: string | undefined;
  readonly violations: readonly string[];
  /** The events in order. */
  readonly steps: readonly string[];
  /** The company's final balance on each ledger account. */
  readonly balances: Readonly<Record<string, number>>;
  /** How often each action, fault and state occurred. */
  readonly counts: ReadonlyMap<string, number>;
};

const MIN_STEPS = 15;
const MAX_STEPS = 40;

export type ModelOptions = {
  readonly seed: number;
  /** The number of the first sequence, so that a single one can be repeated. */
  readonly first?: number;
  readonly count: number;
  /** The connections of all instances, if they are dropped externally. */
  readonly connections?: Connections;
  readonly beforeStep?: (sequence: Sequence) => void;
  /**
   * How many times the trader and operators do what the portal asks after the steps, before the failures end. This produces the most
   * commits in the time available.
   */
  readonly insistentRounds?: number;
};

export async function runModel(
  { seed, first = 1, count, connections, ...options }: ModelOptions,
  onResult: (result: SequenceResult) => void,
  signal?: AbortSignal,
): Promise<void> {
  const testBed = await openModelTestBed(connections);
  try {
    const openRandomStart = await prepareStartStates(testBed);
    for (let number = first; number < first + count && !signal?.aborted; number += 1) {
      // The choices depend only on the seed and number.
      onResult(await runSequence(await openRandomStart(createRandom(seed * 100_003 + number)), number, options));
    }
  } finally {
    await testBed.close();
  }
}

type SequenceOptions = Pick<ModelOptions, 'beforeStep' | 'insistentRounds'>;

async function runSequence(sequence: Sequence, number: number, options: SequenceOptions): Promise<SequenceResult> {
  const { random, steps } = sequence;
  const length = MIN_STEPS + Math.floor(random() * (MAX_STEPS - MIN_STEPS));
  const stepProblems: string[] = [];
  let view = await readSequence(sequence);
  for (let step = 0; step < length; step += 1) {
    options.beforeStep?.(sequence);
    await takeStep(sequence, view);
    const nextView = await readSequence(sequence);
    stepProblems.push(...verifyNewDebits(view, nextView));
    view = nextView;
  }
  for (let round = 0; round < (options.insistentRounds ?? 0); round += 1) {
    await drainQueues(sequence, { shouldPoll: true });
    await followNextAction(sequence, await readSequence(sequence));
  }
  await endFailures(sequence);
  const ownerProblems = await verifyOwners(sequence);
  const lastState = await settleSequence(sequence);
  steps.push(`ended ${lastState ?? 'nowhere'}`);
  await countOutcomes(sequence, lastState);
  const violations = [...stepProblems, ...ownerProblems, ...(await verifySequence(sequence, lastState))];
  return { number, ended: lastState, violations, steps, balances: await readBalances(sequence), counts: sequence.coverage.counts };
}

/** Counts the outcomes of advances, cases and Direct Debits. */
async function countOutcomes(sequence: Sequence, lastState: string | undefined): Promise<void> {
  const { cases, debits, advances } = await readSequence(sequence);
  const { count } = sequence.coverage;
  count(`ended: ${lastState ?? 'not at all'}`);
  for (const { status } of cases) count(`case: ${status}`);
  for (const { status } of debits) count(`Direct Debit: ${status}`);
  if (advances.length > 1) count('refunds: two or more quotes');
}

async function takeStep(sequence: Sequence, view: SequenceView): Promise<void> {
  const possibleActions = ACTIONS.filter((action) => action.isPossible?.(view) ?? true);
  const action = pickWeighted(sequence.random, possibleActions);
  sequence.coverage.count(`action: ${action.name}`);
  const outcome = await action.run(sequence, view);
  sequence.steps.push(
    `${view.advance?.state ?? 'no quote'}: ${action.name}${outcome === undefined ? '' : ` (${JSON.stringify(outcome)})`}`,
  );
}
