/** The chip for each state of a return, for lists. The return's own page describes the state in sentences. */
import type { ReturnState } from '@portal/domain/vat-returns/return-state.ts';
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import type { ComponentProps } from 'react';
import type { StateChip } from '../../ui/state-chip.tsx';

export type Obligation = DashboardOutput['obligations'][number];
type Chip = ComponentProps<typeof StateChip>;

const CHIPS: Record<ReturnState, Chip> = {
  open_running: { label: 'In progress', icon: 'clock', tone: 'info' },
  no_books: { label: 'No figures yet', icon: 'warning', tone: 'warning' },
  ready: { label: 'Ready to file', icon: 'file', tone: 'primary' },
  filing: { label: 'Sending', icon: 'clock', tone: 'info' },
  outcome_unknown: { label: 'Response lost', icon: 'errorCircle', tone: 'error' },
  filed_awaiting_hmrc: { label: 'Awaiting HMRC', icon: 'clock', tone: 'info' },
  filed: { label: 'Filed', icon: 'check', tone: 'success' },
  filed_elsewhere: { label: 'Filed elsewhere', icon: 'check', tone: 'info' },
  refused: { label: 'Rejected by HMRC', icon: 'errorCircle', tone: 'error' },
};

/** Overdue takes precedence over the state, because being late costs the trader money. */
export function getReturnChip(obligation: Obligation): Chip {
  if (getObligationGroup(obligation) === 'overdue') return { label: 'Overdue', icon: 'errorCircle', tone: 'error' };
  if (obligation.settled) return { label: obligation.amount?.direction === 'payment' ? 'Paid' : 'Settled', icon: 'check', tone: 'success' };
  return CHIPS[obligation.state];
}

/** The groups to filter the list by. Each return is in exactly one group. */
export const OBLIGATION_GROUPS = ['overdue', 'to_file', 'awaiting', 'filed'] as const;
export type ObligationGroup = (typeof OBLIGATION_GROUPS)[number];

export const GROUP_LABELS: Record<ObligationGroup, string> = {
  overdue: 'Overdue',
  to_file: 'To file',
  awaiting: 'Awaiting HMRC',
  filed: 'Filed',
};

export function getObligationGroup(obligation: Obligation): ObligationGroup {
  if (obligation.settled) return 'filed';
  switch (obligation.state) {
    case 'filed':
    case 'filed_elsewhere':
      return 'filed';
    case 'filing':
    case 'outcome_unknown':
    case 'filed_awaiting_hmrc':
      return 'awaiting';
    default:
      return obligation.overdue ? 'overdue' : 'to_file';
  }
}
