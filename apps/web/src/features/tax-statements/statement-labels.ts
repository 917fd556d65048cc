import type { StatementState } from '@portal/domain/tax-statements/statement-states.ts';
import type { NoticeTone } from '../../ui/notice.tsx';

/** Titles of a statement's states. */
export const STATE_LABELS: Readonly<Record<StatementState, { readonly title: string; readonly tone: NoticeTone }>> = {
  reading: { title: 'Checking the statement', tone: 'info' },
  ready: { title: 'Preview: nothing has changed yet', tone: 'info' },
  importing: { title: 'Importing', tone: 'info' },
  completed: { title: 'Import complete', tone: 'success' },
  failed: { title: 'Import stopped', tone: 'error' },
  cancelled: { title: 'Cancelled', tone: 'warning' },
};
