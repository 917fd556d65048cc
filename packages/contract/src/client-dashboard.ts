/**
 * A client's own page: details, balances in the client's books, and the timeline (docs/product/specification.md section 7.3;
 * docs/product/decisions.md section 5). Figures are in positions.ts; notes and contacts have their own files.
 */
import { IDENTITY_STATES } from '@portal/domain/agent/agent-facts.ts';
import { SEARCHABLE_FIELDS } from '@portal/domain/clients/search-text.ts';
import { z } from 'zod/mini';
import { clientContactEndpoints } from './client-contacts.ts';
import { clientNoteEndpoints } from './client-notes.ts';
import { clientStatus, duty } from './clients.ts';
import { clientKind, clientAttention } from './client-filters.ts';
import { endpoint } from './endpoint.ts';
import { clientAmounts, figuresFields } from './figures.ts';
import { taxScalar } from './practice.ts';
import { vatGroup } from './vat-groups.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

const clientInput = z.extend(companyInput, { client_id: idScalar });

/** An event in the client's history, described as text. */
const timelineEntry = z.object({
  /** Unique within the response. */
  key: z.string(),
  at: instantScalar,
  /** `change`: a user or HMRC changed something. `figures`: new figures from a source. `message`: an email to the client. */
  kind: z.enum(['change', 'figures', 'note', 'message']),
  title: z.string(),
  detail: z.nullable(z.string()),
  /** Null if it wasn't caused by a user. */
  who: z.nullable(z.string()),
  /** Set for an email that a person may send again, because it failed or may not have been sent. */
  email_id: z.optional(idScalar),
});
export type TimelineEntry = z.output<typeof timelineEntry>;

/** £10 billion. Sums and differences of balances up to this limit stay exact. */
const MAX_BALANCE_PENCE = 1_000_000_000_000;

/** A tax balance from the client's own books, entered by the practice and never HMRC's figure. Positive = owed to HMRC. */
const booksBalance = z.object({
  tax: taxScalar,
  balance_pence: penceScalar,
  on_date: dateScalar,
  entered_by: z.string(),
  entered_at: instantScalar,
  /** Amount owed minus refunds due, from HMRC or an imported statement; null if unknown. */
  hmrc_pence: z.nullable(penceScalar),
  hmrc_as_of: z.nullable(instantScalar),
  /** Books minus HMRC's figure; null if either is unknown. */
  difference_pence: z.nullable(penceScalar),
});
export type BooksBalance = z.output<typeof booksBalance>;

/** 12-month turnover. `returns`: box 6 of VAT returns. `books`: taxable sales. `practice`: as entered by a colleague. */
const turnover = z.object({
  source: z.enum(['returns', 'books', 'practice']),
  /** Whether all the returns were read from HMRC. */
  is_from_hmrc: z.boolean(),
  turnover_pence: penceScalar,
  start_on: dateScalar,
  end_on: dateScalar,
  /** When the turnover was read or entered; null for returns that were filed here. */
  as_of: z.nullable(dateScalar),
  entered_by: z.nullable(z.string()),
  /** Whether `entered_by` stated it in an import's file. */
  is_imported: z.boolean(),
  /**
   * Whether the assistant's rules use it. They use the newest figure or, for clients without VAT, each month's figure that doesn't come
   * from an ended registration.
   */
  counts: z.boolean(),
  /** The VAT registration threshold on `end_on`, if the turnover was above it and counts for registering; otherwise null. */
  exceeded_threshold_pence: z.nullable(penceScalar),
});
export type Turnover = z.output<typeof turnover>;

/** A person at Companies House. `unknown`: the register shows no statement and no date. */
const registerPerson = z.object({
  name: z.string(),
  role: z.string(),
  identity: z.enum(IDENTITY_STATES),
  /** The first day on which the identity verification statement can be supplied, the deadline for it, and the day it was supplied. */
  opens_on: z.nullable(dateScalar),
  due_on: z.nullable(dateScalar),
  supplied_on: z.nullable(dateScalar),
});
export type RegisterPerson = z.output<typeof registerPerson>;

