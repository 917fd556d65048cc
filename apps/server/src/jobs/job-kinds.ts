/** Every kind of job, its payload and its retry rules. */
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { defineJobs, type EnqueueFunction, type JobHandlers, type ParkedHandlers } from './job-table.ts';

export type JobPayloads = {
  /** An email, encrypted for this job. */
  'mail.send': { sealed: string };
  /** Sends a practice's due messages to clients until its time budget is used up, then enqueues itself again if any are left. */
  'messages.send': { company_id: string };
  /** Sends a company's due webhooks until its time budget is used up, then enqueues itself again if any are left. */
  'webhooks.send': { company_id: string };
  /** Starts sending webhooks that were recorded or are due for another attempt. */
  'webhooks.sweep': Record<string, never>;
  /** Starts sending messages that have become due or can be sent again. */
  'messages.sweep': Record<string, never>;
  /**
   * Reads a company's connected books until its time budget is used up, then enqueues itself again if there is more to read. `client_id`:
   * the client whose books are read, if the company is a practice.
   */
  'books.read': { company_id: string; client_id?: string };
  /** Reads the bookkeeping software's own VAT figures for open periods. */
  'books.vat_figures': { company_id: string; client_id?: string };
  /** Resumes reads whose job was lost, and reads books again an hour after the last read. */
  'books.sweep': Record<string, never>;
  /**
   * Connects a client's books to the organisation that a user has linked, or disconnects them. `withdraw`: what the user who ended the link
   * decided about the figures; not set by the sweep, which can't know it.
   */
  'books.link': { company_id: string; client_id: string; withdraw?: boolean };
  /** Lists the organisations that a practice's authorisation covers. */
  'books.organisations': { company_id: string; provider: BooksProviderName };
  /**
   * Ends our access at bookkeeping software that a practice has disconnected. `refresh_token` is sealed; `tries` counts failed attempts.
   */
  'books.end_access': {
    company_id: string;
    provider: BooksProviderName;
    refresh_token: string;
    connection_ids: readonly string[];
    tries: number;
  };
  /** Quotes an advance on the refund of a return that HMRC has accepted. */
  'advance.quote': { company_id: string; obligation_id: string };
  /** Moves an advance forward as far as possible without an operator. */
  'advance.progress': { company_id: string; advance_id: string };
  /** Submits a payout to the payments provider. Its id is the idempotency key, so a retry can't pay twice. */
  'payout.submit': { company_id: string; payout_id: string };
  /** Checks the status of payouts whose webhook has not arrived. */
  'payouts.poll': Record<string, never>;
  /** Checks for payouts returned by a bank whose webhook hasn't arrived. */
  'returns.poll': Record<string, never>;
  /** Checks for credits whose webhook has not arrived. */
  'credits.poll': Record<string, never>;
  /** Sends a Direct Debit to GoCardless. Its id is the idempotency key, so a retry can't collect twice. */
  'direct-debit.submit': { company_id: string; direct_debit_id: string };
  /** Cancels a Direct Debit that isn't with the bank yet. */
  'direct-debit.cancel': { company_id: string; direct_debit_id: string };
  /** Ends a mandate at GoCardless, because its company closed its account. */
  'mandate.cancel': { company_id: string; mandate_id: string };
  /** Checks mandates and Direct Debits whose webhook has not arrived. */
  'direct-debits.poll': Record<string, never>;
  /** Checks for GoCardless's payouts to our bank whose webhook has not arrived. */
  'direct-debit-payouts.poll': Record<string, never>;
  /** Sends a change to a subscription to Stripe. Its id is the idempotency key, so a retry makes the same change. */
  'billing.send': { company_id: string; change_id: string };
  /** Reads a practice's subscription and invoices from Stripe, and issues our invoices. */
  'billing.read': { company_id: string };
  /**
   * Ends a subscription at Stripe immediately, because its practice closed its account. Uses Stripe's id, because our rows may already be
   * deleted.
   */
  'billing.end': { subscription_id: string };
  /** Sends a refund to Stripe. Its id is the idempotency key, so a retry can't refund twice. */
  'billing.refund': { company_id: string; refund_id: string };
  /** Marks an invoice that we wrote off as uncollectible at Stripe. */
  'billing.write_off': { company_id: string; write_off_id: string };
  /** Finds refunds made in Stripe's dashboard, and issues our credit notes for them. */
  'billing.refunds': Record<string, never>;
  /** Notifies the affected practices of new prices. */
  'billing.notice': { move_id: string };
  /** Starts reads of all subscriptions, in case a webhook was lost, and orders moves to another price list that have become due. */
  'billing.sweep': Record<string, never>;
  /** Orders Direct Debits that have become due, sends reminders about overdue amounts, and brings shortfalls up to date. */
  'shortfalls.sweep': Record<string, never>;
  /** Handles expired quotes and holds that have ended. */
  'advances.sweep': Record<string, never>;
  /** Screens a company and its people against sanctions and PEP lists. */
  'screening.run': { company_id: string };
  /** Starts the daily screening of companies that we have paid and that still owe us money. */
  'screening.sweep': Record<string, never>;
  /** Re-encrypts stored secrets with the newest key. */
  'identity.sweep': Record<string, never>;
  /** Writes the latest hashes of the audit chains to a file outside the database. */
  'audit.write-heads': Record<string, never>;
  /** Ends expired HMRC connections and warns about those that will expire soon. */
  'grants.sweep': Record<string, never>;
  /** Updates pending authorisation requests, checks HMRC for clients' decisions, and reminds clients once. */
  'authorisations.sweep': Record<string, never>;
  /** Creates authorisation requests at HMRC until its time budget is used up, then enqueues itself again until the run is done. */
  'authorisations.request': { company_id: string; run_id: string };
  /** Resumes runs of authorisation requests whose job was lost. */
  'authorisation-requests.sweep': Record<string, never>;
  /** Sends a run's invitations until its time budget is used up, then enqueues itself again until none are left. */
  'invitations.send': { company_id: string; run_id: string };
  /** Resumes runs of invitations that had to wait, or whose job was lost. */
  'invitations.sweep': Record<string, never>;
  /** Reminds clients' users of invitations, due items, requests from their practice, and returns to approve. */
  'client-portal.sweep': Record<string, never>;
  /** Notifies practice members of changed figures, and sends digests and emails held back during quiet hours. */
  'notifications.sweep': Record<string, never>;
  /** Sends clients the reminders set up in their practices' rules, and notifies the members responsible. */
  'reminder-rules.sweep': Record<string, never>;
  'reminder-rules.run': { company_id: string; rule_id: string };
  /** Creates tasks for obligations whose period has ended, and completes those whose return HMRC has. */
  'work.sweep': Record<string, never>;
  /** Does the same for one practice, after a refresh from HMRC. */
  'work.update': { company_id: string };
  /** Scans uploaded files that the virus scanner hasn't checked yet. */
  'files.scan': Record<string, never>;
  /**
   * Runs the assistant's rules over a practice's changed clients, and once a day over all of them; then performs safe actions, if allowed.
   */
  'agent.run': { company_id: string };
  /** Starts a run for each practice whose assistant is on. */
  'agent.sweep': Record<string, never>;
  /** Starts nightly refreshes, if an operator has confirmed HMRC's headers for them. */
  'nightly-refresh.sweep': Record<string, never>;
  /** Recalculates a practice's totals. */
  'practice.refresh-totals': { company_id: string };
  /** Recalculates figures that change from day to day: interest and overdue amounts. */
  'positions.sweep': Record<string, never>;
  /** Recalculates a practice's positions that were computed by an older version of the rules. */
  'positions.rebuild-outdated': { company_id: string };
  /** Deletes rows older than the retention table allows. */
  'rows.purge': Record<string, never>;
  /** Deletes all rows of a closed practice, its clients in batches. Doesn't use `company_id`, because only the system may erase. */
  'practice.erase': { practice_id: string };
  /**
   * Reads clients from HMRC until its time budget is used up, then enqueues itself again until the run is done. `worker` numbers a run's
   * parallel jobs, which share its queue; jobs queued by earlier versions don't have one.
   */
  'sync.run': { company_id: string; run_id: string; worker?: number };
  /** Applies the remaining rows of a client import. */
  'clients.import': { company_id: string; import_id: string };
  /** Calculates the tax due dates of an import's clients. */
  'clients.rebuild-positions': { company_id: string; import_id: string };
  /** Looks up a practice's clients at Companies House if they haven't been looked up yet or must be looked up again. */
  'clients.enrich': { company_id: string };
  /** Starts new look-ups of clients whose officers or owners must verify their identity, or who were last looked up months ago. */
  'clients.enrich-sweep': Record<string, never>;
  /** Restores the clients of a bulk change that a user is undoing. */
  'clients.undo-change': { company_id: string; change_id: string };
  /** Resumes imports whose job was lost. */
  'client-imports.sweep': Record<string, never>;
  /** Applies the remaining rows of a statement. */
  'statements.import': { company_id: string; statement_id: string };
  /** Resumes statements whose job was lost, and deletes interrupted uploads. */
  'statements.sweep': Record<string, never>;
  /** Resumes sync runs whose job was lost. */
  'syncs.sweep': Record<string, never>;
};

