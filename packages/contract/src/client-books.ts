/** The bookkeeping software that a client's books come from: the endpoints of books-connection.ts for a client (docs/decisions/0071). */
import { VAT_BASES } from '@portal/domain/connected-books/books-document.ts';
import { z } from 'zod/mini';
import { booksConnectionState, booksProviderScalar, rateAnswersField } from './books-connection.ts';
import { endpoint } from './endpoint.ts';
import { ownBooks } from './own-books.ts';
import { companyInput, idScalar } from './scalars.ts';

const clientInput = z.extend(companyInput, { client_id: idScalar });

const offeredOrganisation = z.object({
  program: booksProviderScalar,
  organisation_id: z.string(),
  name: z.string(),
  vat_number: z.nullable(z.string()),
  /** True if our access doesn’t include the organisation's settings, so that its numbers are unknown. */
  is_unreadable: z.boolean(),
  /** Whether the client’s VAT number, company number or name matches the organisation’s. */
  is_match: z.boolean(),
});
export type OfferedClientBooks = z.output<typeof offeredOrganisation>;

const BASE = '/client/books/connection';

export const clientBooksApi = {
  get: endpoint({
    method: 'GET',
    path: BASE,
    access: 'client.read',
    summary: 'Get a client’s bookkeeping software connection, with the progress and result of the latest read',
    input: clientInput,
    output: booksConnectionState,
  }),
  offered: endpoint({
    method: 'GET',
    path: `${BASE}/offered`,
    access: 'client.connections',
    summary:
      'List the organisations in the practice’s bookkeeping software that aren’t linked to a client yet, best matches for this client first',
    input: z.extend(clientInput, { search: z.optional(z.string().check(z.maxLength(100))) }),
    output: z.object({
      organisations: z.array(offeredOrganisation),
      /** The number of clients that aren't listed. A search finds them. */
      more: z.int(),
      /** The books that linking would replace, which requires `replace`. */
      own_books: z.nullable(ownBooks),
    }),
  }),
  link: endpoint({
    method: 'POST',
    path: `${BASE}/link`,
    access: 'client.connections',
    summary: 'Confirm that an organisation in the practice’s bookkeeping software belongs to this client. Its books are then read.',
    input: z.extend(clientInput, {
      program: booksProviderScalar,
      organisation_id: z.string().check(z.minLength(1), z.maxLength(200)),
      /** Confirms that linking replaces the client’s own connection or file. */
      replace: z._default(z.boolean(), false),
    }),
    output: booksConnectionState,
  }),
  connect: endpoint({
    method: 'POST',
    path: `${BASE}/connect`,
    access: 'client.connections',
    summary:
      'Start connecting bookkeeping software for this client only. The browser continues at `authorize_url` and returns to the portal.',
    input: z.extend(clientInput, { program: z.literal('quickbooks') }),
    output: z.object({ authorize_url: z.string() }),
    maxPerPerson: 30,
  }),
  read: endpoint({
    method: 'POST',
    path: `${BASE}/read`,
    access: 'client.work',
    summary: 'Read all of a client’s books again now',
    input: clientInput,
    output: booksConnectionState,
    maxPerPerson: 30,
  }),
  answerBasis: endpoint({
    method: 'POST',
    path: `${BASE}/basis`,
    access: 'client.work',
    summary: 'Set whether the client accounts for VAT on invoices or on payments, if the bookkeeping software doesn’t provide this',
    input: z.extend(clientInput, { basis: z.enum(VAT_BASES) }),
    output: booksConnectionState,
  }),
  answerRates: endpoint({
    method: 'POST',
    path: `${BASE}/rates`,
    access: 'client.work',
    summary: 'Set what the client’s tax rates mean if they can’t be mapped with certainty. The choices are saved for the organisation.',
    input: z.extend(clientInput, { answers: rateAnswersField }),
    output: booksConnectionState,
  }),
  confirmVatNumber: endpoint({
    method: 'POST',
    path: `${BASE}/vat-number`,
    access: 'client.connections',
    summary:
      'Confirm that the organisation with this VAT number is the client, if the client’s own VAT number isn’t recorded. Its books are then read.',
    input: z.extend(clientInput, { vat_number: z.string().check(z.regex(/^\d{9}$/)) }),
    output: booksConnectionState,
  }),
  disconnect: endpoint({
    method: 'POST',
    path: `${BASE}/disconnect`,
    access: 'client.connections',
    summary: 'Stop reading the client’s books, and delete the copy and the figures that came from it. Filed returns are kept.',
    input: clientInput,
    output: booksConnectionState,
  }),
};
