/** Describes how new data from a source changed a client's position. */
import type { Deadline } from './position.ts';
import type { Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';

/** The figures of a position that a change is described by. `isKnown` is false while the tax has never been read. */
export type PositionFigures = {
  readonly isKnown: boolean;
  readonly owed: Pence;
  readonly overdue: Pence;
  readonly refund: Pence;
  readonly overdueReturns: number;
  readonly penalty: Pence;
  readonly penaltyPoints: number | null;
  readonly nextDueOn: PlainDate | null;
  readonly nextDueWhat: Deadline | null;
};
