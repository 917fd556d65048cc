/** A practice's clients as a list of any size: one page after another, counted apart, changed one or many at a time, kept as views, taken out as a file. */
import { DEADLINES } from '@portal/domain/practice/positions/position.ts';
import { CLIENT_NEEDS } from '@portal/domain/practice/positions/summarise-client.ts';
import { CLIENT_KINDS } from '@portal/domain/practice/client-import/imported-client.ts';
import { CLIENT_CHANGE_KINDS, CLIENT_CHANGE_STATES, CLIENT_STATUSES, DUTIES } from '@portal/domain/practice/client.ts';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { savedViewCalls } from './saved-views.ts';
import { taxScalar } from './practice.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar, nameScalar, penceScalar } from './scalars.ts';

/** Where a client stands with the practice. `inactive` and `closed` clients are no longer in hand: no total counts them. */
export const clientStatus = z.enum(CLIENT_STATUSES);
export type ClientStatusName = z.output<typeof clientStatus>;

/** Why somebody should look, most pressing first. */
export const clientNeed = z.enum(CLIENT_NEEDS);
export type ClientNeedName = z.output<typeof clientNeed>;

/** What a client is in law. */
export const clientKind = z.enum(CLIENT_KINDS);

/** What a person of the practice does for a client. */
export const duty = z.enum(DUTIES);

/** What a client has, in one tax where `tax` is named and in any otherwise. */
export const CLIENT_HOLDINGS = ['owed', 'overdue', 'overdue_return', 'refund', 'at_risk'] as const;

/** What narrows the list; the count, the export and the screens' addresses use the same names. */
export const clientFilters = z.object({
  /** Part of the name, VAT number, UTR or company number; spaces within a number do not matter. */
  q: z.string().trim().max(100, 'Search for at most 100 characters').optional(),
  /** `in_hand`: neither inactive nor closed, as the totals count. */
  status: z.enum([...CLIENT_STATUSES, 'in_hand']).optional(),
  tax: taxScalar.optional(),
  attention: clientNeed.optional(),
  /** Whose clients: a person of the practice. */
  member: idScalar.optional(),
  kind: clientKind.optional(),
  /** A return or payment (of `tax`, where named) falls due from today up to and including this day. */
  due_before: dateScalar.optional(),
  has: z.enum(CLIENT_HOLDINGS).optional(),
});
export type ClientFilters = z.output<typeof clientFilters>;

export const CLIENT_SORTS = ['next_due', 'name', 'overdue', 'owed', 'refund'] as const;
export type ClientSort = (typeof CLIENT_SORTS)[number];

/** The largest page of the list. */
export const CLIENT_PAGE_LIMIT = 200;

const order = {
  sort: z.enum(CLIENT_SORTS).default('next_due'),
  /** Where not given: dates and names upwards, amounts downwards. */
  direction: z.enum(['asc', 'desc']).optional(),
};

/** One client of the list. Amounts: owed and overdue positive = owed to HMRC; refund positive = coming from HMRC. */
export const clientRow = z.object({
  client_id: idScalar,
  name: z.string(),
  kind: clientKind,
  status: clientStatus,
  vrn: z.string().nullable(),
  utr: z.string().nullable(),
  company_number: z.string().nullable(),
  taxes: z.array(taxScalar),
  /** Null where nothing is due. */
  next_due_on: dateScalar.nullable(),
  next_due_tax: taxScalar.nullable(),
  next_due_what: z.enum(DEADLINES).nullable(),
  next_due_pence: penceScalar.nullable(),
  owed_pence: penceScalar,
  overdue_pence: penceScalar,
  refund_pence: penceScalar,
  attention: clientNeed,
  members: z.array(z.object({ user_id: idScalar, full_name: z.string(), duty })),
  /** When the oldest of the client's figures was read; null where none was. */
  as_of: instantScalar.nullable(),
});
export type ClientRow = z.output<typeof clientRow>;

