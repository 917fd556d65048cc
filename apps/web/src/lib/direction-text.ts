/** Describes who pays whom in words, because a sign alone is easy to misread. */
import type { NineBoxesOutput } from '@portal/contract/vat-returns.ts';

type Direction = NineBoxesOutput['direction'];

/** For final or filed figures. */
export const DIRECTION_LABELS: Record<Direction, string> = {
  repayment: 'HMRC owes you',
  payment: 'You owe HMRC',
  nil: 'Nothing to pay or reclaim',
};

/** For figures that can still change. */
export const PROVISIONAL_DIRECTION_LABELS: Record<Direction, string> = {
  repayment: 'HMRC owes you so far',
  payment: 'You owe HMRC so far',
  nil: 'Nothing to pay or reclaim so far',
};
