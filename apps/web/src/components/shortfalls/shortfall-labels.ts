/** Labels for the states of a shortfall. */
import type { ShortfallOutput } from '@portal/contract/shortfalls.ts';
import type { ComponentProps } from 'react';
import type { StateChip } from '../../ui/state-chip.tsx';

export const SHORTFALL_CHIPS: Record<ShortfallOutput['status'], ComponentProps<typeof StateChip>> = {
  watching: { label: 'Watching', icon: 'clock', tone: 'warning' },
  due: { label: 'Due', icon: 'warning', tone: 'error' },
  disputed: { label: 'Disputed', icon: 'errorCircle', tone: 'warning' },
  settled: { label: 'Settled', icon: 'checkCircle', tone: 'success' },
  written_off: { label: 'Written off', icon: 'close', tone: 'info' },
  closed: { label: 'Closed', icon: 'check', tone: 'info' },
};

export const CAUSE_LABELS: Record<ShortfallOutput['cause'], string> = {
  late: 'HMRC is late',
  reduced: 'Refund reduced',
  set_off: 'Set off against a debt',
  charge: 'VAT to pay instead',
  cleared: 'Paid, but not to us',
  mandate_failed: 'Direct Debit ended',
  unknown: 'Not known',
};

export const DIRECT_DEBIT_LABELS: Record<ShortfallOutput['direct_debits'][number]['status'], string> = {
  created: 'Being sent to the bank',
  pending_customer_approval: 'Waiting for approval',
  pending_submission: 'Scheduled',
  submitted: 'At the bank',
  confirmed: 'Collected',
  paid_out: 'Received',
  failed: 'Failed',
  cancelled: 'Cancelled',
  charged_back: 'Charged back by the bank',
  customer_approval_denied: 'Not approved',
};

type MandateStatus = NonNullable<ShortfallOutput['mandate']>['status'];

const MANDATE_LABELS: Partial<Record<MandateStatus, string>> = {
  requested: 'Not finished yet',
  pending_customer_approval: 'Waiting for approval',
  pending_submission: 'Being sent to your bank',
  submitted: 'At your bank',
  active: 'Set up',
};

export const getMandateLabel = (status: MandateStatus): string => MANDATE_LABELS[status] ?? 'Ended';