export const jobTable = defineJobs<JobPayloads>({
  // Users wait for a sign-in link, and payouts move money.
  'mail.send': { isUrgent: true },
  'messages.send': { retryLimit: 100, retryMaxSeconds: 60, expireSeconds: 180 },
  'messages.sweep': { every: 15 },
  'webhooks.send': { expireSeconds: 180 },
  'webhooks.sweep': { every: 5 },
  // Progress is stored page by page, so a lost job costs at most a page.
  'books.read': { retryLimit: 8, retryMaxSeconds: 300, expireSeconds: 300 },
  'books.vat_figures': { retryLimit: 3, retryMaxSeconds: 300, expireSeconds: 300 },
  'books.sweep': { every: 60 },
  'books.link': { retryLimit: 8, retryMaxSeconds: 300, expireSeconds: 60 },
  'books.end_access': { retryLimit: 8, retryMaxSeconds: 300, expireSeconds: 600 },
  'books.organisations': { retryLimit: 8, retryMaxSeconds: 300, expireSeconds: 300 },
  'advance.quote': {},
  'advance.progress': { isUrgent: true },
  // A payout must be retried for more than a day.
  'payout.submit': { isUrgent: true, retryLimit: 100 },
  'payouts.poll': { every: 20 },
  'returns.poll': { every: 600 },
  'credits.poll': { every: 30 },
  'advances.sweep': { every: 5 },
  'direct-debit.submit': { isUrgent: true, retryLimit: 100 },
  'direct-debit.cancel': { isUrgent: true, retryLimit: 30 },
  'mandate.cancel': { retryLimit: 30 },
  'direct-debits.poll': { every: 60 },
  'direct-debit-payouts.poll': { every: 600 },
  'billing.send': { isUrgent: true, retryLimit: 60 },
  'billing.read': { isUrgent: true, retryLimit: 30 },
  'billing.end': { retryLimit: 60 },
  'billing.refund': { isUrgent: true, retryLimit: 60 },
  'billing.write_off': { isUrgent: true, retryLimit: 60 },
  'billing.refunds': { every: 600 },
  'billing.notice': { retryLimit: 30 },
  'billing.sweep': { every: 600 },
  'shortfalls.sweep': { every: 30 },
  'screening.run': { retryLimit: 20, retryMaxSeconds: 600 },
  'screening.sweep': { every: 900 },
  'identity.sweep': { every: 3600 },
  'audit.write-heads': { every: 600 },
  'grants.sweep': { every: 600 },
  'authorisations.sweep': { every: 600 },
  'authorisations.request': { retryLimit: 100, retryMaxSeconds: 60, expireSeconds: 300 },
  'authorisation-requests.sweep': { every: 30 },
  'invitations.send': { retryLimit: 100, retryMaxSeconds: 60, expireSeconds: 180 },
  'invitations.sweep': { every: 30 },
  'client-portal.sweep': { every: 600 },
  'notifications.sweep': { every: 60, expireSeconds: 600 },
  'reminder-rules.sweep': { every: 600 },
  'reminder-rules.run': {},
  'work.sweep': { every: 600 },
  'work.update': {},
  'files.scan': { every: 30, expireSeconds: 600 },
  'agent.run': { expireSeconds: 600 },
  'agent.sweep': { every: 30 },
  'nightly-refresh.sweep': { every: 600 },
  'practice.refresh-totals': {},
  'positions.sweep': { every: 600 },
  'positions.rebuild-outdated': { expireSeconds: 300 },
  'rows.purge': { every: 3600 },
  'practice.erase': { retryLimit: 30, expireSeconds: 600 },
  // Calls may have to wait behind other runs. Progress is stored in the rows, so a lost job costs nothing.
  'sync.run': { retryLimit: 100, retryMaxSeconds: 60, expireSeconds: 300 },
  // One more than the retries of lost runs, so that the job is parked and the import ends as failed before its retries are used up.
  'clients.import': { retryLimit: 6, expireSeconds: 600 },
  'clients.rebuild-positions': { expireSeconds: 600 },
  // Calls may have to wait. The job queues itself again before this time is up.
  'clients.enrich': { retryLimit: 100, retryMaxSeconds: 300, expireSeconds: 180 },
  'clients.enrich-sweep': { every: 3600 },
  'clients.undo-change': { retryLimit: 6, expireSeconds: 300 },
  'client-imports.sweep': { every: 30 },
  'statements.import': { retryLimit: 6, expireSeconds: 900 },
  'statements.sweep': { every: 30 },
  'syncs.sweep': { every: 30 },
});

/** Former names of job kinds. Jobs that an earlier version queued under these names still run. */
export const FORMER_JOB_KINDS = {
  'clients.work-out': 'clients.rebuild-positions',
  'positions.renew': 'positions.rebuild-outdated',
  'practice.totals': 'practice.refresh-totals',
} as const satisfies Readonly<Record<string, keyof JobPayloads>>;

export type Enqueue = EnqueueFunction<JobPayloads>;
export type PortalJobHandlers = JobHandlers<JobPayloads>;
export type PortalParkedHandlers = ParkedHandlers<JobPayloads>;
