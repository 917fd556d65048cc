/** A practice's clients: who they are, who looks after them, how they came in. Docs: docs/decisions/0016-one-picture-of-many-clients.md. */
import type { LeadDays } from '@portal/domain/practice/own-day.ts';
import type { Deadline } from '@portal/domain/practice/positions/position.ts';
import type { ClientNeed } from '@portal/domain/practice/positions/summarise-client.ts';
import type {
  ImportOutcome,
  ImportSource,
  ImportState,
  RowChoice,
  UndoneRow,
} from '@portal/domain/practice/client-import/import-states.ts';
import type { ClientChangeKind, ClientChangeState, ClientStatus, Duty } from '@portal/domain/practice/client.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { ClientKind } from '@portal/domain/practice/client-import/imported-client.ts';
import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { companyId, instant, pence, plainDate } from './columns.ts';
import { companies, users } from './identity.ts';

/** Lines as they stand on an envelope; the postcode apart, in its one stored form. */
export type PostalAddress = { readonly lines: readonly string[]; readonly postcode: string };

/** Working days before HMRC's day on which the practice wants to be done, by `vat_return`, `vat_payment` and so on; none where it has no date of its own. */

/** What only a practice has: its agent services reference, its agent codes, the taxes it looks after. */
export const practices = pgTable('practices', {
  companyId: uuid('company_id')
    .primaryKey()
    .references(() => companies.id),
  /** The agent reference number of its agent services account. */
  arn: text('arn'),
  agentCodeCt: text('agent_code_ct'),
  agentCodePaye: text('agent_code_paye'),
  agentCodeSa: text('agent_code_sa'),
  taxes: jsonb('taxes').$type<readonly Tax[]>().notNull(),
  /** Where the practice gets its post. */
  address: jsonb('address').$type<PostalAddress>(),
  /** Its own dates before HMRC's: working days ahead of each, by tax and kind. */
  leadDays: jsonb('lead_days').$type<LeadDays>().notNull().default({}),
  updatedAt: instant('updated_at').notNull(),
});

/** A company or person looked after by a practice. References are in their one stored form (domain/uk-tax/references). */
export const clients = pgTable(
  'clients',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    kind: text('kind').$type<ClientKind>().notNull(),
    status: text('status').$type<ClientStatus>().notNull(),
    hasVat: boolean('has_vat').notNull(),
    hasPaye: boolean('has_paye').notNull(),
    hasCt: boolean('has_ct').notNull(),
    hasSa: boolean('has_sa').notNull(),
    vrn: text('vrn'),
    utr: text('utr'),
    nino: text('nino'),
    companyNumber: text('company_number'),
    payeReference: text('paye_reference'),
    accountsOfficeReference: text('accounts_office_reference'),
    postcode: text('postcode'),
    vatRegisteredOn: plainDate('vat_registered_on'),
    /** The end of the latest accounting period known, and who said so. */
    yearEndOn: plainDate('year_end_on'),
    yearEndSource: text('year_end_source').$type<'companies_house' | 'practice'>(),
    /** What Companies House said of the company last, `not_found` where it knows none of the number, and when it was asked. */
    registerStatus: text('register_status').$type<string>(),
    registerReadAt: instant('register_read_at'),
    email: text('email'),
    phone: text('phone'),
    /** The import that made the client; undoing it removes what nobody has worked on since. */
    importId: uuid('import_id'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // One client a reference in one practice: two rows for one taxpayer would count their tax twice.
    uniqueIndex('clients_vrn').on(table.companyId, table.vrn),
    uniqueIndex('clients_utr').on(table.companyId, table.utr),
    uniqueIndex('clients_nino').on(table.companyId, table.nino),
    uniqueIndex('clients_company_number').on(table.companyId, table.companyNumber),
    uniqueIndex('clients_paye_reference').on(table.companyId, table.payeReference),
    index('clients_name_postcode').on(table.companyId, sql`lower(${table.name})`, table.postcode),
    index('clients_import').on(table.companyId, table.importId),
    // Those that Companies House is still to be asked about.
    index('clients_register_unread')
      .on(table.companyId, table.id)
      .where(sql`company_number is not null and register_read_at is null`),
  ],
);

