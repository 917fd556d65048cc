/** A refund that can't be made to a card is paid from our bank account (docs/decisions/0069-refunds-and-price-moves.md). */
import type { Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';

/** The transfer as it appears on our bank statement. */
export type RefundTransfer = { readonly amountPence: Pence; readonly transferredOn: PlainDate };

export type TransferProblem = 'other_amount' | 'in_future' | 'before_refund';

/** Returns why the transfer can't be the refund's payment; undefined if it can. `orderedOn`: the day on which the refund was decided. */
export function findTransferProblem(
  { amountPence, transferredOn }: RefundTransfer,
  refund: { readonly totalPence: Pence; readonly orderedOn: PlainDate },
  today: PlainDate,
): TransferProblem | undefined {
  if (amountPence !== refund.totalPence) return 'other_amount';
  if (transferredOn > today) return 'in_future';
  return transferredOn < refund.orderedOn ? 'before_refund' : undefined;
}
