import type { ReturnStage } from '@portal/domain/vat-returns/return-approval.ts';

export const STAGE_LABELS: Readonly<Record<ReturnStage, string>> = {
  to_prepare: 'To prepare',
  sent: 'Sent for approval',
  queried: 'Questions',
  approved: 'Approved',
  filed: 'Filed',
};
