import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { notifyOfProposals } from '../advance-proposals/notify-of-proposals.ts';
import { notifyOfFigures } from './notify-of-figures.ts';
import { sendDigests } from './send-digests.ts';
import { sendWaitingEmails } from './send-waiting-emails.ts';

export function staffNotificationsJobs(deps: AppDeps): Pick<PortalJobHandlers, 'notifications.sweep'> {
  return { 'notifications.sweep': () => tryEach([notifyOfFigures, notifyOfProposals, sendWaitingEmails, sendDigests], (run) => run(deps)) };
}
