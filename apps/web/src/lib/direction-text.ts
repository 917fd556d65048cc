/** Who pays, in words: an amount of VAT is never shown with its sign alone. */
import type { NineBoxesOutput } from '@portal/contract/vat-returns.ts';

type Direction = NineBoxesOutput['direction'];

/** Beside a figure that is final or filed. */
export const DIRECTION_LABELS: Record<Direction, string> = {
  repayment: 'HMRC owes you',
  payment: 'You owe HMRC',
  nil: 'Nothing to pay or reclaim',
};

/** Beside a figure that can still move. */
export const PROVISIONAL_DIRECTION_LABELS: Record<Direction, string> = {
  repayment: 'HMRC owes you so far',
  payment: 'You owe HMRC so far',
  nil: 'Nothing to pay or reclaim so far',
};
