/** The states from which sequences start, so that as many sequences reach the late steps of an advance as its first ones. */
import { uploadBooks } from '../../../apps/server/src/testing/test-trader.ts';
import { createRandom, pickWeighted, type RandomSource } from '../random.ts';
import { actAsAsked, workOff } from './expected-steps.ts';
import type { ModelTestBed } from './model-test-bed.ts';
import { openNewSequence, openSequence, payIn, readSequence, type Sequence } from './sequence.ts';
import { setUpMandate } from './shortfall-steps.ts';

type Start = { readonly name: string; readonly weight: number; open(random: RandomSource): Promise<Sequence> };

/** Needs a release by an operator. */
const POUNDS = 12_345;
/** HMRC repays this much of it in the starts with a shortfall. */
const REPAID_PENCE = 900_000;
const DAY_MS = 24 * 3_600_000;
const MAX_ROUNDS = 20;

/** Prepares the starts without any failure. Returns a function that restores the test bed to one of them. */
export async function prepareStarts(testBed: ModelTestBed): Promise<(random: RandomSource) => Promise<Sequence>> {
  const starts: Start[] = [];
  const add = async (name: string, weight: number, open: Start['open']): Promise<void> => {
    const restore = await testBed.save(name);
    const restoreAndOpen = async (random: RandomSource): Promise<Sequence> => {
      await restore();
      return open(random);
    };
    starts.push({ name, weight, open: restoreAndOpen });
  };
  const openAsIs = async (random: RandomSource): Promise<Sequence> => openSequence(testBed, random, POUNDS);

  await add('new', 5, (random) => openNewSequence(testBed, random));
  await uploadBooks(testBed.trader, POUNDS);
  const sequence = openSequence(testBed, createRandom(1), POUNDS);
  await bringTo(sequence, 'awaiting_hmrc');
  await add('paid', 2, openAsIs);
  const { account } = await readSequence(sequence);
  if (!account) throw new Error('there is no collection account');
  payIn(sequence, account, REPAID_PENCE);
  await workOff(sequence, { polls: true });
  await add('short', 2, openAsIs);
  const { advance } = await readSequence(sequence);
  if (advance?.state !== 'shortfall') throw new Error(`the advance is ${advance?.state}`);
  await setUpMandate(sequence, sequence.sessions[0], advance);
  testBed.wait(5 * DAY_MS);
  await workOff(sequence, { polls: true });
  await add('collecting', 3, openAsIs);
  return async (random) => {
    const start = pickWeighted(random, starts);
    const opened = await start.open(random);
    opened.coverage.count(`start: ${start.name}`);
    opened.steps.push(`starts ${start.name}`);
    return opened;
  };
}

async function bringTo(sequence: Sequence, state: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    await workOff(sequence, { polls: false });
    const view = await readSequence(sequence);
    if (view.advance?.state === state) return;
    await actAsAsked(sequence, view);
  }
  throw new Error(`an advance without failures did not become ${state}`);
}
