/** The states that sequences start from, so that as many sequences reach an advance's late steps as its first ones. */
import { uploadBooks } from '../../../apps/server/src/testing/test-trader.ts';
import { createRandom, pickWeighted, type RandomSource } from '../random.ts';
import { drainQueues, followNextAction } from './expected-steps.ts';
import type { ModelTestBed } from './model-test-bed.ts';
import { openNewSequence, openSequence, payIn, readSequence, type Sequence } from './sequence.ts';
import { claim, setUpMandate, writeOff } from './shortfall-steps.ts';

type SequenceStart = { readonly name: string; readonly weight: number; open(random: RandomSource): Promise<Sequence> };

/** This amount needs a release by an operator. */
const START_POUNDS = 12_345;
/** The part of the refund that HMRC repays in the start states with a shortfall. */
const REPAID_PENCE = 900_000;
const DAY_MS = 24 * 3_600_000;
const MAX_ROUNDS = 20;

/** Prepares the starts without any failures. Returns a function that restores the test bed to one of them. */
export async function prepareStartStates(testBed: ModelTestBed): Promise<(random: RandomSource) => Promise<Sequence>> {
  const starts: SequenceStart[] = [];
  const add = async (name: string, weight: number, open: SequenceStart['open']): Promise<() => Promise<void>> => {
    const restore = await testBed.save(name);
    const restoreAndOpen = async (random: RandomSource): Promise<Sequence> => {
      await restore();
      return open(random);
    };
    starts.push({ name, weight, open: restoreAndOpen });
    return restore;
  };
  const openAsIs = async (random: RandomSource): Promise<Sequence> => openSequence(testBed, random, START_POUNDS);

  await add('new', 5, (random) => openNewSequence(testBed, random));
  await uploadBooks(testBed.trader, START_POUNDS);
  const sequence = openSequence(testBed, createRandom(1), START_POUNDS);
  await advanceTo(sequence, 'approved');
  await add('approved', 2, openAsIs);
  await advanceTo(sequence, 'awaiting_hmrc');
  const restorePaid = await add('paid', 2, openAsIs);
  await claimLateRefund(sequence);
  await add('claimed', 2, openAsIs);
  await restorePaid();
  const { account } = await readSequence(sequence);
  if (!account) throw new Error('there is no collection account');
  payIn(sequence, account, REPAID_PENCE);
  await drainQueues(sequence, { shouldPoll: true });
  const restoreShort = await add('short', 2, openAsIs);
  const { advance, cases } = await readSequence(sequence);
  if (advance?.state !== 'shortfall' || !cases[0]) throw new Error(`the advance is ${advance?.state}`);
  await writeOff(sequence, testBed.operators, cases[0]);
  await add('written_off', 2, openAsIs);
  await restoreShort();
  await setUpMandate(sequence, sequence.sessions[0], advance);
  testBed.wait(5 * DAY_MS);
  await drainQueues(sequence, { shouldPoll: true });
  await add('collecting', 3, openAsIs);
  return async (random) => {
    const start = pickWeighted(random, starts);
    const openedSequence = await start.open(random);
    openedSequence.coverage.count(`start: ${start.name}`);
    openedSequence.steps.push(`starts ${start.name}`);
    return openedSequence;
  };
}

/** A month later, HMRC hasn't repaid, so an operator claims the whole refund. */
async function claimLateRefund(sequence: Sequence): Promise<void> {
  sequence.testBed.wait(32 * DAY_MS);
  await drainQueues(sequence, { shouldPoll: true });
  const { advance, cases } = await readSequence(sequence);
  const [operator] = sequence.testBed.operators;
  if (!advance || !cases[0] || !operator) throw new Error('there is no case of a late refund');
  const status = await claim(sequence, operator, cases[0], advance.outstanding_pence);
  if (status !== 200) throw new Error(`the claim was answered with ${status}`);
}

async function advanceTo(sequence: Sequence, state: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    await drainQueues(sequence, { shouldPoll: false });
    const view = await readSequence(sequence);
    if (view.advance?.state === state) return;
    await followNextAction(sequence, view);
  }
  throw new Error(`an advance without failures did not become ${state}`);
}
