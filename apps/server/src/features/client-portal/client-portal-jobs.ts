import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { remindAsked } from '../client-requests/remind-asked.ts';
import { remindApprovals } from '../return-approvals/remind-approvals.ts';
import { sendDueReminders } from './due-reminders.ts';
import { remindInvited } from './remind-invited.ts';

export function clientPortalJobs(deps: AppDeps): Pick<PortalJobHandlers, 'client-portal.sweep'> {
  return { 'client-portal.sweep': () => tryEach([remindInvited, sendDueReminders, remindAsked, remindApprovals], (send) => send(deps)) };
}
