/** Each client's taxes: observations, the positions calculated from them, their freshness, and the sync that refreshes them. */
import type { StatementTax } from '@portal/domain/tax-statements/statement-columns.ts';
import type { DueKind, ItemKind, NextDueKind } from '@portal/domain/positions/position.ts';
import type { StatementOutcome, StatementState } from '@portal/domain/tax-statements/statement-states.ts';
import type { SyncState } from '@portal/domain/sync/sync-reasons.ts';
import type { FigureSource } from '@portal/domain/positions/tax-facts.ts';
import type { AttentionGroup } from '@portal/domain/clients/attention.ts';
import type { Authorisation } from '@portal/domain/authorisations/describe-authorisation.ts';
import type { RequestOutcome, RequestRunEndReason } from '@portal/domain/authorisations/request-outcome.ts';
import type { PositionFigures } from '@portal/domain/positions/describe-position-change.ts';
import type { BatchHeader } from '@portal/domain/sync/batch-headers.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { StatedTurnover } from '@portal/domain/agent/agent-facts.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { RequestEmailBlocker, RequestEmailKind } from '@portal/domain/authorisations/request-email.ts';
import type { AgentTax, Tax } from '@portal/domain/uk-tax/tax.ts';
import { sql } from '../sql.ts';
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, pence, plainDate } from './columns.ts';
import { users } from './identity.ts';

/**
 * HMRC's authorisations of the practice, by client and tax. The Agent Authorisation API doesn't support CT and PAYE, so these are
 * `unsupported` (docs/reference/hmrc.md section 5).
 */
export const clientAuthorisations = pgTable(
  'client_authorisations',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    status: text('status').$type<Authorisation>().notNull(),
    invitationId: text('invitation_id'),
    /** The page at HMRC where the client responds. */
    clientActionUrl: text('client_action_url'),
    sentAt: instant('sent_at'),
    expiresOn: plainDate('expires_on'),
    checkedAt: instant('checked_at'),
    /** HMRC's code for its last rejection, which determines the message next to the status. */
    refusal: text('refusal'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.tax] }),
    index('client_authorisations_status').on(table.companyId, table.status, table.tax),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/**
 * A run that creates authorisation requests at HMRC for many clients and one tax. A user starts it, and its requests carry that user's
 * fraud prevention headers.
 */
export const authorisationRuns = pgTable(
  'authorisation_runs',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    tax: text('tax').$type<AgentTax>().notNull(),
    startedBy: uuid('started_by')
      .notNull()
      .references(() => users.id),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
    /** Why the run ended before its last client, for example because the HMRC connection has ended. */
    reason: text('reason').$type<RequestRunEndReason>(),
    /** Encrypted, because they contain the user's device and IP address. */
    fraudHeaders: text('fraud_headers').notNull(),
    /** True if the clients are emailed HMRC's links, as shown to the user who started the run. */
    emailsClients: boolean('emails_clients').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('authorisation_runs_live')
      .on(table.companyId, table.tax)
      .where(sql`ended_at is null`),
    index('authorisation_runs_started').on(table.companyId, table.startedAt),
  ],
);

/** An email with HMRC's link for a request. See docs/decisions/0068-emailed-authorisation-requests.md. */
export const authorisationEmails = pgTable(
  'authorisation_emails',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<AgentTax>().notNull(),
    /** HMRC's ID of the request. A later request has a different ID. */
    invitationId: text('invitation_id').notNull(),
    kind: text('kind').$type<RequestEmailKind>().notNull(),
    requestedBy: uuid('requested_by')
      .notNull()
      .references(() => users.id),
    createdAt: instant('created_at').notNull(),
    /** The message that contains the link, with its outcome. Null while a detail needed to send it is missing. */
    messageId: uuid('message_id'),
    gap: text('gap').$type<RequestEmailBlocker>(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('authorisation_emails_once')
      .on(table.companyId, table.clientId, table.tax, table.invitationId, table.kind)
      .where(sql`kind <> 'repeat'`),
    index('authorisation_emails_client').on(table.companyId, table.clientId, table.tax),
    index('authorisation_emails_message').on(table.companyId, table.messageId, table.clientId),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** A client of a run, and the result of its request. The link itself is stored in client_authorisations. */
export const authorisationRunClients = pgTable(
  'authorisation_run_clients',
  {
    companyId: companyId(),
    runId: uuid('run_id').notNull(),
    clientId: uuid('client_id').notNull(),
    /** Null while the client is queued. */
    outcome: text('outcome').$type<RequestOutcome>(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.runId, table.clientId] }),
    index('authorisation_run_clients_queue')
      .on(table.companyId, table.runId)
      .where(sql`outcome is null`),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.runId],
      foreignColumns: [authorisationRuns.companyId, authorisationRuns.id],
    }).onDelete('cascade'),
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
  | 'vat_returns'
  | 'companies_house_profile'
  | 'companies_house_people';

