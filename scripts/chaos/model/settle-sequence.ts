/** Lets a sequence end: the providers work again, everyone does what the portal asks of them, and HMRC repays. */
import { actAsAsked, workOff } from './expected-steps.ts';
import { readSequence, type Sequence } from './sequence.ts';
import { listExceptions } from './trader-steps.ts';

const HOUR_MS = 3_600_000;
const ENDED = ['settled', 'written_off', 'declined', 'withdrawn'];
/** Each round does all that is asked for at the moment; a whole advance takes about eight. */
const MAX_ROUNDS = 40;

/** Returns the state reached; undefined if the rounds did not suffice. */
export async function settleSequence(sequence: Sequence): Promise<string | undefined> {
  const { testBed } = sequence;
  testBed.portal.faults.clear();
  for (const { connections } of testBed.instances) connections.heal();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    await workOff(sequence);
    const view = await readSequence(sequence);
    const isQuiet = view.payoutsAtBank.every(({ status }) => status === 'executed' || status === 'failed');
    if (view.advance && ENDED.includes(view.advance.state) && isQuiet && (await isWorkedOff(sequence))) return view.advance.state;
    await actAsAsked(sequence, view);
    testBed.wait(HOUR_MS);
  }
  return undefined;
}

/** Nothing is left for the operators, apart from money that is not in pounds. */
async function isWorkedOff(sequence: Sequence): Promise<boolean> {
  const [operator] = sequence.testBed.operators;
  if (!operator) return true;
  return (await listExceptions(sequence, operator)).every(({ kind }) => kind === 'unpostable');
}
