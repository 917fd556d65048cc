/** A practice's client list of any size: pages, counts, single and bulk changes, saved views and export. */
import { CLIENT_CHANGE_KINDS, CLIENT_CHANGE_STATES, CLIENT_STATUSES, DUTIES } from '@portal/domain/clients/client.ts';
import { z } from 'zod/mini';
import { clientFacts } from './client-facts.ts';
import { clientAttention, clientFilters, clientKind, matchingClients } from './client-filters.ts';
import { endpoint } from './endpoint.ts';
import { clientAmounts, clientMatchedItems, figuresFields, matchedItems } from './figures.ts';
import { savedViewEndpoints } from './saved-views.ts';
import { taxScalar } from './practice.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar } from './scalars.ts';

/** The client's status with the practice. Totals exclude `inactive` and `closed` clients. */
export const clientStatus = z.enum(CLIENT_STATUSES);

/** What a practice member does for a client. */
export const duty = z.enum(DUTIES);

export const CLIENT_SORTS = ['next_due', 'name', 'overdue', 'owed', 'refund'] as const;
export type ClientSort = (typeof CLIENT_SORTS)[number];

/** Maximum page size of the list. */
export const MAX_CLIENT_PAGE_SIZE = 200;
/** The page size if the caller doesn't specify one. */
export const DEFAULT_PAGE_SIZE = 50;

const order = {
  /** `next_due`: with a date filter, the first date that matches it. */
  sort: z._default(z.enum(CLIENT_SORTS), 'next_due'),
  /** Sort direction. Defaults to ascending for dates and names, descending for amounts. */
  direction: z.optional(z.enum(['asc', 'desc'])),
};

/**
 * One client in the list. Owed and overdue: positive = owed to HMRC. Refund: positive = owed by HMRC. Amounts, dates and their state are
 * for `tax` if the list is filtered by one, otherwise for all taxes that have been read; null if none has.
 */
export const clientRow = z.object({
  client_id: idScalar,
  name: z.string(),
  kind: clientKind,
  status: clientStatus,
  vrn: z.nullable(z.string()),
  utr: z.nullable(z.string()),
  company_number: z.nullable(z.string()),
  client_code: z.nullable(z.string()),
  taxes: z.array(taxScalar),
  ...clientAmounts,
  /** Null unless filtered by `due_before`, `pay_in`, `refund_in` or `has`. */
  matched: z.nullable(clientMatchedItems),
  attention: clientAttention,
  members: z.array(z.object({ user_id: idScalar, full_name: z.string(), duty })),
  ...figuresFields,
});
export type ClientRow = z.output<typeof clientRow>;

/** The clients that an action applies to: either by ID, or all that match a filter (`isSingleSelection`). */
export const clientSelection = {
  client_ids: z.optional(
    z.array(idScalar).check(z.minLength(1, 'Choose a client'), z.maxLength(1000, 'Select at most 1,000 clients individually')),
  ),
  matching: z.optional(matchingClients),
};
export type ClientSelection = { readonly client_ids?: string[] | undefined; readonly matching?: MatchingClients | undefined };
export type MatchingClients = z.output<typeof matchingClients>;

/** Returns whether the clients are selected in exactly one of the two ways. */
export function isSingleSelection({ client_ids: ids, matching }: ClientSelection): boolean {
  return (ids === undefined) !== (matching === undefined);
}

/** The validation error if `isSingleSelection` is false. */
export const SINGLE_SELECTION_ERROR = { message: 'Choose clients by ID, or all clients that match a filter', path: ['client_ids'] };

const selectionInput = z.extend(companyInput, clientSelection);
const rowResults = z.object({
  counts: z.object({ changed: z.int(), unchanged: z.int(), not_found: z.int() }),
  /** The result for each client selected by ID; empty if a filter selected them. */
  results: z.array(z.object({ client_id: idScalar, outcome: z.enum(['changed', 'unchanged', 'not_found']) })),
  /** Identifies the change for undo; null if nothing changed. */
  change_id: z.nullable(idScalar),
});
export type RowResults = z.output<typeof rowResults>;

const changeState = z.enum(CLIENT_CHANGE_STATES);

/** A bulk change that can be or has been undone. `status` is set for a status change; `colleague` and `duty` for an assignment. */
const bulkChange = z.object({
  change_id: idScalar,
  kind: z.enum(CLIENT_CHANGE_KINDS),
  status: z.nullable(clientStatus),
  colleague: z.nullable(z.string()),
  duty: z.nullable(duty),
  changed: z.int(),
  /** The client's name, if exactly one client changed. */
  client_name: z.nullable(z.string()),
  made_at: instantScalar,
  made_by: z.string(),
  is_yours: z.boolean(),
  undo_until: instantScalar,
  state: changeState,
  reverted: z.nullable(z.int()),
});
export type BulkChange = z.output<typeof bulkChange>;

