/** What is known of each client's taxes: what was observed, what follows from it, how fresh it is, and the engine that reads it anew. */
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { Tax } from '@portal/domain/uk-tax/references/hmrc-bank-account.ts';
import { sql } from 'drizzle-orm';
import { bigint, boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, pence, plainDate } from './columns.ts';
import { users } from './identity.ts';

export const AUTHORISATIONS = [
  'not_started',
  'link_sent',
  'authorised',
  'expiring',
  'expired',
  'revoked',
  'suspended',
  'unsupported',
] as const;
export type AuthorisationStatus = (typeof AUTHORISATIONS)[number];

/** What HMRC lets the practice see and do for a client and a tax. CT and PAYE are `unsupported` by the Agent Authorisation API (reference FACTS section 5). */
export const clientAuthorisations = pgTable(
  'client_authorisations',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    status: text('status').$type<AuthorisationStatus>().notNull(),
    invitationId: text('invitation_id'),
    /** Where the client answers at HMRC. */
    clientActionUrl: text('client_action_url'),
    sentAt: instant('sent_at'),
    expiresOn: plainDate('expires_on'),
    checkedAt: instant('checked_at'),
    /** HMRC's code of the last refusal, for the sentence beside the status. */
    refusal: text('refusal'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.tax] }),
    index('client_authorisations_status').on(table.companyId, table.status, table.tax),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

export const SOURCES = ['hmrc', 'statement', 'companies_house', 'rule'] as const;
/** Who said a figure: HMRC's API, a statement the practice imported, Companies House, or a date computed by rule. */
export type FigureSource = (typeof SOURCES)[number];

export type ObservationKind =
  | 'vat_obligations'
  | 'vat_liabilities'
  | 'vat_payments'
  | 'vat_penalties'
  | 'vat_information'
  | 'sa_balance'
  | 'sa_payments'
  | 'sa_obligations'
  | 'paye_statement'
  | 'ct_statement'
  | 'companies_house_profile';

/** What a source said, as it said it: never changed, never removed by a later one. A reading that says the same again adds nothing but its time in client_syncs. */
export const clientObservations = pgTable(
  'client_observations',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    kind: text('kind').$type<ObservationKind>().notNull(),
    takenAt: instant('taken_at').notNull(),
    source: text('source').$type<Exclude<FigureSource, 'rule'>>().notNull(),
    body: jsonb('body').$type<unknown>().notNull(),
    /** Of the body, so that an unchanged answer is not kept twice. */
    bodyHash: text('body_hash').notNull(),
    /** The statement it came from. */
    statementId: uuid('statement_id'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.kind, table.takenAt] }),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

export type SyncState = 'checking' | 'importing' | 'completed' | 'failed';

