/**
 * A practice's authorisations at bookkeeping software, and the client that each organisation belongs to
 * (docs/decisions/0071-practice-books.md).
 */
import { MATCH_REASONS } from '@portal/domain/practice-books/match-organisations.ts';
import { z } from 'zod/mini';
import { booksProviderScalar } from './books-connection.ts';
import { endpoint } from './endpoint.ts';
import { ownBooks } from './own-books.ts';
import { companyInput, idScalar, instantScalar } from './scalars.ts';

/**
 * The outcome of connecting, in the URL that the browser is redirected to afterwards, with its time as `at`. `books_missing_organisations`:
 * this login lacks some clients' organisations that the connected one covers, so nothing has changed (`refused_login`).
 */
export const GRANT_OUTCOMES = [
  'books_connected',
  'books_declined',
  'books_no_permission',
  'books_not_allowed',
  'books_no_organisation',
  'books_missing_organisations',
  'books_failed',
] as const;
export type GrantOutcome = (typeof GRANT_OUTCOMES)[number];

const grant = z.object({
  program: booksProviderScalar,
  /** True if this portal can connect the bookkeeping software. */
  is_available: z.boolean(),
  /** `lost`: the bookkeeping software rejects our access token. */
  status: z.enum(['not_connected', 'connected', 'lost']),
  connected_at: z.nullable(instantScalar),
  lost_at: z.nullable(instantScalar),
  /** `refused`: the bookkeeping software rejects our access. `expired`: the connection went unused for too long. */
  lost_reason: z.nullable(z.enum(['refused', 'expired'])),
  /** The last login that wasn't accepted to replace the connected one; null once this is resolved. */
  refused_login: z.nullable(
    z.object({
      at: instantScalar,
      /** Linked organisations that this login lacks. */
      organisations: z.array(z.string()),
      /** The number of organisations whose clients the user may not see. */
      others: z.int(),
    }),
  ),
  /** When the list of organisations was last read. Null while it is being read for the first time. */
  listed_at: z.nullable(instantScalar),
  /** The number of organisations whose VAT and company numbers haven't been read yet. */
  unread: z.int(),
  /** Set while reading organisations is paused because the bookkeeping software's limit is used up or it isn't responding. */
  waits_until: z.nullable(instantScalar),
  /** True if the last attempt to read the list failed. */
  has_problem: z.boolean(),
  organisations: z.int(),
  linked: z.int(),
  /** True if disconnecting here also ends our access in the bookkeeping software. Otherwise, the user must remove the app there. */
  ends_at_program: z.boolean(),
});
export type BooksGrant = z.output<typeof grant>;

/**
 * `sure`: one client is proposed, by VAT number or by name and company number. `review`: the user chooses a candidate, or decides whether
 * the organisation replaces a client's own books. `reading`: its numbers haven't been read yet. `gone`: linked, but the authorisation no
 * longer covers it.
 */
export const ORGANISATION_STATES = ['sure', 'review', 'none', 'reading', 'linked', 'gone'] as const;
export type OrganisationState = (typeof ORGANISATION_STATES)[number];

const candidate = z.object({
  client_id: idScalar,
  client_name: z.string(),
  reason: z.enum(MATCH_REASONS),
  /** A number that both have but that doesn't match. */
  conflict: z.nullable(z.enum(['vat_number', 'company_number'])),
  /** The client's own books, which linking would replace. The user must then confirm it for this client. */
  own_books: z.nullable(ownBooks),
});
export type OrganisationCandidate = z.output<typeof candidate>;