/** The facts of a client as people type them; each is judged as a row of an import file is. An empty text is none. */
const clientFacts = z.object({
  name: nameScalar('the name of the client'),
  kind: clientKind,
  taxes: z.array(taxScalar).max(4),
  vrn: z.string().trim().max(200).default(''),
  utr: z.string().trim().max(200).default(''),
  nino: z.string().trim().max(200).default(''),
  company_number: z.string().trim().max(200).default(''),
  paye_reference: z.string().trim().max(200).default(''),
  accounts_office_reference: z.string().trim().max(200).default(''),
  postcode: z.string().trim().max(200).default(''),
  vat_registered_on: z.string().trim().max(200).default(''),
  year_end: z.string().trim().max(200).default(''),
  email: z.string().trim().max(200).default(''),
  phone: z.string().trim().max(200).default(''),
});
export type ClientFacts = z.output<typeof clientFacts>;

/** All that a filter finds, as the person saw them counted: where it finds another number by now, nothing is done (409 `clients.count_changed`). */
export const matchingClients = z.object({ filters: clientFilters, count: z.int().min(1, 'Choose a client') });

/** Which clients an action is for: some, by their ids, or all that a filter finds. Exactly one of the two (`isOneChoice`). */
export const clientChoice = {
  client_ids: z.array(idScalar).min(1, 'Choose a client').max(1000, 'Choose at most 1,000 clients by name').optional(),
  matching: matchingClients.optional(),
};
export type ClientChoice = { readonly client_ids?: string[] | undefined; readonly matching?: MatchingClients | undefined };
export type MatchingClients = z.output<typeof matchingClients>;

/** Whether a choice is made, and made in one way. */
export function isOneChoice({ client_ids: ids, matching }: ClientChoice): boolean {
  return (ids === undefined) !== (matching === undefined);
}

/** What `isOneChoice` refuses with. */
export const ONE_CHOICE = { message: 'Name clients by their ids, or all that a filter finds', path: ['client_ids'] };

const chosen = companyInput.extend(clientChoice);
const rowResults = z.object({
  counts: z.object({ changed: z.int(), unchanged: z.int(), not_found: z.int() }),
  /** What became of each client that was named by its id; empty where a filter chose them. */
  results: z.array(z.object({ client_id: idScalar, outcome: z.enum(['changed', 'unchanged', 'not_found']) })),
  /** Names the change, to undo it with; null where nothing was changed. */
  change_id: idScalar.nullable(),
});
export type RowResults = z.output<typeof rowResults>;

const changeState = z.enum(CLIENT_CHANGE_STATES);

/** One change of some clients that can still be undone, or was. `status` of a status set; `colleague` and `duty` of an assignment. */
const madeChange = z.object({
  change_id: idScalar,
  kind: z.enum(CLIENT_CHANGE_KINDS),
  status: clientStatus.nullable(),
  colleague: z.string().nullable(),
  duty: duty.nullable(),
  changed: z.int(),
  /** The one client's, where there is but one. */
  client_name: z.string().nullable(),
  made_at: instantScalar,
  made_by: z.string(),
  is_yours: z.boolean(),
  undo_until: instantScalar,
  state: changeState,
  put_back: z.int().nullable(),
});
export type MadeChange = z.output<typeof madeChange>;

/** The whole result of the list as a file: a stream, so it stands beside the JSON calls. Takes the list's filters and order, and `format`. */
export const EXPORT_TABLE_PATH = '/open-tax/export-table';
export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const exportTableInput = companyInput.extend({ ...clientFilters.shape, ...order, format: z.enum(EXPORT_FORMATS).default('csv') });
/** The JSON body of a POST to the same address with the same query: of what the filter finds, these clients alone. */
export const exportChosenInput = z.object({ client_ids: clientChoice.client_ids });

