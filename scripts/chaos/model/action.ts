/** An event that can happen in a sequence. */
import type { Browser } from '../../../apps/server/src/testing/test-trader.ts';
import { pick } from '../random.ts';
import type { Sequence, SequenceView } from './sequence.ts';

export type Action = {
  readonly name: string;
  /** How often it happens, relative to the other possible actions. */
  readonly weight: number;
  isPossible?(view: SequenceView): boolean;
  /** Performs the action and returns a result to report, such as a status. */
  run(sequence: Sequence, view: SequenceView): Promise<unknown>;
};

export const pickOperator = ({ testBed, random }: Sequence): Browser => pick(random, testBed.operators);
export const pickSession = ({ sessions, random }: Sequence): Browser => pick(random, sessions);
