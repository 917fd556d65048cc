/** Every kind of job of the portal, what it carries and how patiently it is tried. */
import { defineJobs, type EnqueueOf, type JobHandlers, type ParkedHandlers } from './job-table.ts';

export type JobPayloads = {
  'mail.send': { to: string; subject: string; text: string };
  /** Prices the refund of a return that HMRC has accepted. */
  'advance.quote': { company_id: string; obligation_id: string };
  /** Takes an advance as far as it can go by itself. */
  'advance.progress': { company_id: string; advance_id: string };
  /** Hands a payout to the payments provider; its id is the idempotency key, so that a repeat is the same payout. */
  'payout.submit': { company_id: string; payout_id: string };
  /** Asks what became of payouts whose webhook has not come. */
  'payouts.poll': Record<string, never>;
  /** Asks for credits whose webhook has not come. */
  'credits.poll': Record<string, never>;
  /** Acts on what the clock has brought: expired quotes, holds that ended. */
  'advances.sweep': Record<string, never>;
  /** Forgets what is no longer needed: ended sessions, spent links, old counts. */
  'identity.sweep': Record<string, never>;
  /** Ends grants at HMRC whose time is over, and warns of those that end soon. */
  'grants.sweep': Record<string, never>;
  /** Counts the days of requests of authority that wait, and asks HMRC for their answers. */
  'authorisations.sweep': Record<string, never>;
  /** Counts a practice's totals anew. */
  'practice.refresh-totals': { company_id: string };
  /** Works out anew what a new day changes: interest, and what was due yesterday. */
  'positions.sweep': Record<string, never>;
  /** Works a practice's positions out anew that an older version of the rules made. */
  'positions.rebuild-outdated': { company_id: string };
  /** Removes the rows of imported files whose time is over. */
  'rows.purge': Record<string, never>;
  /** Reads clients at HMRC for a while, then asks for itself again until the run is done. `worker` numbers those of one run, which share its queue; jobs queued by earlier versions have none. */
  'sync.run': { company_id: string; run_id: string; worker?: number };
  /** Takes in what is left of an import of clients. */
  'clients.import': { company_id: string; import_id: string };
  /** Works out the days of the taxes of an import's clients. */
  'clients.rebuild-positions': { company_id: string; import_id: string };
  /** Asks Companies House about a practice's clients that it was not asked about yet. */
  'clients.enrich': { company_id: string };
  /** Puts back the clients of a change that is undone. */
  'clients.undo-change': { company_id: string; change_id: string };
  /** Takes up imports whose job is gone. */
  'client-imports.sweep': Record<string, never>;
  /** Takes in what is left of a statement. */
  'statements.import': { company_id: string; statement_id: string };
  /** Takes up statements whose job is gone, and removes uploads that broke off. */
  'statements.sweep': Record<string, never>;
  /** Takes up what nobody works on any more: runs whose job is gone. */
  'syncs.sweep': Record<string, never>;
};

export const jobTable = defineJobs<JobPayloads>({
  'mail.send': {},
  'advance.quote': {},
  'advance.progress': {},
  // Nothing about money gives up by itself within a day.
  'payout.submit': { retryLimit: 100 },
  'payouts.poll': { every: 20 },
  'credits.poll': { every: 30 },
  'advances.sweep': { every: 5 },
  'identity.sweep': { every: 3600 },
  'grants.sweep': { every: 600 },
  'authorisations.sweep': { every: 600 },
  'practice.refresh-totals': {},
  'positions.sweep': { every: 600 },
  'positions.rebuild-outdated': { expireSeconds: 300 },
  'rows.purge': { every: 3600 },
  // Calls may wait their turn behind other runs; the queue of rows is the memory, a lost job costs nothing.
  'sync.run': { retryLimit: 100, retryMaxSeconds: 60, expireSeconds: 300 },
  // Six, one more than the retries of lost runs: the job is parked before its tries are used up, and the import ends as failed.
  'clients.import': { retryLimit: 6, expireSeconds: 600 },
  'clients.rebuild-positions': { expireSeconds: 600 },
  // Its calls wait their turn, and it gives way to itself before the time is over.
  'clients.enrich': { retryLimit: 100, retryMaxSeconds: 300, expireSeconds: 180 },
  'clients.undo-change': { retryLimit: 6, expireSeconds: 300 },
  'client-imports.sweep': { every: 30 },
  'statements.import': { retryLimit: 6, expireSeconds: 900 },
  'statements.sweep': { every: 30 },
  'syncs.sweep': { every: 30 },
});

/** Former names of kinds: jobs that an earlier version queued under them still run. */
export const FORMER_JOB_KINDS = {
  'clients.work-out': 'clients.rebuild-positions',
  'positions.renew': 'positions.rebuild-outdated',
  'practice.totals': 'practice.refresh-totals',
} as const satisfies Readonly<Record<string, keyof JobPayloads>>;

export type Enqueue = EnqueueOf<JobPayloads>;
export type PortalJobHandlers = JobHandlers<JobPayloads>;
export type PortalParkedHandlers = ParkedHandlers<JobPayloads>;
