import type { NineBoxesOutput, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { DIRECTION_LABELS, PROVISIONAL_DIRECTION_LABELS } from '../../lib/direction-text.ts';

/** Describes who pays box 5 or, once it is settled, who paid it. */
export function getDirectionLabel({ obligation, settled, found }: VatReturnOutput, { direction }: NineBoxesOutput): string {
  if (settled && direction === 'repayment') return 'HMRC has repaid this';
  if (settled && direction === 'payment') return 'You’ve paid this';
  // For an old return, we don't know whether HMRC still owes the refund.
  if (obligation.state === 'filed_elsewhere' && direction === 'repayment' && found?.refund !== 'open') return 'Refund claimed';
  return (obligation.state === 'open_running' ? PROVISIONAL_DIRECTION_LABELS : DIRECTION_LABELS)[direction];
}
