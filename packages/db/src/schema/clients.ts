/** A practice's clients: details, assignments, imports and changes. See docs/decisions/0016-positions-and-read-models.md. */
import type { LeadDays } from '@portal/domain/practice/internal-deadline.ts';
import type { NextDueKind } from '@portal/domain/positions/position.ts';
import type { ClientAttention } from '@portal/domain/positions/summarise-client.ts';
import type { ImportedStatus, StatusChoices } from '@portal/domain/client-imports/client-status-text.ts';
import type { ImportOutcome, ImportSource, ImportState, RowChoice, UndoneRow } from '@portal/domain/client-imports/import-states.ts';
import type { ImportTable } from '@portal/domain/client-imports/import-table.ts';
import type { MatchedBy } from '@portal/domain/client-imports/match-clients.ts';
import type { RememberedColumns } from '@portal/domain/client-imports/recognise-columns.ts';
import type { ClientChangeKind, ClientChangeState, ClientStatus, Duty } from '@portal/domain/clients/client.ts';
import type { VatGroupRole } from '@portal/domain/clients/vat-group.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { ClientKind } from '@portal/domain/client-imports/imported-client.ts';
import { sql } from '../sql.ts';
import { boolean, check, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { companyId, fileBytes, instant, pence, plainDate } from './columns.ts';
import { companies, users } from './identity.ts';

/** The lines are as on an envelope. The postcode is stored separately, in its standard form. */
export type PostalAddress = { readonly lines: readonly string[]; readonly postcode: string };

/** Data that only practices have, such as the agent reference number, agent codes and taxes. */
export const practices = pgTable('practices', {
  companyId: uuid('company_id')
    .primaryKey()
    .references(() => companies.id),
  /** The agent reference number of the practice's agent services account. */
  arn: text('arn'),
  agentCodeCt: text('agent_code_ct'),
  agentCodePaye: text('agent_code_paye'),
  agentCodeSa: text('agent_code_sa'),
  taxes: jsonb('taxes').$type<readonly Tax[]>().notNull(),
  /** The practice's postal address. */
  address: jsonb('address').$type<PostalAddress>(),
  /** Internal deadlines, in working days before HMRC's date, by tax and kind. */
  leadDays: jsonb('lead_days').$type<LeadDays>().notNull().default({}),
  /** True if the practice wants its clients refreshed every night, which also requires an operator's confirmation. */
  nightlyRefresh: boolean('nightly_refresh').notNull().default(false),
  /** True if clients are emailed HMRC's link when the practice requests an authorisation. */
  emailsRequests: boolean('emails_requests').notNull().default(true),
  /** The admin who owns the practice. Null for practices created before ownership existed, where the first admin counts as the owner. */
  ownerId: uuid('owner_id'),
  /** The contents of the columns in the practice's client files, by heading, as a user chose them. */
  importColumns: jsonb('import_columns').$type<RememberedColumns>().notNull().default({}),
  /** The first day after the trial, from which only the connections in the plan are refreshed. Null for a practice without that limit. */
  trialEndsOn: plainDate('trial_ends_on'),
  /** When the admins were emailed that the trial ends. */
  trialNoticedAt: instant('trial_noticed_at'),
  updatedAt: instant('updated_at').notNull(),
});

const VAT_GROUP_ONCE = sql.raw(
  `case vat_group_role when 'member' then not has_vat and vrn is null when 'representative' then has_vat and vrn is not null and vat_group_vrn is null else vat_group_role is null and vat_group_vrn is null end`,
);

/** A company or person that is a client of a practice. References are in their stored form (domain/uk-tax/references). */
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
    /** Null if the client isn't known to be in a VAT group (domain/clients/vat-group.ts). */
    vatGroupRole: text('vat_group_role').$type<VatGroupRole>(),
    /** The VAT number of a member's group, which is the representative member's number; null if unknown. */
    vatGroupVrn: text('vat_group_vrn'),
    /** The client's values from before it joined a VAT group, restored when it leaves. */
    hasVatOutsideGroup: boolean('has_vat_outside_group').notNull().default(false),
    vrnOutsideGroup: text('vrn_outside_group'),
    /** The end of the latest known accounting period. */
    yearEndOn: plainDate('year_end_on'),
    yearEndSource: text('year_end_source').$type<'companies_house' | 'practice'>(),
    /** The company's last known status at Companies House; `not_found` if Companies House doesn't know the number. */
    registerStatus: text('register_status').$type<string>(),
    registerReadAt: instant('register_read_at'),
    /** When the company's people were read from Companies House, and the earliest deadline for one of them to verify their identity. */
    registerPeopleReadAt: instant('register_people_read_at'),
    identityDueOn: plainDate('identity_due_on'),
    email: text('email'),
    phone: text('phone'),
    /** The practice's own labels (domain/clients/tags.ts). */
    tags: jsonb('tags').$type<readonly string[]>().notNull().default([]),
    /** The practice's own code for the client, as in its other software. Not unique. */
    clientCode: text('client_code'),
    /** The import that created the client. Undoing the import removes the client if no one has worked on it since. */
    importId: uuid('import_id'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // One client per reference within a practice, because two rows for one taxpayer would count their tax twice.
    uniqueIndex('clients_vrn').on(table.companyId, table.vrn),
    uniqueIndex('clients_utr').on(table.companyId, table.utr),
    uniqueIndex('clients_nino').on(table.companyId, table.nino),
    uniqueIndex('clients_company_number').on(table.companyId, table.companyNumber),
    uniqueIndex('clients_paye_reference').on(table.companyId, table.payeReference),
    index('clients_name_postcode').on(table.companyId, sql`lower(${table.name})`, table.postcode),
    index('clients_import').on(table.companyId, table.importId),
    // The members of a group.
    index('clients_vat_group')
      .on(table.companyId, table.vatGroupVrn)
      .where(sql`vat_group_vrn is not null`),
    // The group's VAT counts once: at its representative member, and at no other member (VATA 1994 s43(1)).
    check('clients_vat_group_once', VAT_GROUP_ONCE),
    // Clients not yet looked up at Companies House.
    index('clients_register_unread')
      .on(table.companyId, table.id)
      .where(sql`company_number is not null and register_read_at is null`),
  ],
);

