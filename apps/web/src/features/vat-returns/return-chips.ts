/** The chip next to the heading of a return. */

import type { ReturnState } from '@portal/domain/vat-returns/return-state.ts';
import type { ComponentProps } from 'react';
import type { StateChip } from '../../ui/state-chip.tsx';

export const RETURN_CHIPS: Record<ReturnState, ComponentProps<typeof StateChip>> = {
  open_running: { label: 'Period still running', icon: 'clock', tone: 'info' },
  no_books: { label: 'No figures yet', icon: 'warning', tone: 'warning' },
  ready: { label: 'Ready to file', icon: 'file', tone: 'primary' },
  filing: { label: 'Being sent to HMRC', icon: 'clock', tone: 'info' },
  outcome_unknown: { label: 'HMRC’s answer was lost', icon: 'errorCircle', tone: 'error' },
  filed_awaiting_hmrc: { label: 'Filed, awaiting HMRC', icon: 'clock', tone: 'info' },
  filed: { label: 'Filed', icon: 'check', tone: 'success' },
  filed_elsewhere: { label: 'Filed with other software', icon: 'check', tone: 'success' },
  refused: { label: 'Refused by HMRC', icon: 'errorCircle', tone: 'error' },
};