/** Who of the practice looks after which client. A team_member sees these clients and no others. */
export const clientMembers = pgTable(
  'client_members',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    duty: text('duty').$type<Duty>().notNull(),
    assignedAt: instant('assigned_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.userId, table.duty] }),
    index('client_members_user').on(table.companyId, table.userId, table.clientId),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** What of a client the list shows, kept by whoever changes the client or its positions, in the same transaction: a page of it is one index walk. */
export const clientRows = pgTable(
  'client_rows',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    name: text('name').notNull(),
    /** Lower case, for sorting. */
    sortName: text('sort_name').notNull(),
    kind: text('kind').$type<ClientKind>().notNull(),
    status: text('status').$type<ClientStatus>().notNull(),
    vrn: text('vrn'),
    utr: text('utr'),
    companyNumber: text('company_number'),
    hasVat: boolean('has_vat').notNull(),
    hasPaye: boolean('has_paye').notNull(),
    hasCt: boolean('has_ct').notNull(),
    hasSa: boolean('has_sa').notNull(),
    /** 9999-12-31 where nothing is due, so that one index sorts them last. */
    nextDueOn: plainDate('next_due_on').notNull(),
    nextDueTax: text('next_due_tax').$type<Tax>(),
    nextDueWhat: text('next_due_what').$type<Deadline>(),
    nextDuePence: pence('next_due_pence'),
    owedPence: pence('owed_pence')
      .notNull()
      .$default(() => 0 as Pence),
    overduePence: pence('overdue_pence')
      .notNull()
      .$default(() => 0 as Pence),
    refundPence: pence('refund_pence')
      .notNull()
      .$default(() => 0 as Pence),
    /** Why somebody should look: the worst of the client's taxes. */
    attention: text('attention').$type<ClientNeed>().notNull(),
    /** Names of those who look after the client, for showing; the right to see it is in client_members. */
    members: jsonb('members').$type<readonly { user_id: string; full_name: string; duty: Duty }[]>().notNull(),
    /** Name and references, lower case without spaces between digits: what the search looks through. */
    search: text('search').notNull(),
    /** When the oldest of the client's figures was read. */
    asOf: instant('as_of'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId] }),
    index('client_rows_next_due').on(table.companyId, table.nextDueOn, table.clientId),
    index('client_rows_name').on(table.companyId, table.sortName, table.clientId),
    index('client_rows_overdue').on(table.companyId, table.overduePence, table.clientId),
    index('client_rows_owed').on(table.companyId, table.owedPence, table.clientId),
    index('client_rows_refund').on(table.companyId, table.refundPence, table.clientId),
    index('client_rows_search').using('gin', table.companyId, table.search.op('gin_trgm_ops')),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** One file of clients: read and judged first, taken in by a job in steps, undone within a day. */
export const clientImports = pgTable(
  'client_imports',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    source: text('source').$type<ImportSource>().notNull(),
    fileName: text('file_name').notNull(),
    state: text('state').$type<ImportState>().notNull(),
    startedBy: uuid('started_by')
      .notNull()
      .references(() => users.id),
    createdAt: instant('created_at').notNull(),
    endedAt: instant('ended_at'),
    /** Rows read so far: where a job that died goes on. */
    rowsDone: integer('rows_done').notNull().default(0),
    rowsTotal: integer('rows_total').notNull(),
    reason: text('reason'),
    /** The file's columns that nothing is done with, as it names them. */
    ignoredColumns: jsonb('ignored_columns').$type<readonly string[]>().notNull().default([]),
    /** When its rows were removed, their time being over, and what was counted of them. */
    rowsRemovedAt: instant('rows_removed_at'),
    rowCounts: jsonb('row_counts').$type<unknown>(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('client_imports_created').on(table.companyId, table.createdAt),
    // One at a time: two files at once could each call the other's clients new.
    uniqueIndex('client_imports_live')
      .on(table.companyId)
      .where(sql`state in ('checking', 'importing')`),
  ],
);

/** `skipped`: a person decided that nothing comes of the row. */

/** One row of the file: what it said, what it would do or did. */
export const clientImportRows = pgTable(
  'client_import_rows',
  {
    companyId: companyId(),
    importId: uuid('import_id').notNull(),
    /** As the file counts: the header is row 1. */
    row: integer('row').notNull(),
    said: jsonb('said').$type<Readonly<Record<string, string>>>().notNull(),
    outcome: text('outcome').$type<ImportOutcome>().notNull(),
    problems: jsonb('problems').$type<readonly { field: string; problem: string }[]>().notNull(),
    /** The client made or found; of an ambiguous row, null. */
    clientId: uuid('client_id'),
    /** The clients an ambiguous row may mean. */
    candidates: jsonb('candidates').$type<readonly string[]>().notNull().default([]),
    /** What a person chose for an ambiguous row. */
    choice: text('choice').$type<RowChoice>(),
    /** What a matched client was before the row changed it, for undoing. */
    before: jsonb('before').$type<unknown>(),
    appliedAt: instant('applied_at'),
    undone: text('undone').$type<UndoneRow>(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.importId, table.row] }),
    index('client_import_rows_outcome').on(table.companyId, table.importId, table.outcome, table.row),
    foreignKey({ columns: [table.companyId, table.importId], foreignColumns: [clientImports.companyId, clientImports.id] }).onDelete(
      'cascade',
    ),
  ],
);

/** A list kept under a name: its filters, order and columns as the address has them. */
export const savedViews = pgTable(
  'saved_views',
  {
    companyId: companyId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    query: text('query').notNull(),
    /** Seen by everybody in the practice; its maker and the admins may change it. */
    isShared: boolean('is_shared').notNull().default(false),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.userId, table.id] })],
);

/** What was changed: a status set, or people given clients into their care or taken out of it. */
export type ClientChangeTo = { readonly status: ClientStatus } | { readonly user_id: string; readonly duty: Duty };

/** One change of some clients at once: who was changed and what they were before, so that it can be undone for a day. */
export const clientChanges = pgTable(
  'client_changes',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    kind: text('kind').$type<ClientChangeKind>().notNull(),
    /** The clients changed; `was`: the status before, null of an assignment. */
    clients: jsonb('clients').$type<readonly { readonly id: string; readonly was: string | null }[]>().notNull(),
    to: jsonb('to').$type<ClientChangeTo>().notNull(),
    madeBy: uuid('made_by')
      .notNull()
      .references(() => users.id),
    madeAt: instant('made_at').notNull(),
    state: text('state').$type<ClientChangeState>().notNull(),
    undoneBy: uuid('undone_by').references(() => users.id),
    /** How many of them were put back. */
    putBack: integer('put_back'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] }), index('client_changes_made').on(table.madeAt)],
);

/** What the practice writes down of a client. Append-only; a correction is a further note. */
export const clientNotes = pgTable(
  'client_notes',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    id: uuid('id').notNull(),
    authorId: uuid('author_id')
      .notNull()
      .references(() => users.id),
    text: text('text').notNull(),
    writtenAt: instant('written_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.id] }),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);
