/** What is known of each client's taxes: what was observed, what follows from it, how fresh it is, and the engine that reads it anew. */
import type { StatementTax } from '@portal/domain/practice/statements/statement-columns.ts';
import type { Deadline, DueKind } from '@portal/domain/practice/positions/position.ts';
import type { StatementOutcome, StatementState } from '@portal/domain/practice/statements/statement-states.ts';
import type { SyncState } from '@portal/domain/practice/sync-reasons.ts';
import type { FigureSource } from '@portal/domain/practice/positions/facts.ts';
import type { Authorisation } from '@portal/domain/practice/describe-authorisation.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { sql } from 'drizzle-orm';
import { bigint, boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, pence, plainDate } from './columns.ts';
import { users } from './identity.ts';

/** What HMRC lets the practice see and do for a client and a tax. CT and PAYE are `unsupported` by the Agent Authorisation API (reference FACTS section 5). */
export const clientAuthorisations = pgTable(
  'client_authorisations',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    status: text('status').$type<Authorisation>().notNull(),
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
    /** Which process reads (Holder in database.ts): once it is dead, another may at once. */
    heldBy: integer('held_by'),
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
    nextDueWhat: text('next_due_what').$type<Deadline>(),
    nextDuePence: pence('next_due_pence'),
    source: text('source').$type<FigureSource>().notNull(),
    asOf: instant('as_of'),
    /** RULES_VERSION of domain/practice/positions when it was worked out; 0 before that was kept. An older one is worked out anew. */
    rulesVersion: integer('rules_version').notNull().default(0),
    /** The whole picture for the client's own page: periods, charges, payments, each with its source (contract/positions.ts). */
    detail: jsonb('detail').$type<unknown>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.tax] }),
    index('tax_positions_tax').on(table.companyId, table.tax, table.nextDueOn, table.clientId),
    index('tax_positions_rules').on(table.companyId, table.rulesVersion),
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
    what: text('what').$type<DueKind>().notNull(),
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

/** What a client's own books say of a tax on a day: typed by the practice, set beside HMRC's figure, never shown as it. Append-only; the newest counts. */
export const clientBookBalances = pgTable(
  'client_book_balances',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    id: uuid('id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    /** Positive: the books say that the client owes HMRC. */
    balancePence: pence('balance_pence').notNull(),
    onDate: plainDate('on_date').notNull(),
    enteredBy: uuid('entered_by')
      .notNull()
      .references(() => users.id),
    enteredAt: instant('entered_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.id] }),
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

/** What does not add up over the taxes, because one client has several. `all` also counts clients that are not in hand. */
export type OverallTotals = {
  readonly all: number;
  readonly in_hand: number;
  readonly overdue: number;
  readonly refund: number;
  readonly read_from: Instant | null;
  readonly read_to: Instant | null;
};

/** Totals as last counted, for the day they were counted for: a row for the practice, and one for each person with assigned clients. */
export const practiceTotals = pgTable(
  'practice_totals',
  {
    companyId: companyId(),
    /** Whose view it is: a person's, or the nil UUID for the whole practice. */
    viewerId: uuid('viewer_id').notNull(),
    /** Says which clients were counted: the totals of a person hold only while the same ones are assigned. Empty for the practice. */
    assigned: text('assigned').notNull(),
    countedOn: plainDate('counted_on').notNull(),
    countedAt: instant('counted_at').notNull(),
    /** How long it took to count the practice. */
    tookMs: integer('took_ms').notNull(),
    overall: jsonb('overall').$type<OverallTotals>().notNull(),
    totals: jsonb('totals').$type<readonly PracticeTotals[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.viewerId] })],
);

/** A change that no count has seen yet. Written with the change, so that none is missed by a count that began before it was committed. */
export const totalsMarks = pgTable(
  'totals_marks',
  {
    companyId: companyId(),
    id: uuid('id').notNull().defaultRandom(),
    /** By the database's clock. */
    markedAt: instant('marked_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] })],
);

/** A statement of CT or PAYE that the practice took from HMRC's own pages and imported: the port that an API may fill one day. */
export const taxStatements = pgTable(
  'tax_statements',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    tax: text('tax').$type<StatementTax>().notNull(),
    fileName: text('file_name').notNull(),
    importedBy: uuid('imported_by')
      .notNull()
      .references(() => users.id),
    importedAt: instant('imported_at').notNull(),
    state: text('state').$type<StatementState>().notNull().default('completed'),
    rows: integer('rows').notNull(),
    /** Rows with an outcome, and of them those of which nothing was taken. */
    rowsDone: integer('rows_done').notNull().default(0),
    rowsRefused: integer('rows_refused').notNull().default(0),
    clients: integer('clients').notNull().default(0),
    clientsTaken: integer('clients_taken').notNull().default(0),
    /** While it is read: when rows came last (computer's time). One that stands still was left by a process that died. */
    readingAt: instant('reading_at'),
    endedAt: instant('ended_at'),
    reason: text('reason'),
    /** When its rows were removed, their time being over; the counts stay. */
    rowsRemovedAt: instant('rows_removed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // One at a time: the later file must be the one whose figures stand.
    uniqueIndex('tax_statements_live')
      .on(table.companyId, table.tax)
      .where(sql`state = 'importing'`),
  ],
);

/** `passed_over`: the client was removed, or lost the tax, between the reading and its step. */
export type StatementClientOutcome = StatementOutcome | 'passed_over';

/** A client that a statement names: what its step has yet to do, or did. */
export const taxStatementClients = pgTable(
  'tax_statement_clients',
  {
    companyId: companyId(),
    statementId: uuid('statement_id').notNull(),
    clientId: uuid('client_id').notNull(),
    outcome: text('outcome').$type<StatementClientOutcome>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.statementId, table.clientId] }),
    foreignKey({ columns: [table.companyId, table.statementId], foreignColumns: [taxStatements.companyId, taxStatements.id] }).onDelete(
      'cascade',
    ),
  ],
);

/** A row of a statement's file as it was read. Written once; only what is found wrong with it later is added. */
export const taxStatementRows = pgTable(
  'tax_statement_rows',
  {
    companyId: companyId(),
    statementId: uuid('statement_id').notNull(),
    /** As the file counts: the header is row 1. */
    row: integer('row').notNull(),
    /** Whom it names; null where no client of the practice could be told. */
    clientId: uuid('client_id'),
    /** The parsed row (domain/practice/statements), of rows that name a client. */
    said: jsonb('said').$type<unknown>(),
    /** Why nothing of it was taken. */
    field: text('field'),
    problem: text('problem'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.statementId, table.row] }),
    index('tax_statement_rows_client').on(table.companyId, table.statementId, table.clientId),
    index('tax_statement_rows_refused')
      .on(table.companyId, table.statementId, table.row)
      .where(sql`problem is not null`),
    foreignKey({ columns: [table.companyId, table.statementId], foreignColumns: [taxStatements.companyId, taxStatements.id] }).onDelete(
      'cascade',
    ),
  ],
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
