/** Brings a sequence to its end: the providers work again, every user does what the portal asks, and HMRC repays. */
import { RECLAIM_DAYS } from '@portal/domain/shortfalls/direct-debit.ts';
import { drainQueues, followNextAction, hasOpenCase, isCollecting } from './expected-steps.ts';
import { readSequence, type Sequence, type SequenceView } from './sequence.ts';
import { listExceptions } from './trader-steps.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ENDED = ['settled', 'written_off', 'declined', 'withdrawn'];
/** Each round does everything that is currently required; a whole advance takes about eight. */
const MAX_ROUNDS = 60;

/** Restores the providers, continues what was paused and reads everything. The trader and operators don't act yet. */
export async function endFailures(sequence: Sequence): Promise<void> {
  sequence.coverage.clearFaults();
  sequence.testBed.paused.clear();
  for (const { connections } of sequence.testBed.instances) connections.heal();
  // The first read can queue jobs and move payouts.
  for (let round = 0; round < 2; round += 1) await drainQueues(sequence, { shouldPoll: true });
}

/** Returns the states reached, the newest advance's first; undefined if there weren't enough rounds. */
export async function settleSequence(sequence: Sequence): Promise<string | undefined> {
  const { testBed } = sequence;
  let previousState = '';
  let isStuck = false;
  let isReclaimOver = false;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // A webhook may have been lost, so if nothing else moves, everything is read at the bank.
    await drainQueues(sequence, { shouldPoll: isStuck });
    const view = await readSequence(sequence);
    const now = JSON.stringify({ ...view, now: '' });
    isStuck = now === previousState;
    previousState = now;
    if (isEnded(view) && (await isBacklogEmpty(sequence))) {
      // Finds lost events before the sequence counts as ended.
      await drainQueues(sequence, { shouldPoll: true });
      const after = await readSequence(sequence);
      if (isEnded(after) && (await isBacklogEmpty(sequence))) return after.advances.map(({ state }) => state).join(', ');
      continue;
    }
    await followNextAction(sequence, view);
    // A new order, and the job that orders one, run before the wait: after a day, their facts would be out of date.
    const { orders } = await readSequence(sequence);
    const isLongWait = isStuck || isCollecting(view);
    if (isLongWait || orders.length > view.orders.length) await drainQueues(sequence, { shouldPoll: false });
    // What had to wait for a job, such as a screening, is asked for again on the same day.
    if (isLongWait) {
      await followNextAction(sequence, await readSequence(sequence));
      await drainQueues(sequence, { shouldPoll: false });
    }
    // Any excess collected by Direct Debit is paid out once the trader's bank can no longer reverse it.
    if (isStuck && isEnded(view) && view.debits.length > 0 && !isReclaimOver) {
      testBed.wait((RECLAIM_DAYS + 1) * DAY_MS);
      isReclaimOver = true;
    } else testBed.wait(isLongWait ? DAY_MS + HOUR_MS : HOUR_MS);
  }
  return undefined;
}

function isEnded(view: SequenceView): boolean {
  const { advance, advances, payoutsAtBank } = view;
  const areAdvancesEnded = advances.every(({ id, state }) => ENDED.includes(state) || (state === 'expired' && id !== advance?.id));
  const isBankIdle = payoutsAtBank.every(({ status }) => status === 'executed' || status === 'failed');
  return advance !== undefined && areAdvancesEnded && isBankIdle && !hasOpenCase(view) && !isCollecting(view);
}

/** Returns true if operators have no work left, apart from money that isn't in pounds. */
async function isBacklogEmpty(sequence: Sequence): Promise<boolean> {
  const [operator] = sequence.testBed.operators;
  if (!operator) return true;
  return (await listExceptions(sequence, operator)).every(({ kind }) => kind === 'unpostable');
}