export const clientDashboardApi = {
  profile: endpoint({
    method: 'GET',
    path: '/client/profile',
    access: 'client.figures',
    summary:
      'Get a client’s profile: name, references, status, taxes, assigned team members and next due item. For client users, the practice’s internal fields are empty: status, code, tags, groups, assigned team members and attention.',
    input: clientInput,
    output: z.object({
      client_id: idScalar,
      /** docs/product/specification.md section 7.2 prescribes this name (company-profile of a client). */
      full_name: z.string(),
      kind: clientKind,
      status: clientStatus,
      taxes: z.array(taxScalar),
      vrn: z.nullable(z.string()),
      utr: z.nullable(z.string()),
      nino: z.nullable(z.string()),
      company_number: z.nullable(z.string()),
      paye_reference: z.nullable(z.string()),
      accounts_office_reference: z.nullable(z.string()),
      postcode: z.nullable(z.string()),
      email: z.nullable(z.string()),
      phone: z.nullable(z.string()),
      /** The practice's own code for the client. */
      client_code: z.nullable(z.string()),
      year_end_on: z.nullable(dateScalar),
      year_end_source: z.nullable(z.enum(['companies_house', 'practice'])),
      /** The company's last known status, as worded by Companies House. */
      register_status: z.nullable(z.string()),
      register_read_at: z.nullable(instantScalar),
      members: z.array(z.object({ user_id: idScalar, full_name: z.string(), duty })),
      /** The practice’s own tags. */
      tags: z.array(z.string()),
      /** The client's group (client-groups.ts). Always null for client users, because the practice names it. */
      group: z.nullable(z.object({ group_id: idScalar, name: z.string() })),
      /** Null if the client isn't known to be in a VAT group. Always null for client users. */
      vat_group: z.nullable(vatGroup),
      attention: clientAttention,
      ...clientAmounts,
      ...figuresFields,
      /** Today's date in London. */
      today: dateScalar,
    }),
  }),
  companies: endpoint({
    method: 'GET',
    path: '/client/companies',
    access: 'client.companies',
    summary:
      'Search clients by name, reference or contact details, best matches first. A team member sees only assigned clients; a client user sees their own companies across all practices.',
    input: z.extend(companyInput, {
      q: z._default(z.string().check(z.trim(), z.maxLength(100, 'Use at most 100 characters in your search')), ''),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(50)), 20),
    }),
    output: z.object({
      companies: z.array(
        z.object({
          client_id: idScalar,
          name: z.string(),
          status: clientStatus,
          client_code: z.nullable(z.string()),
          /** The detail that the search matched; null if it matched the name. */
          matched: z.nullable(z.object({ field: z.enum(SEARCHABLE_FIELDS), value: z.string() })),
        }),
      ),
    }),
  }),
  ...clientNoteEndpoints,
  ...clientContactEndpoints,
  books: endpoint({
    method: 'GET',
    path: '/client/books',
    access: 'client.read',
    summary: 'Get the latest balance of each tax in the client’s own books, alongside HMRC’s',
    input: clientInput,
    output: z.object({ balances: z.array(booksBalance) }),
  }),
  addBooksBalance: endpoint({
    method: 'POST',
    path: '/client/books',
    access: 'client.work',
    summary: 'Enter the balance of a tax in the client’s own books on a given date. Entries can’t be changed; the newest one is used.',
    input: z.extend(clientInput, {
      tax: taxScalar,
      balance_pence: penceScalar.check(
        z.refine((amount) => Math.abs(amount) <= MAX_BALANCE_PENCE, 'Enter a balance of no more than £10 billion'),
      ),
      on_date: dateScalar,
    }),
    output: doneOutput,
  }),
  turnover: endpoint({
    method: 'GET',
    path: '/client/turnover',
    access: 'client.read',
    summary:
      'Get a client’s newest 12-month turnover from each source that has it, and the earliest and highest above the VAT registration threshold, newest first. Empty if unknown.',
    input: clientInput,
    output: z.object({ turnovers: z.array(turnover), is_vat_registered: z.boolean() }),
  }),
  enterTurnover: endpoint({
    method: 'POST',
    path: '/client/turnover',
    access: 'client.work',
    summary: 'Enter a client’s turnover for the 12 months to the end of a month. Entries cannot be changed; the newest one is used.',
    input: z.extend(clientInput, {
      turnover_pence: penceScalar.check(
        z.refine((amount) => amount >= 0 && amount <= MAX_BALANCE_PENCE, 'Enter a turnover of £0 to £10 billion'),
      ),
      end_on: dateScalar,
    }),
    output: doneOutput,
  }),
  registerPeople: endpoint({
    method: 'GET',
    path: '/client/register-people',
    access: 'client.read',
    summary: 'List a company’s directors, members and owners at Companies House, with their identity verification status',
    input: clientInput,
    /** Null if the people at Companies House haven't been read. */
    output: z.object({ people: z.nullable(z.array(registerPerson)), read_on: z.nullable(dateScalar) }),
  }),
  timeline: endpoint({
    method: 'GET',
    path: '/client/timeline',
    access: 'client.read',
    summary: 'List a client’s latest 100 changes, notes and new figures, newest first',
    input: clientInput,
    output: z.object({ entries: z.array(timelineEntry) }),
  }),
  repeatEmail: endpoint({
    method: 'POST',
    path: '/client/emails/repeat',
    access: 'client.work',
    needsPerson: true,
    summary: 'Resend an email that failed, or whose outcome is unknown, through the practice’s mailbox. Only a user can decide this.',
    input: z.extend(clientInput, { email_id: idScalar }),
    output: doneOutput,
  }),
};