const organisation = z.object({
  program: booksProviderScalar,
  organisation_id: z.string(),
  name: z.string(),
  vat_number: z.nullable(z.string()),
  company_number: z.nullable(z.string()),
  /** True if our access doesn't include the organisation's settings, so that its numbers are unknown. */
  is_unreadable: z.boolean(),
  /** While the organisation's settings can't be read, the time of our next attempt. */
  waits_until: z.nullable(instantScalar),
  state: z.enum(ORGANISATION_STATES),
  /** Sorted with the best match first. */
  candidates: z.array(candidate),
  /** The client of a linked organisation. */
  client_id: z.nullable(idScalar),
  client_name: z.nullable(z.string()),
  gone_at: z.nullable(instantScalar),
});
export type PracticeOrganisation = z.output<typeof organisation>;

const organisationsOutput = z.object({
  organisations: z.array(organisation),
  total: z.int(),
  counts: z.object({ sure: z.int(), review: z.int(), none: z.int(), reading: z.int(), linked: z.int(), gone: z.int() }),
});

export const ORGANISATIONS_PER_PAGE = 50;
export const MAX_LINKS = 200;

const organisationIdScalar = z.string().check(z.minLength(1), z.maxLength(200));
const grantOutput = z.object({ grants: z.array(grant) });
const BASE = '/open-tax/client-books';

export const practiceBooksApi = {
  get: endpoint({
    method: 'GET',
    path: BASE,
    access: 'practice.connections',
    summary: 'Get the bookkeeping software connected by the practice for its clients',
    input: companyInput,
    output: grantOutput,
  }),
  organisations: endpoint({
    method: 'GET',
    path: `${BASE}/organisations`,
    access: 'practice.connections',
    summary:
      'List the organisations in the practice’s bookkeeping software with their clients, or possible matches. A team member sees only those of assigned clients.',
    input: z.extend(companyInput, {
      state: z.optional(z.enum(ORGANISATION_STATES)),
      search: z.optional(z.string().check(z.maxLength(100))),
      page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000)), 1),
    }),
    output: organisationsOutput,
  }),
  connect: endpoint({
    method: 'POST',
    path: `${BASE}/connect`,
    access: 'practice.connections',
    summary: 'Start connecting bookkeeping software for all clients. The browser continues at `authorize_url` and returns to the portal.',
    input: z.extend(companyInput, { program: booksProviderScalar }),
    output: z.object({ authorize_url: z.string() }),
    maxPerPerson: 30,
  }),
  refresh: endpoint({
    method: 'POST',
    path: `${BASE}/refresh`,
    access: 'practice.connections',
    summary: 'Refresh the list of organisations from the bookkeeping software now',
    input: z.extend(companyInput, { program: booksProviderScalar }),
    output: grantOutput,
    maxPerPerson: 30,
  }),
  link: endpoint({
    method: 'POST',
    path: `${BASE}/link`,
    access: 'practice.connections',
    summary:
      'Confirm which clients the organisations belong to. Links all of them or none; their books are then read. To replace a client’s own books connection, make a separate call for that client.',
    input: z.extend(companyInput, {
      links: z
        .array(
          z.object({
            program: booksProviderScalar,
            organisation_id: organisationIdScalar,
            client_id: idScalar,
            /** True if the user has confirmed that the organisation replaces the client’s own connection or file. */
            replace: z._default(z.boolean(), false),
          }),
        )
        .check(z.minLength(1), z.maxLength(MAX_LINKS)),
    }),
    output: z.object({ linked: z.int() }),
  }),
  unlink: endpoint({
    method: 'POST',
    path: `${BASE}/unlink`,
    access: 'practice.connections',
    summary:
      'Stop reading an organisation’s books for its client, and delete the copy and the figures that came from it. Filed returns are kept.',
    input: z.extend(companyInput, { program: booksProviderScalar, organisation_id: organisationIdScalar }),
    output: z.object({ done: z.boolean() }),
  }),
  disconnect: endpoint({
    method: 'POST',
    path: `${BASE}/disconnect`,
    access: 'practice.connections',
    summary: 'Disconnect the bookkeeping software for all clients and delete the data read from it. Figures and filed returns are kept.',
    input: z.extend(companyInput, { program: booksProviderScalar }),
    output: grantOutput,
  }),
};
