/**
 * Freshness of the clients' figures, and the progress of a refresh. Kept apart from the endpoints that start one, whose contract includes
 * the client list's filters.
 */
import { AUTHORISATIONS } from '@portal/domain/authorisations/describe-authorisation.ts';
import { SYNC_STATES } from '@portal/domain/sync/sync-reasons.ts';
import { HMRC_STATUSES_WITHOUT_ENDING } from '@portal/domain/vat-returns/hmrc-status.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { companyInput, idScalar, instantScalar } from './scalars.ts';

export const syncState = z.enum(SYNC_STATES);

/** The reason for a failure: a code, a sentence and the next step. */
const reason = z.object({ code: z.string(), sentence: z.string(), next: z.string() });

/**
 * `queued`: not read, failed or in progress; `waiting` is the part that we will retry later. In a stopped run, no request was sent to HMRC
 * for queued clients.
 */
const counts = z.object({
  total: z.int(),
  queued: z.int(),
  waiting: z.int(),
  reading: z.int(),
  done: z.int(),
  failed: z.int(),
  /** Clients whose figures HMRC doesn't release yet, because they haven't authorised the practice. They don't count as failures. */
  not_authorised: z.int(),
  /** Calls that HMRC rejected because of its rate limit. We repeat them, so they don't count as failures. */
  throttled: z.int(),
});

/** The latest run for the practice and tax. */
const run = z.object({
  run_id: idScalar,
  state: z.enum([...SYNC_STATES, 'cancelled']),
  started_at: instantScalar,
  ended_at: z.nullable(instantScalar),
  reason: z.nullable(reason),
  counts,
  /** True if HMRC is currently limiting our calls. */
  is_throttled: z.boolean(),
  /** Clients finished in the last minute; null at the start and after the run has ended. */
  rate_per_minute: z.nullable(z.int()),
  /** Estimated from the rate and rounded up to ten seconds, or to a minute if above two minutes; null when the rate is null. */
  seconds_left: z.nullable(z.int()),
});

/**
 * A refresh as text, for example "Refreshing VAT for 118 clients: 96 done, 3 failed, 19 queued". `sentence` is null if no refresh is
 * running.
 */
const taxRefreshStatus = z.object({
  tax_type: taxScalar,
  is_refreshing: z.boolean(),
  sentence: z.nullable(z.string()),
  run: z.nullable(run),
});
export type TaxRefreshStatus = z.output<typeof taxRefreshStatus>;

/**
 * Server-sent progress events for `?company_id=`. On connecting and on every change, the server sends each event with the current response
 * of the matching endpoint: `progress` (refreshing-clients, for the taxes being read), `fetching` (fetching-new-clients, admins only) and
 * `connections` (accountant-connections). `signed_out` is the last event of a session that has ended.
 */
export const SYNC_EVENTS_PATH = '/open-tax/sync-events';

/** Payload of a `progress` event. */
export const syncProgress = z.array(taxRefreshStatus);

/** A practice and one of its taxes. */
export const syncInput = z.extend(companyInput, { tax_type: taxScalar });

const authorisationCount = z.object({ status: z.enum(AUTHORISATIONS), clients: z.int() });
const connection = z.object({
  provider: z.enum(['hmrc', 'companies_house']),
  status: z.enum(HMRC_STATUSES_WITHOUT_ENDING),
  connected_at: z.nullable(instantScalar),
  consent_ends_at: z.nullable(instantScalar),
});

export const syncStatusEndpoints = {
  syncData: endpoint({
    method: 'GET',
    path: '/open-tax/sync-data',
    access: 'practice.read',
    summary:
      'Get the sync status of a tax for all visible clients: states, failure reasons with example clients, and the oldest and newest refresh',
    input: syncInput,
    output: z.object({
      tax_type: taxScalar,
      clients: z.int(),
      never_read: z.int(),
      /** `waiting`: failed and will be retried automatically. `failed`: someone must act. */
      states: z.object({ checking: z.int(), importing: z.int(), waiting: z.int(), completed: z.int(), failed: z.int() }),
      failures: z.array(z.extend(reason, { clients: z.int(), examples: z.array(z.object({ client_id: idScalar, name: z.string() })) })),
      /** Why clients are waiting for a retry. */
      waits: z.array(z.extend(reason, { clients: z.int() })),
      /**
       * Clients without the reference that HMRC requires, which refreshes don't cover. Partnerships and trusts, for example, don't have a
       * National Insurance number.
       */
      never_asked: z.int(),
      oldest_read_at: z.nullable(instantScalar),
      newest_read_at: z.nullable(instantScalar),
      /**
       * Number of clients by authorisation status (`connectionStatus`). `failures` excludes clients that haven't authorised the practice.
       */
      authorisations: z.array(authorisationCount),
      run: z.nullable(run),
    }),
  }),
  refreshingClients: endpoint({
    method: 'GET',
    path: '/open-tax/refreshing-clients',
    access: 'practice.read',
    summary: 'Get the progress of a tax refresh for all visible clients',
    input: syncInput,
    output: taxRefreshStatus,
  }),
  connectionStatus: endpoint({
    method: 'GET',
    path: '/open-tax/connection-status',
    access: 'practice.read',
    summary: 'Get the data source of a tax and whether it is connected',
    input: syncInput,
    output: z.object({
      tax_type: taxScalar,
      /** `hmrc`: refreshed from HMRC. `statement`: HMRC has no API for reading it, so the practice imports statements. */
      source: z.enum(['hmrc', 'statement']),
      connection,
      can_refresh: z.boolean(),
      /**
       * Number of clients by authorisation status, among the active ones that the user may see. Matches the list's filters by `tax`,
       * `authorisation` and `status=in_hand`.
       */
      authorisations: z.array(authorisationCount),
    }),
  }),
  accountantConnections: endpoint({
    method: 'GET',
    path: '/open-tax/accountant-connections',
    access: 'practice.read',
    summary: 'List the practice’s connections',
    input: companyInput,
    output: z.object({ arn: z.nullable(z.string()), connections: z.array(connection) }),
  }),
  clientSyncData: endpoint({
    method: 'GET',
    path: '/client/sync-data',
    access: 'client.figures',
    summary: 'Get the sync status of each tax of a client',
    input: z.extend(companyInput, { client_id: idScalar }),
    output: z.object({
      client_id: idScalar,
      taxes: z.array(
        z.object({
          tax_type: taxScalar,
          state: z.nullable(syncState),
          reason: z.nullable(reason),
          read_at: z.nullable(instantScalar),
          retry_at: z.nullable(instantScalar),
        }),
      ),
    }),
  }),
};