/** How fresh a client's tax is, and its place in the queue of the run that reads it (product.md section 5, Sync). */
export const clientSyncs = pgTable(
  'client_syncs',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    state: text('state').$type<SyncState>().notNull(),
    /** A code of domain/practice/sync-reasons.ts: why the last attempt failed. */
    reason: text('reason'),
    runId: uuid('run_id'),
    attempts: integer('attempts').notNull().default(0),
    /** While one instance reads (computer's time); afterwards another may. */
    leaseUntil: instant('lease_until'),
    /** Failed ones are tried again from here (computer's time). */
    retryAt: instant('retry_at'),
    /** The last time HMRC or the register answered whole. */
    readAt: instant('read_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.tax] }),
    index('client_syncs_state').on(table.companyId, table.tax, table.state, table.clientId),
    index('client_syncs_run').on(table.runId, table.state, table.clientId),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** One reading of many clients' tax, begun by a person's click, whose fraud-prevention headers its calls carry. */
export const syncRuns = pgTable(
  'sync_runs',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    state: text('state').$type<SyncState | 'cancelled'>().notNull(),
    startedBy: uuid('started_by')
      .notNull()
      .references(() => users.id),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
    total: integer('total').notNull(),
    done: integer('done').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    /** Why the run as a whole stopped, for example that HMRC's grant is gone. */
    reason: text('reason'),
    /** Sealed: they name the person's device and address. */
    fraudHeaders: text('fraud_headers').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('sync_runs_live')
      .on(table.companyId, table.tax)
      .where(sql`ended_at is null`),
    index('sync_runs_started').on(table.companyId, table.tax, table.startedAt),
  ],
);

/** When the next call to a provider may leave, over all instances. Global by nature: providers count by application. */
export const providerPace = pgTable('provider_pace', {
  provider: text('provider').primaryKey(),
  /** Microseconds of the database's clock since 1970. */
  nextAtMicros: bigint('next_at_micros', { mode: 'number' }).notNull(),
});

/** What is owed, due and coming back for a client and a tax: read by every screen, written by whoever brings an observation, in its transaction. */
export const taxPositions = pgTable(
  'tax_positions',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    /** All that the client owes now, overdue or not. */
    owedPence: pence('owed_pence').notNull(),
    overduePence: pence('overdue_pence').notNull(),
    overdueSince: plainDate('overdue_since'),
    /** Coming back from HMRC. */
    refundPence: pence('refund_pence').notNull(),
    overdueReturns: integer('overdue_returns').notNull(),
    penaltyPoints: integer('penalty_points'),
    pointsThreshold: integer('points_threshold'),
    /** Penalties and interest to date: ours, by the rules; `estimateReason` says where they go past verified rates. */
    penaltyPence: pence('penalty_pence').notNull(),
    interestPence: pence('interest_pence').notNull(),
    computedOn: plainDate('computed_on').notNull(),
    isEstimate: boolean('is_estimate').notNull(),
    nextDueOn: plainDate('next_due_on'),
    nextDueWhat: text('next_due_what').$type<'return' | 'payment'>(),
    nextDuePence: pence('next_due_pence'),
    source: text('source').$type<FigureSource>().notNull(),
    asOf: instant('as_of'),
    /** The whole picture for the client's own page: periods, charges, payments, each with its source (contract/positions.ts). */
    detail: jsonb('detail').$type<unknown>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.tax] }),
    index('tax_positions_tax').on(table.companyId, table.tax, table.nextDueOn, table.clientId),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** A return to file, an amount to pay or a refund to come, by its day: the calendar, the totals and "upcoming amounts" read it. */
export const dueItems = pgTable(
  'due_items',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    /** Unique within the client and tax: kind and period, or HMRC's charge reference. */
    key: text('key').notNull(),
    what: text('what').$type<'return' | 'payment' | 'refund'>().notNull(),
    dueOn: plainDate('due_on').notNull(),
    /** Positive: to HMRC. Negative: from HMRC. Null where nobody has said it. */
    amountPence: pence('amount_pence'),
    title: text('title').notNull(),
    periodStart: plainDate('period_start'),
    periodEnd: plainDate('period_end'),
    source: text('source').$type<FigureSource>().notNull(),
    asOf: instant('as_of').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.tax, table.key] }),
    index('due_items_day').on(table.companyId, table.dueOn, table.tax, table.clientId),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

export type PracticeTotals = {
  readonly tax: Tax;
  readonly clients: number;
  readonly owed_pence: Pence;
  readonly overdue_pence: Pence;
  readonly overdue_clients: number;
  readonly refund_pence: Pence;
  readonly refund_clients: number;
  readonly overdue_returns: number;
  readonly at_risk_pence: Pence;
  readonly due: Readonly<Record<'7' | '30' | '90', { readonly items: number; readonly amount_pence: Pence }>>;
  readonly by_month: readonly { readonly month: PlainDate; readonly to_pay_pence: Pence; readonly to_receive_pence: Pence }[];
};

/** The practice's totals as last counted, for the day they were counted for. A change enqueues the job that counts anew. */
export const practiceTotals = pgTable('practice_totals', {
  companyId: uuid('company_id').primaryKey(),
  countedOn: plainDate('counted_on').notNull(),
  countedAt: instant('counted_at').notNull(),
  totals: jsonb('totals').$type<readonly PracticeTotals[]>().notNull(),
});

/** A statement of CT or PAYE that the practice took from HMRC's own pages and imported: the port that an API may fill one day. */
export const taxStatements = pgTable(
  'tax_statements',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    tax: text('tax').$type<'ct' | 'paye'>().notNull(),
    fileName: text('file_name').notNull(),
    importedBy: uuid('imported_by')
      .notNull()
      .references(() => users.id),
    importedAt: instant('imported_at').notNull(),
    rows: integer('rows').notNull(),
    refused: jsonb('refused').$type<readonly { row: number; field: string; problem: string }[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] })],
);

/** A secret address of a person's calendar; only its hash is kept. */
export const calendarFeeds = pgTable(
  'calendar_feeds',
  {
    companyId: companyId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    tokenHash: text('token_hash').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.userId] }), uniqueIndex('calendar_feeds_token').on(table.tokenHash)],
);