/** A source's data exactly as received, never changed or removed. An identical read only updates the time in client_syncs. */
export const clientObservations = pgTable(
  'client_observations',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    kind: text('kind').$type<ObservationKind>().notNull(),
    takenAt: instant('taken_at').notNull(),
    source: text('source').$type<Exclude<FigureSource, 'rule'>>().notNull(),
    body: jsonb('body').$type<unknown>().notNull(),
    /** Hash of the body, so that we don't store an unchanged response twice. */
    bodyHash: text('body_hash').notNull(),
    /** The statement that contained the data. */
    statementId: uuid('statement_id'),
    /** The client's reference that it was read under, such as its VAT number. Null if the client had none. */
    reference: text('reference'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.kind, table.takenAt] }),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** Freshness of a client's tax, and its place in the queue of a sync run (docs/product/decisions.md section 5, Sync). */
export const clientSyncs = pgTable(
  'client_syncs',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    state: text('state').$type<SyncState>().notNull(),
    /** Why the last attempt failed: a code from domain/sync/sync-reasons.ts. */
    reason: text('reason'),
    runId: uuid('run_id'),
    attempts: integer('attempts').notNull().default(0),
    /** Only one instance reads until this time (system clock). After that, another may take over. */
    leaseUntil: instant('lease_until'),
    /** The process that is reading (Holder in database.ts). Once it has died, another may take over immediately. */
    holderId: integer('holder_id'),
    /** When a failed read will be retried (system clock). */
    retryAt: instant('retry_at'),
    /** The time of the last complete response from HMRC or Companies House. */
    readAt: instant('read_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.tax] }),
    index('client_syncs_state').on(table.companyId, table.tax, table.state, table.clientId),
    index('client_syncs_run').on(table.runId, table.state, table.clientId),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/**
 * One sync of a tax for several clients. A user's click starts it, and its requests carry that user's fraud prevention headers. A nightly
 * run has no user, and carries the headers that an operator confirmed with HMRC.
 */
export const syncRuns = pgTable(
  'sync_runs',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    state: text('state').$type<SyncState | 'cancelled'>().notNull(),
    /** Null for a nightly run. */
    startedBy: uuid('started_by').references(() => users.id),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
    total: integer('total').notNull(),
    done: integer('done').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    /** How many of the run's requests HMRC rejected because its rate limit was exceeded. They are repeated later. */
    throttled: integer('throttled').notNull().default(0),
    /** While HMRC limits the run: the end of the current pause (system clock). */
    throttledUntil: instant('throttled_until'),
    /** Why the whole run stopped, for example because the HMRC connection has ended. */
    reason: text('reason'),
    /** Encrypted, because they contain the user's device and IP address. */
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

/**
 * An operator's record of HMRC's response about refreshes that no user starts. Append-only; the newest applies. Without a confirmation, no
 * schedule reads VAT or income tax (docs/decisions/0018).
 */
export const batchHeaderConfirmations = pgTable('batch_header_confirmations', {
  id: uuid('id').primaryKey(),
  /** The headers HMRC requires; an empty list withdraws the confirmation. */
  headers: jsonb('headers').$type<readonly BatchHeader[]>().notNull(),
  /** The reference to HMRC's response, for example its ticket number and date. */
  note: text('note').notNull(),
  recordedBy: uuid('recorded_by')
    .notNull()
    .references(() => users.id),
  recordedAt: instant('recorded_at').notNull(),
});

/** The earliest time of the next request to a provider, across all instances. Global, because providers limit rates per application. */
export const providerRateLimits = pgTable('provider_rate_limits', {
  provider: text('provider').primaryKey(),
  /** Microseconds since 1970 by the database's clock. */
  nextAtMicros: bigint('next_at_micros', { mode: 'number' }).notNull(),
});

/**
 * The amounts that a client owes and is due for one tax, and its obligations. All screens read this table, and each new observation updates
 * it in the same transaction.
 */
export const taxPositions = pgTable(
  'tax_positions',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    /** The total that the client owes now, whether or not it is overdue. */
    owedPence: pence('owed_pence').notNull(),
    overduePence: pence('overdue_pence').notNull(),
    overdueSince: plainDate('overdue_since'),
    /** The refund due from HMRC. */
    refundPence: pence('refund_pence').notNull(),
    overdueReturns: integer('overdue_returns').notNull(),
    /**
     * Quarterly updates of Making Tax Digital, counted separately because they aren't returns. The default is for the release before this
     * column was added.
     */
    overdueUpdates: integer('overdue_updates').notNull().default(0),
    penaltyPoints: integer('penalty_points'),
    pointsThreshold: integer('points_threshold'),
    /**
     * Penalties and interest to date, which we calculate. `isEstimate` is true if the calculation uses unverified rates or unknown amounts.
     */
    penaltyPence: pence('penalty_pence').notNull(),
    interestPence: pence('interest_pence').notNull(),
    computedOn: plainDate('computed_on').notNull(),
    isEstimate: boolean('is_estimate').notNull(),
    nextDueOn: plainDate('next_due_on'),
    nextDueWhat: text('next_due_what').$type<NextDueKind>(),
    nextDuePence: pence('next_due_pence'),
    source: text('source').$type<FigureSource>().notNull(),
    asOf: instant('as_of'),
    /** The first day on which these figures count as old (domain/positions/figures-state.ts); null if they have never been read. */
    staleOn: plainDate('stale_on'),
    /** True if the last refresh failed permanently. */
    refreshFailed: boolean('refresh_failed').notNull().default(false),
    /**
     * RULES_VERSION of domain/positions at the time of calculation; 0 for rows older than this column. Positions with older versions are
     * recalculated.
     */
    rulesVersion: integer('rules_version').notNull().default(0),
    /** The full details for the client's own page: periods, charges and payments, each with its source (contract/positions.ts). */
    detail: jsonb('detail').$type<unknown>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.tax] }),
    index('tax_positions_tax').on(table.companyId, table.tax, table.nextDueOn, table.clientId),
    index('tax_positions_rules').on(table.companyId, table.rulesVersion),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** The figures of a position that describe a change (domain/positions/describe-position-change.ts). */
export const positionChanges = pgTable(
  'position_changes',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    /** When new data from a source changed the position. Changes caused only by the calendar date aren't recorded. */
    changedAt: instant('changed_at').notNull(),
    before: jsonb('before').$type<PositionFigures>().notNull(),
    after: jsonb('after').$type<PositionFigures>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.tax, table.changedAt] }),
    index('position_changes_time').on(table.companyId, table.changedAt),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** A return to file, an amount to pay or a refund to come, by date. Used by the calendar, the totals and "upcoming amounts". */
