/** The chip next to the heading of a return. */
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import type { ReturnState } from '@portal/domain/vat-returns/return-state.ts';
import type { ComponentProps } from 'react';
import type { StateChip } from '../../ui/state-chip.tsx';

type Chip = ComponentProps<typeof StateChip>;

export const RETURN_CHIPS: Record<ReturnState, Chip> = {
  open_running: { label: 'In progress', icon: 'clock', tone: 'info' },
  no_books: { label: 'No figures yet', icon: 'warning', tone: 'warning' },
  ready: { label: 'Ready to file', icon: 'file', tone: 'primary' },
  filing: { label: 'Sending to HMRC', icon: 'clock', tone: 'info' },
  outcome_unknown: { label: 'HMRC’s response was lost', icon: 'errorCircle', tone: 'error' },
  filed_awaiting_hmrc: { label: 'Filed, awaiting HMRC', icon: 'clock', tone: 'info' },
  filed: { label: 'Filed', icon: 'check', tone: 'success' },
  filed_elsewhere: { label: 'Filed with other software', icon: 'check', tone: 'info' },
  refused: { label: 'Rejected by HMRC', icon: 'errorCircle', tone: 'error' },
};

/** A client's return waits for the client's approval before it can be filed. */
export const CLIENT_RETURN_CHIPS: Record<ReturnState, Chip> = {
  ...RETURN_CHIPS,
  ready: { label: 'Figures ready', icon: 'file', tone: 'primary' },
};

export function getReturnChip({ obligation, settled, boxes }: VatReturnOutput, chips = RETURN_CHIPS): Chip {
  if (!settled) return chips[obligation.state];
  return { label: boxes?.direction === 'payment' ? 'Filed and paid' : 'Filed and settled', icon: 'check', tone: 'success' };
}
