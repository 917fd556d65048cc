import type { StatementState } from '@portal/domain/tax-statements/statement-states.ts';
import type { NoticeTone } from '../../ui/notice.tsx';

/** Titles of a statement's states. */
export const STATE_LABELS: Readonly<Record<StatementState, { readonly title: string; readonly tone: NoticeTone }>> = {
  reading: { title: 'Being read', tone: 'info' },
  ready: { title: 'A dry run: nothing has been changed yet', tone: 'info' },
  importing: { title: 'Being taken in', tone: 'info' },
  completed: { title: 'Taken in', tone: 'success' },
  failed: { title: 'It stopped', tone: 'error' },
  cancelled: { title: 'Cancelled', tone: 'warning' },
};
