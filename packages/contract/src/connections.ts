/**
 * The connections of the user's companies and the user's sign-in methods, with their status (docs/product/specification.md section 2.4:
 * /connections).
 */
import { BOOKS_CONNECTION_STATUSES, BOOKS_PROVIDERS } from '@portal/domain/connected-books/books-providers.ts';
import { HMRC_STATUSES } from '@portal/domain/vat-returns/hmrc-status.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { SIGN_IN_PROVIDERS } from './security.ts';
import { dateScalar, idScalar, instantScalar } from './scalars.ts';

const companyConnections = z.object({
  company_id: idScalar,
  name: z.string(),
  vrn: z.nullable(z.string()),
  hmrc: z.object({
    /** `ending`: still valid, but the 18 months end within 30 days. */
    status: z.enum(HMRC_STATUSES),
    connected_at: z.nullable(instantScalar),
    /** When the permission ends: 18 months after it was given. Refreshing tokens doesn't extend it. */
    ends_at: z.nullable(instantScalar),
    /** When HMRC's figures were last read. */
    last_read_at: z.nullable(instantScalar),
  }),
  /** The books file in use. `flagged` counts rows that someone should check. */
  books: z.nullable(
    z.object({
      file_name: z.string(),
      rows: z.int(),
      flagged: z.int(),
      first_date: z.nullable(dateScalar),
      last_date: z.nullable(dateScalar),
      uploaded_at: instantScalar,
    }),
  ),
  /** The bookkeeping software that the books come from. `problem`: why they can't be used in their current state. */
  books_program: z.nullable(
    z.object({
      program: z.enum(BOOKS_PROVIDERS),
      status: z.enum(BOOKS_CONNECTION_STATUSES),
      organisation_name: z.nullable(z.string()),
      last_read_at: z.nullable(instantScalar),
      has_problem: z.boolean(),
    }),
  ),
  bank_account: z.nullable(
    z.object({ account_holder: z.string(), sort_code: z.string(), account_number_end: z.string(), since: instantScalar }),
  ),
});
export type CompanyConnections = z.output<typeof companyConnections>;

export const connectionsApi = {
  list: endpoint({
    method: 'GET',
    // Not /connections, because the page uses that path.
    path: '/instant-vat/connections',
    access: 'signed_in',
    summary: 'List the connections of the user’s companies, and the user’s sign-in methods',
    input: z.object({}),
    output: z.object({
      companies: z.array(companyConnections),
      sign_in: z.object({
        email: z.string(),
        has_password: z.boolean(),
        passkeys: z.int(),
        linked: z.array(z.object({ provider: z.enum(SIGN_IN_PROVIDERS), email: z.nullable(z.string()), linked_at: instantScalar })),
      }),
    }),
  }),
};
