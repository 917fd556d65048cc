/** The bookkeeping software that a company's books come from (docs/decisions/0056-connecting-books.md). */
import { BOOKS_KINDS, TREATMENTS } from '@portal/domain/books/books-row.ts';
import { VAT_BASES } from '@portal/domain/connected-books/books-document.ts';
import { BOOKS_PROBLEM_CODES } from '@portal/domain/connected-books/books-problems.ts';
import { BOOKS_CONNECTION_STATUSES, BOOKS_END_REASONS, BOOKS_PROVIDERS } from '@portal/domain/connected-books/books-providers.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, instantScalar, penceScalar } from './scalars.ts';

export const booksProviderScalar = z.enum(BOOKS_PROVIDERS);

/** The outcome of connecting, in the URL that the browser is redirected to afterwards. */
export const BOOKS_OUTCOMES = [
  'books_connected',
  'books_declined',
  'books_no_permission',
  'books_not_allowed',
  'books_no_organisation',
  'books_failed',
] as const;
export type BooksOutcome = (typeof BOOKS_OUTCOMES)[number];

const draft = z.object({
  date: dateScalar,
  reference: z.string(),
  counterparty: z.string(),
  net_pence: penceScalar,
  vat_pence: penceScalar,
  link: z.nullable(z.string()),
});
export type DraftOutput = z.output<typeof draft>;

const rateQuestion = z.object({
  /** The bookkeeping software's own code for the rate. */
  code: z.string(),
  name: z.string(),
  documents: z.int(),
  /** The reference of an example document with this rate. */
  example: z.string(),
});

const connection = z.object({
  program: booksProviderScalar,
  /** Whether a practice reads the client's books through its own authorisation, which also covers other clients. */
  is_by_practice: z.boolean(),
  /** `choosing`: the organisation hasn't been chosen yet. `lost`: the bookkeeping software no longer accepts our tokens. */
  status: z.enum(BOOKS_CONNECTION_STATUSES),
  /** Organisations that the user can connect. `organisation_id` is the connected one. */
  organisations: z.array(z.object({ organisation_id: z.string(), name: z.string() })),
  organisation_id: z.nullable(z.string()),
  organisation_name: z.nullable(z.string()),
  vat_number: z.nullable(z.string()),
  basis: z.nullable(z.enum(VAT_BASES)),
  is_basis_answered: z.boolean(),
  /** Documents up to this date can't be changed in the bookkeeping software. */
  locked_until: z.nullable(dateScalar),
  /** Missing permissions that aren't needed to read the books. Connecting again adds them. */
  not_permitted: z.array(z.enum(['supplier_vat_numbers'])),
  /** Whether no supplier has a tax registration number in QuickBooks, so that claims from suppliers without one aren't flagged. */
  has_no_supplier_numbers: z.boolean(),
  connected_at: instantScalar,
  lost_at: z.nullable(instantScalar),
  /**
   * `refused`: the bookkeeping software rejected our tokens. `expired`: the books weren't read for too long. `removed`: someone removed our
   * access to this organisation in the bookkeeping software.
   */
  lost_reason: z.nullable(z.enum(BOOKS_END_REASONS)),
  /** Set while the books are being read. */
  reading: z.nullable(z.object({ objects: z.int(), started_at: instantScalar, waits_until: z.nullable(instantScalar) })),
  last_read_at: z.nullable(instantScalar),
  /** Why the books can't be used in their current state. */
  problem: z.nullable(z.object({ code: z.enum(BOOKS_PROBLEM_CODES), title: z.string(), text: z.string() })),
  questions: z.array(rateQuestion),
  /**
   * Documents that are left out until they are approved in the bookkeeping software. Lists only the first few; `draft_count` is the total.
   */
  drafts: z.array(draft),
  draft_count: z.int(),
  /** Whether disconnecting here also ends our access in the bookkeeping software. If not, the user has to remove the app there. */
  ends_at_program: z.boolean(),
});
export type BooksConnection = z.output<typeof connection>;

export const booksConnectionState = z.object({
  /** The bookkeeping software that this portal can connect. */
  available: z.array(booksProviderScalar),
  connection: z.nullable(connection),
});
export type BooksConnectionState = z.output<typeof booksConnectionState>;

export const rateAnswersField = z
  .array(
    z.object({
      code: z.string().check(z.maxLength(200)),
      kind: z.enum(BOOKS_KINDS),
      treatment: z.enum(TREATMENTS),
      /** For Xero’s rates of purchases whose VAT the customer accounts for: the supplies are zero-rated, so there is none. */
      zero_rated: z._default(z.boolean(), false),
    }),
  )
  .check(z.minLength(1), z.maxLength(100));

const BASE = '/instant-vat/books/connection';

export const booksConnectionApi = {
  get: endpoint({
    method: 'GET',
    path: BASE,
    access: 'company.read',
    summary: 'Get the bookkeeping software connection, with the progress and result of the latest read',
    input: companyInput,
    output: booksConnectionState,
  }),
  connect: endpoint({
    method: 'POST',
    path: `${BASE}/connect`,
    access: 'company.manage',
    summary: 'Start connecting bookkeeping software. The browser continues at `authorize_url` and returns to the portal.',
    input: z.extend(companyInput, { program: booksProviderScalar, return_to: z._default(z.enum(['steps', 'books']), 'books') }),
    output: z.object({ authorize_url: z.string() }),
    maxPerPerson: 30,
  }),
  choose: endpoint({
    method: 'POST',
    path: `${BASE}/organisation`,
    access: 'company.manage',
    summary: 'Choose the organisation to read the books from',
    input: z.extend(companyInput, { organisation_id: z.string().check(z.minLength(1), z.maxLength(100)) }),
    output: booksConnectionState,
  }),
  read: endpoint({
    method: 'POST',
    path: `${BASE}/read`,
    access: 'company.prepare',
    summary: 'Read all of the books again now',
    input: companyInput,
    output: booksConnectionState,
    maxPerPerson: 30,
  }),
  answerBasis: endpoint({
    method: 'POST',
    path: `${BASE}/basis`,
    access: 'company.prepare',
    summary: 'Set whether VAT is accounted for on invoices or on payments, if the bookkeeping software doesn’t provide this',
    input: z.extend(companyInput, { basis: z.enum(VAT_BASES) }),
    output: booksConnectionState,
  }),
  answerRates: endpoint({
    method: 'POST',
    path: `${BASE}/rates`,
    access: 'company.prepare',
    summary: 'Set what tax rates mean if they can’t be mapped with certainty. The choices are saved for the organisation.',
    input: z.extend(companyInput, {
      answers: rateAnswersField,
    }),
    output: booksConnectionState,
  }),
  disconnect: endpoint({
    method: 'POST',
    path: `${BASE}/disconnect`,
    access: 'company.manage',
    summary: 'Disconnect the bookkeeping software and delete the data read from it. Figures and filed returns are kept.',
    input: companyInput,
    output: booksConnectionState,
  }),
};
