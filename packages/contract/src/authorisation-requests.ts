/** Creates authorisation requests at HMRC for many clients and lists their links. */
import { REQUEST_OUTCOMES, REQUEST_RUN_END_REASONS, SKIP_REASONS } from '@portal/domain/authorisations/request-outcome.ts';
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { z } from 'zod/mini';
import { requestEmailSchema } from './authorisations.ts';
import { clientSelection, isSingleSelection, SINGLE_SELECTION_ERROR } from './clients.ts';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, idScalar, instantScalar } from './scalars.ts';

const coveredTax = z.enum(AGENT_TAXES);
const taxInput = z.extend(companyInput, { tax: coveredTax });
const namedClient = z.object({ client_id: idScalar, name: z.string() });
const selectionInput = z.extend(taxInput, clientSelection).check(z.refine(isSingleSelection, SINGLE_SELECTION_ERROR));

/** A run that creates requests, limited to the clients that the user may see. `queued` clients don't have a result yet. */
const run = z.object({
  run_id: idScalar,
  tax: coveredTax,
  started_at: instantScalar,
  ended_at: z.nullable(instantScalar),
  /** Why the run ended early. */
  reason: z.nullable(z.enum(REQUEST_RUN_END_REASONS)),
  total: z.int(),
  queued: z.int(),
  outcomes: z.array(
    z.object({
      outcome: z.enum(REQUEST_OUTCOMES),
      clients: z.int(),
      examples: z.array(namedClient),
    }),
  ),
});
export type RequestRun = z.output<typeof run>;

const link = z.object({
  client_id: idScalar,
  name: z.string(),
  email: z.nullable(z.string()),
  url: z.string(),
  expires_on: z.nullable(dateScalar),
  /** The latest email about the request, or null if it wasn’t emailed. */
  emailed: z.nullable(requestEmailSchema),
});

/** The pending links for a tax as a CSV file. Input: `company_id` and `tax`. */
export const REQUEST_LINKS_FILE_PATH = '/open-tax/authorisation-requests/links-file';
export const requestLinksFileQuery = taxInput;

export const authorisationRequestsApi = {
  preview: endpoint({
    method: 'POST',
    path: '/open-tax/authorisation-requests/preview',
    access: 'practice.read',
    summary:
      'Count the selected clients that would get an authorisation request, with a sample, and those that wouldn’t, by reason. Changes nothing.',
    input: selectionInput,
    output: z.object({
      ready: z.int(),
      /**
       * A sample of five clients. Contains all clients if the selection lists them by ID, because no filter of the list matches exactly
       * these.
       */
      sample: z.array(namedClient),
      skipped: z.array(z.object({ reason: z.enum(SKIP_REASONS), clients: z.int(), sample: z.array(namedClient) })),
      /** Estimated at HMRC's rate of three calls a second. */
      minutes: z.int(),
      /** Whether the practice has chosen to email the links. */
      emails_clients: z.boolean(),
      /** The number of clients that would get a request but don't have an email address. */
      without_email: z.int(),
    }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/open-tax/authorisation-requests',
    access: 'practice.read',
    summary: 'Create authorisation requests for the selected clients in the background, and email each client HMRC’s link.',
    /**
     * `count` is the number that the user saw in the preview. If it has changed, nothing is created (409 `requests.count_changed`). An
     * admin’s `emails_clients` is saved for the practice. Defaults to the saved choice.
     */
    input: z
      .extend(taxInput, {
        ...clientSelection,
        count: z.int().check(z.minimum(1, 'Choose a client that needs an authorisation request')),
        emails_clients: z.optional(z.boolean()),
      })
      .check(z.refine(isSingleSelection, SINGLE_SELECTION_ERROR)),
    output: z.object({ run_id: idScalar, queued: z.int() }),
    callsHmrc: true,
    maxPerPerson: 60,
  }),
  latest: endpoint({
    method: 'GET',
    path: '/open-tax/authorisation-requests',
    access: 'practice.read',
    summary: 'Get the latest run of authorisation requests for a tax',
    input: taxInput,
    output: z.object({ run: z.nullable(run) }),
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/open-tax/authorisation-requests/cancel',
    access: 'practice.read',
    summary: 'Stop creating authorisation requests. Requests already created are kept.',
    input: taxInput,
    output: z.object({ cancelled: z.boolean() }),
  }),
  links: endpoint({
    method: 'GET',
    path: '/open-tax/authorisation-requests/links',
    access: 'practice.read',
    summary: 'List the links for all pending requests for a tax, by client name',
    input: taxInput,
    output: z.object({ links: z.array(link) }),
  }),
};
