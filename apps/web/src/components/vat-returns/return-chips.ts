/** The chip next to the heading of a return. */
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import type { ApprovalState } from '@portal/domain/vat-returns/return-approval.ts';
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
const CLIENT_RETURN_CHIPS: Record<ReturnState, Chip> = {
  ...RETURN_CHIPS,
  ready: { label: 'Figures ready', icon: 'file', tone: 'primary' },
};

export const APPROVAL_CHIPS: Record<ApprovalState, Chip> = {
  sent: { label: 'Sent for approval', icon: 'clock', tone: 'info' },
  queried: { label: 'Client has a question', icon: 'warning', tone: 'warning' },
  approved: { label: 'Approved', icon: 'check', tone: 'success' },
  changed: { label: 'Changed since', icon: 'warning', tone: 'warning' },
  withdrawn: { label: 'Withdrawn', icon: 'info', tone: 'info' },
};

/** Figures that are ready have the client's approval as their next state. `approval`: the one in force, if any. */
export function getClientReturnChip(state: ReturnState, approval: ApprovalState | null): Chip {
  return state === 'ready' && approval !== null ? APPROVAL_CHIPS[approval] : CLIENT_RETURN_CHIPS[state];
}

export function getReturnChip({ obligation, settled, boxes }: VatReturnOutput): Chip {
  if (!settled) return RETURN_CHIPS[obligation.state];
  return { label: boxes?.direction === 'payment' ? 'Filed and paid' : 'Filed and settled', icon: 'check', tone: 'success' };
}
