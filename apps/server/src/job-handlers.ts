/** The handlers for all kinds of jobs. */
import type { AppDeps } from './app-deps.ts';
import { agentJobs } from './features/agent/agent-jobs.ts';
import { advanceJobs } from './features/advances/advances-jobs.ts';
import { practiceBooksJobs } from './features/practice-books/practice-books-jobs.ts';
import { booksConnectionJobs } from './features/books-connection/books-connection-jobs.ts';
import { directDebitJobs } from './features/direct-debits/direct-debits-jobs.ts';
import { failUndo, undoClientChange } from './features/clients/undo-change.ts';
import { clientFilesJobs } from './features/client-files/client-files-jobs.ts';
import { billingJobs } from './features/billing/billing-jobs.ts';
import { clientImportJobs } from './features/client-imports/client-imports-jobs.ts';
import { failImport } from './features/client-imports/run-import.ts';
import { clientPortalJobs } from './features/client-portal/client-portal-jobs.ts';
import { sendOrRecordRejection } from './features/client-portal/rejected-invitations.ts';
import { invitationRunJobs } from './features/invitation-runs/invitation-runs-jobs.ts';
import { checkConnectionExpiry } from './features/hmrc-connection/check-connection-expiry.ts';
import { writeAuditHeads } from './features/audit/audit-heads.ts';
import { authorisationRequestJobs, failRequests } from './features/authorisation-requests/authorisation-requests-jobs.ts';
import { authorisationJobs } from './features/authorisations/authorisations-jobs.ts';
import { messageJobs } from './features/messages/messages-jobs.ts';
import { nightlyRefreshJobs } from './features/nightly-refresh/nightly-refresh-jobs.ts';
import { positionJobs } from './features/positions/positions-jobs.ts';
import { sendReminders, sendRuleReminders } from './features/reminder-rules/send-reminders.ts';
import { erasePractice } from './features/retention/erase-closed-accounts.ts';
import { RETENTION } from './features/retention/retention-table.ts';
import { staffNotificationsJobs } from './features/staff-notifications/staff-notifications-jobs.ts';
import { screeningJobs } from './features/screening/screening-jobs.ts';
import { failSync, syncJobs } from './features/sync/sync-jobs.ts';
import { failStatement } from './features/tax-statements/run-statement.ts';
import { taxStatementJobs } from './features/tax-statements/tax-statements-jobs.ts';
import { resealSecrets } from './secrets/reseal-secrets.ts';
import { FORMER_JOB_KINDS, type PortalJobHandlers, type PortalParkedHandlers } from './jobs/job-kinds.ts';
import { endParkedEmail, openQueuedEmail, sendQueuedEmail } from './mail/send-queued-email.ts';
import { tryEach } from './jobs/try-each.ts';
import { webhookJobs } from './features/webhooks/webhooks-jobs.ts';
import { workItemsJobs } from './features/work-items/work-items-jobs.ts';

export function jobHandlers(deps: AppDeps): PortalJobHandlers {
  const handlers: PortalJobHandlers = {
    ...advanceJobs(deps),
    ...booksConnectionJobs(deps),
    ...practiceBooksJobs(deps),
    ...directDebitJobs(deps),
    ...billingJobs(deps),
    ...screeningJobs(deps),
    ...nightlyRefreshJobs(deps),
    ...positionJobs(deps),
    ...authorisationJobs(deps),
    ...authorisationRequestJobs(deps),
    ...clientImportJobs(deps),
    ...clientFilesJobs(deps),
    ...clientPortalJobs(deps),
    ...invitationRunJobs(deps),
    ...workItemsJobs(deps),
    ...staffNotificationsJobs(deps),
    ...agentJobs(deps),
    ...messageJobs(deps),
    ...syncJobs(deps),
    ...webhookJobs(deps),
    ...taxStatementJobs(deps),
    'rows.purge': () => tryEach(RETENTION, async ({ purge }) => purge?.(deps)),
    'practice.erase': ({ practice_id }, { signal }) => erasePractice(deps, practice_id, signal),
    'clients.undo-change': (change, run) => undoClientChange(deps, change, run),
    'audit.write-heads': async () => {
      await writeAuditHeads(deps);
      deps.metrics.auditHeadsWritten.setToCurrentTime();
    },
    'reminder-rules.sweep': () => sendReminders(deps),
    'reminder-rules.run': (rule) => sendRuleReminders(deps, rule),
    'grants.sweep': () => checkConnectionExpiry(deps),
    'mail.send': async (queuedEmail, run) => {
      const email = openQueuedEmail(deps, queuedEmail, run);
      await sendOrRecordRejection(deps, email, () => sendQueuedEmail(deps, email, run));
    },
    'identity.sweep': () => resealSecrets(deps),
  };
  const formerHandlers = Object.entries(FORMER_JOB_KINDS).map(([formerKind, kind]) => [formerKind, handlers[kind]]);
  return { ...handlers, ...Object.fromEntries(formerHandlers) };
}

/** Marks the work of a parked job as failed, so that users see it and can start it again. */
export function parkedJobHandlers(deps: AppDeps): PortalParkedHandlers {
  return {
    'clients.import': ({ company_id, import_id }) => failImport(deps, { companyId: company_id, importId: import_id }),
    'statements.import': ({ company_id, statement_id }) => failStatement(deps, { companyId: company_id, statementId: statement_id }),
    'clients.undo-change': (change) => failUndo(deps, change),
    'sync.run': (run) => failSync(deps, run),
    'authorisations.request': (run) => failRequests(deps, run),
    'mail.send': async (queuedEmail, run) => endParkedEmail(deps, openQueuedEmail(deps, queuedEmail, run)),
  };
}
