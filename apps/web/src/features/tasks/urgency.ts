import type { PendingTask } from '@portal/contract/tasks.ts';
import type { Role } from '../../core/tokens.ts';
import type { IconName } from '../../ui/icon.tsx';

/** A task is due soon if it has this many working days left, or fewer. */
const DUE_SOON_WORKING_DAYS = 5;

/** Returns the label of an urgent task, or undefined if it isn't urgent. */
export function getUrgency(
  task: Pick<PendingTask, 'overdue' | 'working_days_left'>,
): { label: string; icon: IconName; tone: Role } | undefined {
  if (task.overdue) return { label: 'Overdue', icon: 'errorCircle', tone: 'error' };
  if (task.working_days_left === null || task.working_days_left > DUE_SOON_WORKING_DAYS) return undefined;
  return { label: 'Due soon', icon: 'warning', tone: 'warning' };
}