export const dueItems = pgTable(
  'due_items',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    /** Unique within the client and tax. Consists of the kind and period, or of HMRC's charge reference. */
    key: text('key').notNull(),
    what: text('what').$type<DueKind>().notNull(),
    /**
     * The legal type of the item, since a quarterly update isn't a tax return. The default is for the release before this column was added.
     */
    kind: text('kind').$type<ItemKind>().notNull().default('payment'),
    dueOn: plainDate('due_on').notNull(),
    /** Positive if paid to HMRC, negative if received from HMRC, null if unknown. */
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

/**
 * A tax balance from the client's own books on a given date, entered by the practice and compared with HMRC's figure. Append-only; the
 * newest applies.
 */
export const clientBookBalances = pgTable(
  'client_book_balances',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    id: uuid('id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    /** Positive if the books show that the client owes HMRC. */
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

/**
 * A client's 12-month turnover: entered or imported by the practice (append-only; the newest counts), or computed when books became current (one
 * row, replaced). Turnover from VAT returns is in their boxes. See docs/decisions/0085-turnover-and-identity.md.
 */
export const clientTurnovers = pgTable(
  'client_turnovers',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    id: uuid('id').notNull(),
    source: text('source').$type<StatedTurnover['source']>().notNull(),
    /** The last day of the twelve months, which is always the last day of a month. */
    endOn: plainDate('end_on').notNull(),
    turnoverPence: pence('turnover_pence').notNull(),
    /** For books: bad debt relief in the twelve months, whether the books count payments, and their VAT number; null if unknown. */
    badDebtPence: pence('bad_debt_pence'),
    isCashBasis: boolean('is_cash_basis'),
    vatNumber: text('vat_number'),
    /**
     * For books: `file` for an uploaded file, or the software and organisation that they were read from (books/save-books-turnover.ts), so
     * that unlinked books take only their own months with them. Null if the version before stored it.
     */
    booksOrigin: text('books_origin'),
    /** Whether the sales were made while registered for VAT. Null if the version before stored it. */
    wasRegistered: boolean('was_registered'),
    /** Null for books. */
    enteredBy: uuid('entered_by').references(() => users.id),
    /** The import whose file stated it, which is undone with it; null if it was entered on the client's page. */
    importId: uuid('import_id'),
    /** When the turnover was entered, or first stated by the current books. */
    knownAt: instant('known_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.id] }),
    uniqueIndex('client_turnovers_months')
      .on(table.companyId, table.clientId, table.endOn, table.booksOrigin)
      .where(sql`source = 'books'`),
    check('client_turnovers_entered', sql`(source = 'practice') = (entered_by is not null)`),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** A dashboard's counts for one tax, or for all taxes. Amounts cover the clients that have been read. */
type CountedFigures = {
  readonly clients: number;
  /** Clients with at least one amount read for the tax (or for any tax). */
  readonly read_clients: number;
  /** Clients with at least one tax that has never been read, and clients with none read. */
  readonly incomplete_clients: number;
  readonly unread_clients: number;
  readonly stale_clients: number;
  readonly owed_pence: Pence;
  readonly owed_clients: number;
  readonly overdue_pence: Pence;
  readonly overdue_clients: number;
  readonly refund_pence: Pence;
  readonly refund_clients: number;
  readonly overdue_returns: number;
  readonly overdue_return_clients: number;
  /** Missing in totals stored by the release before these counts were added. */
  readonly overdue_updates?: number;
  readonly overdue_update_clients?: number;
  readonly at_risk_pence: Pence;
  readonly at_risk_clients: number;
  readonly due: Readonly<
    Record<'7' | '30' | '90', { readonly clients: number; readonly items: number; readonly amount_pence: Pence | null }>
  >;
  /** Totals stored by the release before `…_is_partial` lack them, and are counted again. */
  readonly by_month: readonly {
    readonly month: PlainDate;
    readonly to_pay_pence: Pence;
    readonly to_pay_is_partial: boolean;
    readonly to_receive_pence: Pence;
    readonly to_receive_is_partial: boolean;
  }[];
};

/** `all`: across all taxes, counting each client once. */
export type PracticeTotals = CountedFigures & { readonly tax: Tax | 'all' };

/** `clients` includes inactive and closed clients. */
export type OverallTotals = {
  readonly clients: number;
  readonly read_from: Instant | null;
  readonly read_to: Instant | null;
};

/** Totals, with the day they were counted: one row for the practice, and one for each member with assigned clients. */
export const practiceTotals = pgTable(
  'practice_totals',
  {
    companyId: companyId(),
    /** The viewer: a user ID, or the nil UUID for the whole practice. */
    viewerId: uuid('viewer_id').notNull(),
    /**
     * Identifies the clients counted, because a member's totals are valid only while the same clients are assigned. Empty for the practice.
     */
    assigned: text('assigned').notNull(),
    countedOn: plainDate('counted_on').notNull(),
    countedAt: instant('counted_at').notNull(),
    /** How long it took to count the practice. */
    durationMs: integer('duration_ms').notNull(),
    overall: jsonb('overall').$type<OverallTotals>().notNull(),
    totals: jsonb('totals').$type<readonly PracticeTotals[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.viewerId] })],
);

/** The number of clients in each attention group (domain/clients/attention.ts), with the sum of their amounts if the group has one. */
export type AttentionCounts = Readonly<Record<AttentionGroup, { readonly clients: number; readonly amount_pence: Pence | null }>>;

/** Counts of a member's clients. `member` is null for all clients, and 'none' for clients without a member. */
export type MemberAttention = {
  readonly member: string | null;
  readonly clients: number;
  /** Identifies the member's clients, as in practice_totals. */
  readonly assigned: string;
  readonly groups: AttentionCounts;
};

/** The numbers shown on "Today", counted with the totals. */
export const practiceAttention = pgTable('practice_attention', {
  companyId: uuid('company_id').primaryKey(),
  countedOn: plainDate('counted_on').notNull(),
  countedAt: instant('counted_at').notNull(),
  members: jsonb('members').$type<readonly MemberAttention[]>().notNull(),
});

/** Marks totals as outdated. Written together with each change, so that a count started before the commit can't miss it. */
export const staleTotals = pgTable(
  'stale_totals',
  {
    companyId: companyId(),
    id: uuid('id').notNull().defaultRandom(),
    /** The time by the database's clock. */
    markedAt: instant('marked_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] })],
);

/** A CT or PAYE statement that the practice exported from HMRC's pages and imported here. An HMRC API may replace it later. */
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
    /** Rows with an outcome: imported or rejected. */
    rowsDone: integer('rows_done').notNull().default(0),
    rowsRejected: integer('rows_rejected').notNull().default(0),
    clients: integer('clients').notNull().default(0),
    clientsImported: integer('clients_imported').notNull().default(0),
    /** When rows last arrived during reading (system clock). If this time stops changing, the reading process has died. */
    readingAt: instant('reading_at'),
    endedAt: instant('ended_at'),
    reason: text('reason'),
    /** When the statement's rows were purged at the end of their retention period. The counts remain. */
    rowsRemovedAt: instant('rows_removed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // Only one import runs at a time, so that the later file's figures apply.
    uniqueIndex('tax_statements_live')
      .on(table.companyId, table.tax)
      .where(sql`state = 'importing'`),
  ],
);

/** `skipped`: the client was removed, or no longer had the tax, between reading and import. */
export type StatementClientOutcome = StatementOutcome | 'skipped';

/** A client in a statement, and the outcome of importing its figures. */
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

/** A row of a statement's file, as read. Written once; after that, only problems are added. */
export const taxStatementRows = pgTable(
  'tax_statement_rows',
  {
    companyId: companyId(),
    statementId: uuid('statement_id').notNull(),
    /** Line number in the file; the header is row 1. */
    row: integer('row').notNull(),
    /** The client that the row identifies; null if it doesn't match any of the practice's clients. */
    clientId: uuid('client_id'),
    /** The parsed row (domain/tax-statements), for rows with a client. */
    parsedRow: jsonb('parsed_row').$type<unknown>(),
    /** The field that caused the row's rejection. */
    field: text('field'),
    problem: text('problem'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.statementId, table.row] }),
    index('tax_statement_rows_client').on(table.companyId, table.statementId, table.clientId),
    index('tax_statement_rows_rejected')
      .on(table.companyId, table.statementId, table.row)
      .where(sql`problem is not null`),
    foreignKey({ columns: [table.companyId, table.statementId], foreignColumns: [taxStatements.companyId, taxStatements.id] }).onDelete(
      'cascade',
    ),
  ],
);

/** The secret URL of a user's calendar feed. We store only its hash. */
export const calendarFeeds = pgTable(
  'calendar_feeds',
  {
    companyId: companyId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    tokenHash: text('token_hash').notNull(),
    /**
     * Whether the feed covers all clients that the user may see, or only those assigned to them. The default is for the release before this
     * column was added.
     */
    covers: text('covers').$type<'all' | 'assigned'>().notNull().default('all'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.userId] }), uniqueIndex('calendar_feeds_token').on(table.tokenHash)],
);
