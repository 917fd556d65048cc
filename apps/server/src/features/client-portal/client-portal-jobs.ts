import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { sendRequestReminders } from '../client-requests/send-request-reminders.ts';
import { isSendingHour } from '../reminder-rules/sending-hours.ts';
import { remindApprovals } from '../return-approvals/remind-approvals.ts';
import { sendDueReminders } from './due-reminders.ts';
import { sendInvitationReminders } from './send-invitation-reminders.ts';

export function clientPortalJobs(deps: AppDeps): Pick<PortalJobHandlers, 'client-portal.sweep'> {
  return {
    'client-portal.sweep': () => {
      // Send daily reminders only during the day; otherwise they would be sent just after midnight. Other reminders keep the time of day of
      // the original email.
      const dailyJobs = isSendingHour(deps.clock.now()) ? [sendDueReminders, sendRequestReminders] : [];
      return tryEach([sendInvitationReminders, remindApprovals, ...dailyJobs], (send) => send(deps));
    },
  };
}