/** Assignments of clients to members of the practice. A team_member sees only assigned clients. */
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

/** Same as in domain/uk-tax/tax.ts and domain/positions/summarise-client.ts, because a schema imports only types. */
const TAXES: readonly Tax[] = ['vat', 'paye', 'ct', 'sa'];
const NEVER_DUE = '9999-12-31' as PlainDate;

const UNREAD_TAXES_SQL = `array_remove(array[${TAXES.map((tax) => `case when has_${tax} and '${tax}' <> all(read_taxes) then '${tax}' end`).join(', ')}], null)`;

/** Returns a condition that is true if the client has both a tax that has been read and one that hasn't. */
const matchAnyTax = (condition: string): string => `(${TAXES.map((tax) => `has_${tax} and '${tax}' ${condition}`).join(' or ')})`;
const FIGURES = `case when not (has_vat or has_paye or has_ct or has_sa) then 'no_taxes' when not ${matchAnyTax('= any(read_taxes)')} then 'unread'
  when ${matchAnyTax('<> all(read_taxes)')} then 'partial' else 'read' end`;

/**
 * The columns of the client list, updated in the same transaction as the client or its positions, so that a page of the list needs only one
 * index scan.
 */
export const clientRows = pgTable(
  'client_rows',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    name: text('name').notNull(),
    /** The name in lower case, for sorting. */
    sortName: text('sort_name').notNull(),
    kind: text('kind').$type<ClientKind>().notNull(),
    status: text('status').$type<ClientStatus>().notNull(),
    vrn: text('vrn'),
    utr: text('utr'),
    companyNumber: text('company_number'),
    clientCode: text('client_code'),
    hasVat: boolean('has_vat').notNull(),
    hasPaye: boolean('has_paye').notNull(),
    hasCt: boolean('has_ct').notNull(),
    hasSa: boolean('has_sa').notNull(),
    /** The next due date; 9999-12-31 if nothing is due, so that one index sorts these clients last. */
    nextDueOn: plainDate('next_due_on').notNull(),
    nextDueTax: text('next_due_tax').$type<Tax>(),
    nextDueWhat: text('next_due_what').$type<NextDueKind>(),
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
    /** The most urgent reason why the client needs attention, across all its taxes. */
    attention: text('attention').$type<ClientAttention>().notNull(),
    /** Names of the assigned members, for display only; client_members determines access. */
    members: jsonb('members').$type<readonly { user_id: string; full_name: string; duty: Duty }[]>().notNull(),
    /** Name, references and contact details in their searchable form (domain/clients/search-text.ts). */
    search: text('search').notNull(),
    /** When the oldest of the client's figures was read. */
    asOf: instant('as_of'),
    /** The taxes whose amounts have been read at least once. The amounts above cover only these. */
    readTaxes: text('read_taxes')
      .array()
      .$type<readonly Tax[]>()
      .notNull()
      .default(sql`'{}'`),
    /** The first day on which the oldest figures count as old (domain/positions/figures-state.ts). */
    staleOn: plainDate('stale_on'),
    /** True if the last refresh failed permanently for one of the client's taxes. */
    refreshFailed: boolean('refresh_failed').notNull().default(false),
    /** The client's taxes that have never been read. Generated, so that it follows both the taxes and the reads. */
    unreadTaxes: text('unread_taxes').array().$type<readonly Tax[]>().notNull().generatedAlwaysAs(sql.raw(UNREAD_TAXES_SQL)),
    /** The result of `getFiguresState` regardless of the day: `read` means `stale` from `stale_on` and `current` before it. */
    figures: text('figures').$type<'no_taxes' | 'unread' | 'partial' | 'read'>().notNull().generatedAlwaysAs(sql.raw(FIGURES)),
    /** The next due date of each tax, for lists filtered by tax; 9999-12-31 if nothing is due. */
    vatDueOn: plainDate('vat_due_on').notNull().default(NEVER_DUE),
    payeDueOn: plainDate('paye_due_on').notNull().default(NEVER_DUE),
    ctDueOn: plainDate('ct_due_on').notNull().default(NEVER_DUE),
    saDueOn: plainDate('sa_due_on').notNull().default(NEVER_DUE),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId] }),
    index('client_rows_next_due').on(table.companyId, table.nextDueOn, table.clientId),
    index('client_rows_vat_due').on(table.companyId, table.vatDueOn, table.clientId),
    index('client_rows_paye_due').on(table.companyId, table.payeDueOn, table.clientId),
    index('client_rows_ct_due').on(table.companyId, table.ctDueOn, table.clientId),
    index('client_rows_sa_due').on(table.companyId, table.saDueOn, table.clientId),
    index('client_rows_name').on(table.companyId, table.sortName, table.clientId),
    index('client_rows_overdue').on(table.companyId, table.overduePence, table.clientId),
    index('client_rows_owed').on(table.companyId, table.owedPence, table.clientId),
    index('client_rows_refund').on(table.companyId, table.refundPence, table.clientId),
    index('client_rows_search').using('gin', table.companyId, table.search.op('gin_trgm_ops')),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** One client import file: validated first, imported by a job in batches, reversible for a day. */
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
    /** Rows processed so far. After a crash, a new job resumes here. */
    rowsDone: integer('rows_done').notNull().default(0),
    rowsTotal: integer('rows_total').notNull(),
    reason: text('reason'),
    /** Columns in the file that we ignore, under their original names. */
    ignoredColumns: jsonb('ignored_columns').$type<readonly string[]>().notNull().default([]),
    /** The file's sheets and columns; null for imports older than column selection, and once the rows have been purged. */
    table: jsonb('table').$type<ImportTable>(),
    /**
     * The fraud prevention headers of the user who started the import, encrypted. The import's refresh runs on that user's behalf; the
     * headers are deleted once it has started.
     */
    fraudHeaders: text('fraud_headers'),
    /** When the import's rows were purged at the end of their retention period. */
    rowsRemovedAt: instant('rows_removed_at'),
    rowCounts: jsonb('row_counts').$type<unknown>(),
    /** The user's choices for prospects, and for existing clients whose status differs in the file. */
    statusChoices: jsonb('status_choices').$type<StatusChoices>().notNull().default({ prospects: 'leave_out', existing: 'keep' }),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('client_imports_created').on(table.companyId, table.createdAt),
    // Only one import runs at a time, because two simultaneous files could each treat the other's clients as new.
    uniqueIndex('client_imports_live')
      .on(table.companyId)
      .where(sql`state in ('checking', 'importing')`),
  ],
);

