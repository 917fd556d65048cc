/** Events that last while others happen: an answer that arrives late, and work that the engineer on call has paused. */
import { PAUSABLE_WORK } from '../../../apps/server/src/paused-work.ts';
import { pick } from '../random.ts';
import type { Action } from './action.ts';
import { drainQueues } from './expected-steps.ts';
import { startLateRead } from './late-answers.ts';
import { poll, pollAll, POLLS } from './polls.ts';
import { payIn, type Sequence, type SequenceView } from './sequence.ts';
import { decideOnDebit } from './shortfall-actions.ts';

/** The reads that call the banks. */
const BANK_READS = POLLS.filter((kind) => !kind.endsWith('.sweep'));
const DAY_MS = 24 * 3_600_000;

/** What can happen at the banks and on the other instance before a late answer arrives. */
const EVENTS: readonly ((sequence: Sequence, view: SequenceView) => unknown)[] = [
  ({ testBed }) => testBed.portal.bank.advancePayouts(),
  decideOnDebit,
  ({ testBed }) => testBed.wait(DAY_MS),
  (sequence, { account, credits, advance }) => {
    if (account && credits.length < 3) payIn(sequence, account, advance?.refund_pence ?? 1);
  },
  (sequence) => drainQueues(sequence, { shouldPoll: false }),
  ({ testBed }) => pollAll(testBed.instances[1]),
];

export const OVERLAP_ACTIONS: readonly Action[] = [
  {
    name: 'an answer arrives late',
    weight: 6,
    isPossible: ({ account }) => account !== undefined,
    run: async (sequence, view) => {
      const kind = view.debits.length > 0 && sequence.random() < 0.5 ? 'direct-debits.poll' : pick(sequence.random, BANK_READS);
      const [first, second] = sequence.testBed.instances;
      const lateRead = await startLateRead(sequence.testBed, first, kind);
      if (lateRead.isWaiting) {
        for (let count = 1 + Math.floor(sequence.random() * 3); count > 0; count -= 1) await pick(sequence.random, EVENTS)(sequence, view);
        await poll(second, kind);
      }
      return `${await lateRead.finish()}${lateRead.isWaiting ? '' : ', without a call'}`;
    },
  },
  {
    name: 'work is paused or continues',
    weight: 1.5,
    run: async ({ testBed: { paused }, random }) => {
      const work = pick(random, PAUSABLE_WORK);
      if (!paused.delete(work)) paused.add(work);
      return `${work} ${paused.has(work) ? 'paused' : 'continues'}`;
    },
  },
];
