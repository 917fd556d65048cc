/** How fresh the clients' figures are: the reading of many clients at HMRC, its progress, and what it hangs on. */
import { SYNC_STATES } from '@portal/domain/practice/sync-reasons.ts';
import { HMRC_STATUSES } from '@portal/domain/filing/hmrc-status.ts';
import { z } from 'zod';
import { matchingClients } from './clients.ts';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { companyInput, idScalar, instantScalar } from './scalars.ts';

export const syncState = z.enum(SYNC_STATES);

/** Why something failed: the code, a sentence, and what to do. */
const reason = z.object({ code: z.string(), sentence: z.string(), next: z.string() });

/** `queued`: neither read nor failed nor in hand; `waiting` of them are tried again after a while. Of a run that was stopped they were not asked about. */
const counts = z.object({ total: z.int(), queued: z.int(), waiting: z.int(), reading: z.int(), done: z.int(), failed: z.int() });

/** The newest run of the practice and tax. */
const run = z.object({
  run_id: idScalar,
  state: z.enum([...SYNC_STATES, 'cancelled']),
  started_at: instantScalar,
  ended_at: instantScalar.nullable(),
  reason: reason.nullable(),
  counts,
});

/** One refresh as people read it: "Refreshing VAT for 118 clients: 96 done, 3 failed, 19 queued". `sentence` is null where none is under way. */
const refreshing = z.object({ tax_type: taxScalar, is_refreshing: z.boolean(), sentence: z.string().nullable(), run: run.nullable() });
export type Refreshing = z.output<typeof refreshing>;

/**
 * The stream of progress: `?company_id=`, server-sent events. Each says what the call of the same matter would answer now, at first and whenever it
 * has changed: `progress` refreshing-clients of the taxes that are read, `fetching` fetching-new-clients (to admins), `connections`
 * accountant-connections. `signed_out` is the last word of a session that ended.
 */
export const SYNC_EVENTS_PATH = '/open-tax/sync-events';

/** What `progress` carries. */
export const syncProgress = z.array(refreshing);

const taxInput = companyInput.extend({ tax_type: taxScalar });

/** Some clients, or all that a filter of the list finds; without either, all in view. Of them, those that have the tax and are in hand are read. */
const readingInput = taxInput
  .extend({ client_ids: z.array(idScalar).min(1).max(1000).optional(), matching: matchingClients.optional() })
  .refine(({ client_ids: ids, matching }) => ids === undefined || matching === undefined, {
    message: 'Name clients by their ids, or all that a filter finds',
    path: ['client_ids'],
  });
const connection = z.object({
  provider: z.enum(['hmrc', 'companies_house']),
  status: z.enum(HMRC_STATUSES).exclude(['ending']),
  connected_at: instantScalar.nullable(),
  consent_ends_at: instantScalar.nullable(),
});

export const syncApi = {
  syncData: endpoint({
    method: 'GET',
    path: '/open-tax/sync-data',
    access: 'practice.read',
    summary: 'How fresh one tax is over the clients in view: states, reasons of failure with their clients, oldest and newest reading.',
    input: taxInput,
    output: z.object({
      tax_type: taxScalar,
      clients: z.int(),
      never_read: z.int(),
      /** `waiting`: failed, and tried again by itself. `failed`: left to a person. */
      states: z.object({ checking: z.int(), importing: z.int(), waiting: z.int(), completed: z.int(), failed: z.int() }),
      failures: z.array(reason.extend({ clients: z.int(), examples: z.array(z.object({ client_id: idScalar, name: z.string() })) })),
      /** Why clients wait for another try. */
      waits: z.array(reason.extend({ clients: z.int() })),
      /** Clients without the number that HMRC is asked by, which no refresh covers: partnerships and trusts have no National Insurance number. */
      never_asked: z.int(),
      oldest_read_at: instantScalar.nullable(),
      newest_read_at: instantScalar.nullable(),
      run: run.nullable(),
    }),
  }),
  refreshingClients: endpoint({
    method: 'GET',
    path: '/open-tax/refreshing-clients',
    access: 'practice.read',
    summary: 'The progress of the refresh of one tax, over the clients in view.',
    input: taxInput,
    output: refreshing,
  }),
  connectionStatus: endpoint({
    method: 'GET',
    path: '/open-tax/connection-status',
    access: 'practice.read',
    summary: 'Where figures of one tax come from, and whether that way is open.',
    input: taxInput,
    output: z.object({
      tax_type: taxScalar,
      /** `hmrc`: read by refreshing. `statement`: HMRC offers no reading, the practice imports statements. */
      source: z.enum(['hmrc', 'statement']),
      connection,
      can_refresh: z.boolean(),
      /** Clients in view by what HMRC authorises. */
      authorisations: z.array(z.object({ status: z.string(), clients: z.int() })),
    }),
  }),
  accountantConnections: endpoint({
    method: 'GET',
    path: '/open-tax/accountant-connections',
    access: 'practice.read',
    summary: "The practice's own connections.",
    input: companyInput,
    output: z.object({ arn: z.string().nullable(), connections: z.array(connection) }),
  }),
  clientSyncData: endpoint({
    method: 'GET',
    path: '/client/sync-data',
    access: 'client.read',
    summary: 'How fresh each tax of one client is.',
    input: companyInput.extend({ client_id: idScalar }),
    output: z.object({
      client_id: idScalar,
      taxes: z.array(
        z.object({
          tax_type: taxScalar,
          state: syncState.nullable(),
          reason: reason.nullable(),
          read_at: instantScalar.nullable(),
          retry_at: instantScalar.nullable(),
        }),
      ),
    }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/open-tax/sync',
    access: 'practice.read',
    summary: "Reads one tax of the clients in view, or of some of them, at HMRC, on this person's click. A live refresh is joined.",
    input: readingInput,
    output: z.object({ run_id: idScalar, queued: z.int(), joined: z.boolean() }),
    callsHmrc: true,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/open-tax/sync/cancel',
    access: 'practice.manage',
    summary: 'Stops the live refresh of one tax. What was read stays.',
    input: taxInput,
    output: z.object({ cancelled: z.boolean() }),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/open-tax/sync/retry',
    access: 'practice.read',
    summary: 'Reads again, on this click, the clients in view whose last reading failed.',
    input: readingInput,
    output: z.object({ run_id: idScalar, queued: z.int(), joined: z.boolean() }),
    callsHmrc: true,
  }),
};