/** The uploaded file, kept until the import starts, so that it can be read again if its columns are chosen again. */
export const clientImportFiles = pgTable(
  'client_import_files',
  {
    companyId: companyId(),
    importId: uuid('import_id').notNull(),
    bytes: fileBytes('bytes').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.importId] }),
    foreignKey({ columns: [table.companyId, table.importId], foreignColumns: [clientImports.companyId, clientImports.id] }).onDelete(
      'cascade',
    ),
  ],
);

/** One row of the file: its content and its planned or actual outcome. */
export const clientImportRows = pgTable(
  'client_import_rows',
  {
    companyId: companyId(),
    importId: uuid('import_id').notNull(),
    /** Line number in the file; the header is row 1. */
    row: integer('row').notNull(),
    rawValues: jsonb('raw_values').$type<Readonly<Record<string, string>>>().notNull(),
    outcome: text('outcome').$type<ImportOutcome>().notNull(),
    problems: jsonb('problems').$type<readonly { field: string; problem: string }[]>().notNull(),
    /** The client that the row created or matched; null for an ambiguous row. */
    clientId: uuid('client_id'),
    /** The fields that a matched row was matched on. */
    matchedBy: jsonb('matched_by').$type<readonly MatchedBy[]>(),
    /** Clients that an ambiguous row may refer to. */
    candidates: jsonb('candidates').$type<readonly string[]>().notNull().default([]),
    /** The user's choice for an ambiguous row. */
    choice: text('choice').$type<RowChoice>(),
    /** The client's status in the file; null if the file doesn't give one. */
    clientStatus: text('client_status').$type<ImportedStatus>(),
    /** The matched client before this row changed it, for undo. */
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

/**
 * The target of a change: a new status, or a member to assign or unassign. `from_user_id`: in a hand-over, the member who previously had
 * the duty.
 */
export type ClientChangeTarget =
  | { readonly status: ClientStatus }
  | { readonly user_id: string; readonly duty: Duty; readonly from_user_id?: string };

/** One bulk change of clients, with the previous values, so that it can be undone for a day. */
export const clientChanges = pgTable(
  'client_changes',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    kind: text('kind').$type<ClientChangeKind>().notNull(),
    /** The changed clients. `was`: the previous status, or null for an assignment. `restored`: set once undo has reverted the client. */
    clients: jsonb('clients').$type<readonly { readonly id: string; readonly was: string | null; readonly restored?: true }[]>().notNull(),
    to: jsonb('to').$type<ClientChangeTarget>().notNull(),
    madeBy: uuid('made_by')
      .notNull()
      .references(() => users.id),
    madeAt: instant('made_at').notNull(),
    state: text('state').$type<ClientChangeState>().notNull(),
    undoneBy: uuid('undone_by').references(() => users.id),
    /** The number of these clients that undo reverted. */
    revertedCount: integer('reverted_count'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] }), index('client_changes_made').on(table.madeAt)],
);

/** The practice's notes on a client. The audit trail keeps the earlier versions of an edited note. */
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
    /** When the note was last edited; null if it never has been. */
    editedAt: instant('edited_at'),
    /** Set while the note is pinned to the top. */
    pinnedAt: instant('pinned_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.id] }),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** Contacts at a client. */
export const clientContacts = pgTable(
  'client_contacts',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    /** The person's job or relationship to the client, for example "Director"; empty if unknown. */
    role: text('role').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.id] }),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);