export const clientsApi = {
  list: endpoint({
    method: 'GET',
    path: '/open-tax/client-companies',
    access: 'practice.read',
    summary: 'One page of the clients, in an order that paging neither loses nor doubles. A team_member sees the assigned ones.',
    input: companyInput.extend({
      ...clientFilters.shape,
      ...order,
      /** `next_cursor` of the page before, in the same order. */
      cursor: z.string().max(500).optional(),
      limit: z.coerce.number().int().min(1).max(CLIENT_PAGE_LIMIT, `Ask for at most ${CLIENT_PAGE_LIMIT} clients`).default(50),
    }),
    output: z.object({ clients: z.array(clientRow), next_cursor: z.string().nullable() }),
  }),
  count: endpoint({
    method: 'GET',
    path: '/open-tax/client-companies/count',
    access: 'practice.read',
    summary: 'How many clients a filter finds, and how many there are without it.',
    input: companyInput.extend(clientFilters.shape),
    output: z.object({ count: z.int(), all: z.int(), today: dateScalar }),
  }),
  find: endpoint({
    method: 'GET',
    path: '/open-tax/client-companies/facts',
    access: 'client.read',
    summary: 'What is written down of one client, as the form for changing it shows it.',
    input: companyInput.extend({ client_id: idScalar }),
    /** `version` names the facts as they stand: whoever writes them sends it back, so that nobody overwrites what they have not seen. */
    output: clientFacts.extend({ client_id: idScalar, status: clientStatus, version: z.string() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/open-tax/client-companies',
    access: 'practice.manage',
    summary: 'Adds one client by hand; a reference that another client has is refused.',
    input: companyInput.extend(clientFacts.shape),
    output: z.object({ client_id: idScalar }),
  }),
  edit: endpoint({
    method: 'POST',
    path: '/open-tax/client-companies/facts',
    access: 'practice.manage',
    summary:
      'Writes the facts of one client anew, all of them. Where another version stands there by now, nothing is written (409 client.changed_meanwhile).',
    input: companyInput.extend({ client_id: idScalar, version: z.string().max(64).optional(), ...clientFacts.shape }),
    output: doneOutput,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/open-tax/client-companies/status',
    access: 'practice.manage',
    summary: 'Sets the status of some clients or of all that a filter finds, with what became of them.',
    input: chosen.extend({ status: clientStatus }).refine(isOneChoice, ONE_CHOICE),
    output: rowResults,
  }),
  assign: endpoint({
    method: 'POST',
    path: '/open-tax/client-companies/assign',
    access: 'practice.manage',
    summary: 'Gives some clients, or all that a filter finds, into the care of a person, or takes them out of it.',
    input: chosen.extend({ user_id: idScalar, duty, action: z.enum(['add', 'remove']) }).refine(isOneChoice, ONE_CHOICE),
    output: rowResults,
  }),
  changes: endpoint({
    method: 'GET',
    path: '/open-tax/client-companies/changes',
    access: 'practice.manage',
    summary: 'What was changed of clients within the last 24 hours, the newest first: as long as it can be undone.',
    input: companyInput,
    output: z.object({ changes: z.array(madeChange) }),
  }),
  change: endpoint({
    method: 'GET',
    path: '/open-tax/client-companies/change',
    access: 'practice.manage',
    summary: 'How a change of some clients stands: made, being undone, undone.',
    input: companyInput.extend({ change_id: idScalar }),
    output: z.object({
      state: changeState,
      changed: z.int(),
      /** How many are again as they were; the others were changed by somebody since and stay. Null until it is undone. */
      put_back: z.int().nullable(),
    }),
  }),
  undoChange: endpoint({
    method: 'POST',
    path: '/open-tax/client-companies/change/undo',
    access: 'practice.manage',
    summary: 'Has a change undone, within 24 hours, for each client that nobody has changed in the same way since.',
    input: companyInput.extend({ change_id: idScalar }),
    output: doneOutput,
  }),
  members: endpoint({
    method: 'GET',
    path: '/open-tax/client-companies/members',
    access: 'practice.read',
    summary: 'The people of the practice, for narrowing the list and for giving clients into their care.',
    input: companyInput,
    output: z.object({
      members: z.array(z.object({ user_id: idScalar, full_name: z.string(), role: z.enum(['admin', 'team_member']), is_you: z.boolean() })),
    }),
  }),
  ...savedViewCalls,
};
