import type { NineBoxesOutput, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { DIRECTION_LABELS, PROVISIONAL_DIRECTION_LABELS } from '../../lib/direction-text.ts';

/** Who pays box 5, or who paid it once that is settled. */
export function getDirectionLabel({ obligation, settled }: VatReturnOutput, { direction }: NineBoxesOutput): string {
  if (settled && direction === 'repayment') return 'HMRC has repaid this';
  if (settled && direction === 'payment') return 'You’ve paid this';
  return (obligation.state === 'open_running' ? PROVISIONAL_DIRECTION_LABELS : DIRECTION_LABELS)[direction];
}