/** The full list as a file. Kept apart from the JSON endpoints, because it is a stream. Takes the list's filters and order. */
export const EXPORT_TABLE_PATH = '/open-tax/export-table';
export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const exportTableInput = z.extend(companyInput, {
  ...clientFilters.shape,
  ...order,
  format: z._default(z.enum(EXPORT_FORMATS), 'csv'),
});
/** JSON body of a POST to the same path and query, which exports only these of the clients that match. */
export const exportSelectedInput = z.object({ client_ids: clientSelection.client_ids });

export const clientsApi = {
  list: endpoint({
    method: 'GET',
    path: '/open-tax/client-companies',
    access: 'practice.read',
    summary: 'List clients, one page at a time in a stable order. A team member sees only assigned clients.',
    input: z.extend(companyInput, {
      ...clientFilters.shape,
      ...order,
      /** `next_cursor` of the previous page, with the same order. */
      cursor: z.optional(z.string().check(z.maxLength(500))),
      limit: z._default(
        z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_CLIENT_PAGE_SIZE, `Request at most ${MAX_CLIENT_PAGE_SIZE} clients`)),
        DEFAULT_PAGE_SIZE,
      ),
    }),
    output: z.object({ clients: z.array(clientRow), next_cursor: z.nullable(z.string()) }),
  }),
  count: endpoint({
    method: 'GET',
    path: '/open-tax/client-companies/count',
    access: 'practice.read',
    summary: 'Count the clients that match a filter, with their totals, and all clients',
    input: z.extend(companyInput, clientFilters.shape),
    output: z.object({ count: z.int(), all: z.int(), matched: z.nullable(matchedItems), today: dateScalar }),
  }),
  find: endpoint({
    method: 'GET',
    path: '/open-tax/client-companies/facts',
    access: 'client.read',
    summary: 'Get a client’s details for editing',
    input: z.extend(companyInput, { client_id: idScalar }),
    /** `version` identifies the current details. Send it back when saving, so that you don't overwrite changes you haven't seen. */
    output: z.extend(clientFacts, { client_id: idScalar, status: clientStatus, version: z.string() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/open-tax/client-companies',
    access: 'practice.clients',
    summary: 'Create a client. A reference that another client already has is rejected.',
    input: z.extend(companyInput, clientFacts.shape),
    output: z.object({ client_id: idScalar }),
  }),
  edit: endpoint({
    method: 'POST',
    path: '/open-tax/client-companies/facts',
    access: 'practice.clients',
    summary: 'Replace a client’s details. Returns 409 client.changed_since and changes nothing if the client was changed since `version`.',
    input: z.extend(companyInput, { client_id: idScalar, version: z.optional(z.string().check(z.maxLength(64))), ...clientFacts.shape }),
    output: doneOutput,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/open-tax/client-companies/status',
    access: 'practice.manage',
    summary: 'Set the status of selected clients, or of all that match a filter, and return the result',
    input: z.extend(selectionInput, { status: clientStatus }).check(z.refine(isSingleSelection, SINGLE_SELECTION_ERROR)),
    output: rowResults,
  }),
  assign: endpoint({
    method: 'POST',
    path: '/open-tax/client-companies/assign',
    access: 'practice.manage',
    summary: 'Assign selected clients, or all that match a filter, to a team member, or unassign them',
    input: z
      .extend(selectionInput, { user_id: idScalar, duty, action: z.enum(['add', 'remove']) })
      .check(z.refine(isSingleSelection, SINGLE_SELECTION_ERROR)),
    output: rowResults,
  }),
  changes: endpoint({
    method: 'GET',
    path: '/open-tax/client-companies/changes',
    access: 'practice.manage',
    summary: 'List the bulk changes of the last 24 hours that can be undone, newest first',
    input: companyInput,
    output: z.object({ changes: z.array(bulkChange) }),
  }),
  change: endpoint({
    method: 'GET',
    path: '/open-tax/client-companies/change',
    access: 'practice.manage',
    summary: 'Get the status of a bulk change: made, being undone or undone',
    input: z.extend(companyInput, { change_id: idScalar }),
    output: z.object({
      state: changeState,
      changed: z.int(),
      /** The number of clients reverted; null until undone. The rest are left unchanged, because someone has changed them since. */
      reverted: z.nullable(z.int()),
    }),
  }),
  undoChange: endpoint({
    method: 'POST',
    path: '/open-tax/client-companies/change/undo',
    access: 'practice.manage',
    summary: 'Undo a bulk change within 24 hours, except for clients that have been changed in the same way since',
    input: z.extend(companyInput, { change_id: idScalar }),
    output: doneOutput,
  }),
  members: endpoint({
    method: 'GET',
    path: '/open-tax/client-companies/members',
    access: 'practice.read',
    summary: 'List the practice’s team members, for filters and assignments',
    input: companyInput,
    output: z.object({
      members: z.array(z.object({ user_id: idScalar, full_name: z.string(), role: z.enum(['admin', 'team_member']), is_you: z.boolean() })),
    }),
  }),
  ...savedViewEndpoints,
};
