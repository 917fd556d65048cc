/** Labels for the state of an invoice or credit note, for the practice and for operators. */
import type { InvoiceStatus } from '@portal/domain/pricing/subscription.ts';
import type { ComponentProps } from 'react';
import type { StateChip } from '../../ui/state-chip.tsx';

export const INVOICE_STATUS_CHIPS: Readonly<Record<InvoiceStatus, ComponentProps<typeof StateChip>>> = {
  open: { label: 'To pay', icon: 'clock', tone: 'info' },
  paid: { label: 'Paid', icon: 'checkCircle', tone: 'success' },
  failed: { label: 'Payment failed', icon: 'errorCircle', tone: 'error' },
  disputed: { label: 'Charged back by the bank', icon: 'warning', tone: 'warning' },
  written_off: { label: 'Unpaid, written off', icon: 'warning', tone: 'warning' },
  credited: { label: 'Credited', icon: 'checkCircle', tone: 'success' },
  refunding: { label: 'Refund in progress', icon: 'clock', tone: 'info' },
  refunded: { label: 'Refunded', icon: 'checkCircle', tone: 'success' },
  transferred: { label: 'Paid by bank transfer', icon: 'checkCircle', tone: 'success' },
  refund_failed: { label: 'Not refunded yet', icon: 'warning', tone: 'warning' },
};
