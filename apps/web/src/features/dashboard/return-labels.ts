/** Chip and link text of each state of a return, for lists. The return's own page describes the state in sentences. */
import type { ReturnState } from '@portal/domain/vat-returns/return-state.ts';
import type { DashboardOutput } from '@portal/contract/dashboard.ts';

import type { ComponentProps } from 'react';
import type { StateChip } from '../../ui/state-chip.tsx';

export type Obligation = DashboardOutput['obligations'][number];
export type ObligationLabels = { readonly chip: ComponentProps<typeof StateChip>; readonly action: string };

const STATE_LABELS: Record<ReturnState, ObligationLabels> = {
  open_running: { chip: { label: 'Still running', icon: 'clock', tone: 'info' }, action: 'See the figures' },
  no_books: { chip: { label: 'No figures yet', icon: 'warning', tone: 'warning' }, action: 'Open the return' },
  ready: { chip: { label: 'Ready to file', icon: 'file', tone: 'primary' }, action: 'Check and file' },
  filing: { chip: { label: 'Being sent', icon: 'clock', tone: 'info' }, action: 'Follow it' },
  outcome_unknown: { chip: { label: 'Answer lost', icon: 'errorCircle', tone: 'error' }, action: 'Ask HMRC' },
  filed_awaiting_hmrc: { chip: { label: 'Awaiting HMRC', icon: 'clock', tone: 'info' }, action: 'See the receipt' },
  filed: { chip: { label: 'Filed', icon: 'check', tone: 'success' }, action: 'See the return' },
  filed_elsewhere: { chip: { label: 'Filed elsewhere', icon: 'check', tone: 'success' }, action: 'See the return' },
  refused: { chip: { label: 'Refused by HMRC', icon: 'errorCircle', tone: 'error' }, action: 'See why' },
};

/** Overdue takes precedence over the state, because it costs the trader money. */
export function describeObligation(obligation: Obligation): ObligationLabels {
  const labels = STATE_LABELS[obligation.state];
  if (getObligationGroup(obligation) !== 'overdue') return labels;
  return { ...labels, chip: { label: 'Overdue', icon: 'errorCircle', tone: 'error' } };
}

/** The groups that the list can be filtered by. Each return is in exactly one. */
export const OBLIGATION_GROUPS = ['overdue', 'to_file', 'awaiting', 'filed'] as const;
export type ObligationGroup = (typeof OBLIGATION_GROUPS)[number];

export const GROUP_LABELS: Record<ObligationGroup, string> = {
  overdue: 'Overdue',
  to_file: 'To file',
  awaiting: 'Awaiting HMRC',
  filed: 'Filed',
};

export function getObligationGroup(obligation: Obligation): ObligationGroup {
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
