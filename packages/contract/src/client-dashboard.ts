/** One client's own page: who the client is, what the practice wrote down, what happened (specification 7.3; product.md section 5). Figures: positions.ts. */
import { DEADLINES } from '@portal/domain/practice/positions/position.ts';
import { z } from 'zod';
import { clientKind, clientNeed, clientStatus, duty } from './clients.ts';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

const clientInput = companyInput.extend({ client_id: idScalar });

/** What a person wrote down of a client. Never changed: a correction is a further note. */
const note = z.object({ note_id: idScalar, text: z.string(), author: z.string(), written_at: instantScalar });
export type ClientNote = z.output<typeof note>;

/** The longest note, in characters. */
export const NOTE_LIMIT = 4000;

/** Something that happened with the client, as a sentence for people. */
const timelineEntry = z.object({
  /** Unique within the answer. */
  key: z.string(),
  at: instantScalar,
  /** `change`: somebody here or at HMRC changed something. `figures`: a source said something new. */
  kind: z.enum(['change', 'figures', 'note']),
  title: z.string(),
  detail: z.string().nullable(),
  /** Null where nobody pressed anything. */
  who: z.string().nullable(),
});
export type TimelineEntry = z.output<typeof timelineEntry>;

/** What the client's own books say of a tax on a day, typed by the practice: never HMRC's. Amounts: positive = owed to HMRC. */
const booksBalance = z.object({
  tax: taxScalar,
  balance_pence: penceScalar,
  on_date: dateScalar,
  entered_by: z.string(),
  entered_at: instantScalar,
  /** Owed less coming back, by whoever said it (HMRC or its statement); null where nobody has. */
  hmrc_pence: penceScalar.nullable(),
  hmrc_as_of: instantScalar.nullable(),
  /** Books less HMRC; null where one of the two is not known. */
  difference_pence: penceScalar.nullable(),
});
export type BooksBalance = z.output<typeof booksBalance>;

export const clientDashboardApi = {
  profile: endpoint({
    method: 'GET',
    path: '/client/profile',
    access: 'client.read',
    summary: 'Who one client is: name, references, status, taxes, who looks after it, what is due next.',
    input: clientInput,
    output: z.object({
      client_id: idScalar,
      /** The specification's name for it (7.2, company-profile of a client). */
      full_name: z.string(),
      kind: clientKind,
      status: clientStatus,
      taxes: z.array(taxScalar),
      vrn: z.string().nullable(),
      utr: z.string().nullable(),
      nino: z.string().nullable(),
      company_number: z.string().nullable(),
      paye_reference: z.string().nullable(),
      accounts_office_reference: z.string().nullable(),
      postcode: z.string().nullable(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
      year_end_on: dateScalar.nullable(),
      year_end_source: z.enum(['companies_house', 'practice']).nullable(),
      /** What Companies House said of the company last, in its own word. */
      register_status: z.string().nullable(),
      register_read_at: instantScalar.nullable(),
      members: z.array(z.object({ user_id: idScalar, full_name: z.string(), duty })),
      attention: clientNeed,
      next_due_on: dateScalar.nullable(),
      next_due_tax: taxScalar.nullable(),
      next_due_what: z.enum(DEADLINES).nullable(),
      next_due_pence: penceScalar.nullable(),
      /** The business day. */
      today: dateScalar,
    }),
  }),
  companies: endpoint({
    method: 'GET',
    path: '/client/companies',
    access: 'practice.read',
    summary: 'Clients by name, for going from one to another; a team_member sees the assigned ones.',
    input: companyInput.extend({
      q: z.string().trim().max(100, 'Search for at most 100 characters').default(''),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    output: z.object({ companies: z.array(z.object({ client_id: idScalar, name: z.string() })) }),
  }),
  notes: endpoint({
    method: 'GET',
    path: '/client/notes',
    access: 'client.read',
    summary: 'What the practice wrote down of a client, newest first: the newest 200.',
    input: clientInput,
    output: z.object({ notes: z.array(note) }),
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/client/notes',
    access: 'client.work',
    summary: 'Writes a note. Nothing changes or removes one afterwards.',
    input: clientInput.extend({
      text: z
        .string()
        .trim()
        .min(1, 'Write the note')
        .max(NOTE_LIMIT, `A note has at most ${NOTE_LIMIT.toLocaleString('en-GB')} characters`),
    }),
    output: note,
  }),
  books: endpoint({
    method: 'GET',
    path: '/client/books',
    access: 'client.read',
    summary: "The newest balance of each tax by the client's own books, beside HMRC's.",
    input: clientInput,
    output: z.object({ balances: z.array(booksBalance) }),
  }),
  sayBooks: endpoint({
    method: 'POST',
    path: '/client/books',
    access: 'client.work',
    summary: "Writes down what the client's books say of a tax on a day. Nothing changes it afterwards; the newest counts.",
    input: clientInput.extend({ tax: taxScalar, balance_pence: penceScalar, on_date: dateScalar }),
    output: doneOutput,
  }),
  timeline: endpoint({
    method: 'GET',
    path: '/client/timeline',
    access: 'client.read',
    summary: 'What happened with a client, newest first: the newest 100 of changes, notes and new figures.',
    input: clientInput,
    output: z.object({ entries: z.array(timelineEntry) }),
  }),
};
