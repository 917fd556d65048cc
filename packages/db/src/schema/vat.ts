/** Tables for a trader's VAT: the HMRC connection, HMRC's data, the books and the filings. */
import type { VatDirection } from '@portal/domain/uk-tax/vat/nine-boxes.ts';
import type { BooksKind } from '@portal/domain/books/books-row.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { AdjustmentKind } from '@portal/domain/vat-returns/adjustment-kinds.ts';
import type { FilingState, ObligationStatus, ReceiptSource } from '@portal/domain/vat-returns/return-state.ts';
import type { Pence, WholePounds } from '@portal/domain/money.ts';
import { sql } from '../sql.ts';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, pence, plainDate, wholePounds } from './columns.ts';

/**
 * Why a connection ended. `expired`: its 18 months are over. `refused`: HMRC rejects its tokens. `arn_changed`: it was verified for another
 * agent reference number. `vat_number_moved`: our team moved its VAT number to another company.
 */
export type ConnectionEndReason = 'expired' | 'refused' | 'arn_changed' | 'vat_number_moved';

/** The HMRC connection. Tokens are encrypted; `lapsed` means that HMRC rejects them and the user must reconnect. */
export const hmrcConnections = pgTable('hmrc_connections', {
  companyId: uuid('company_id').primaryKey(),
  status: text('status').$type<'connected' | 'lapsed' | 'declined' | 'postponed'>().notNull(),
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  accessExpiresAt: instant('access_expires_at'),
  /** Set while one instance refreshes the token (system clock). The other instances wait, because a refresh token works only once. */
  refreshLeaseUntil: instant('refresh_lease_until'),
  /** The process that is refreshing the token (Holder in database.ts). Once it has died, the other instances stop waiting. */
  refreshHolderId: integer('refresh_holder_id'),
  /** When the permission ends: 18 months after authorisation. Refreshing doesn't extend it. */
  consentEndsAt: instant('consent_ends_at'),
  connectedAt: instant('connected_at'),
  /** When we found that HMRC no longer accepts the connection; null while it works. */
  endedAt: instant('ended_at'),
  endReason: text('end_reason').$type<ConnectionEndReason>(),
  /** The last expiry warning sent, in days before the permission ends. */
  warnedDays: integer('warned_days'),
  /** When obligations were last read from HMRC. */
  figuresAsOf: instant('figures_as_of'),
});

/**
 * The only company that may use a VAT number: the one whose HMRC connection covers it. Prevents two companies from selling the same refund.
 * The table is global, so it doesn't have a tenant key.
 */
export const vrnClaims = pgTable('vrn_claims', {
  vrn: text('vrn').primaryKey(),
  companyId: companyId(),
  claimedAt: instant('claimed_at').notNull(),
});

/** HMRC's responses as received, never overwritten. The newest of each kind is current. */
export const hmrcObservations = pgTable(
  'hmrc_observations',
  {
    companyId: companyId(),
    /** `older_liabilities`: charges of the years before the last one. `open_obligations`: which returns HMRC still expects. */
    kind: text('kind').$type<'liabilities' | 'older_liabilities' | 'payments' | 'information' | 'open_obligations'>().notNull(),
    takenAt: instant('taken_at').notNull(),
    body: jsonb('body').$type<unknown>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.kind, table.takenAt] })],
);

/** A VAT obligation at HMRC, open or fulfilled. The period key is HMRC's; it is opaque and never shown. */
export const obligations = pgTable(
  'obligations',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    periodKey: text('period_key').notNull(),
    periodStart: plainDate('period_start').notNull(),
    periodEnd: plainDate('period_end').notNull(),
    dueOn: plainDate('due_on').notNull(),
    status: text('status').$type<ObligationStatus>().notNull(),
    receivedOn: plainDate('received_on'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('obligations_period_key').on(table.companyId, table.periodKey, table.periodStart),
    index('obligations_period_end').on(table.companyId, table.periodEnd),
  ],
);

/** The seven boxes that are sums. Boxes 3 and 5 are calculated from them. */
const createBoxColumns = () => ({
  box1Pence: pence('box1_pence').notNull(),
  box2Pence: pence('box2_pence').notNull(),
  box4Pence: pence('box4_pence').notNull(),
  box6Pounds: wholePounds('box6_pounds').notNull(),
  box7Pounds: wholePounds('box7_pounds').notNull(),
  box8Pounds: wholePounds('box8_pounds').notNull(),
  box9Pounds: wholePounds('box9_pounds').notNull(),
});

/** A return as HMRC holds it, kept for the history. */
export const hmrcReturns = pgTable(
  'hmrc_returns',
  { companyId: companyId(), obligationId: uuid('obligation_id').notNull(), readAt: instant('read_at').notNull(), ...createBoxColumns() },
  (table) => [primaryKey({ columns: [table.companyId, table.obligationId] })],
);

/**
 * A return at HMRC that wasn't filed through us, as the basis of an advance. Append-only (enforced by a trigger): if HMRC's figures change,
 * a new row is added, and the newest is current.
 */
export const foundReturns = pgTable(
  'found_returns',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    obligationId: uuid('obligation_id').notNull(),
    /** The VAT number for which we read the return. */
    vrn: text('vrn').notNull(),
    /** The day HMRC received the return. */
    receivedOn: plainDate('received_on').notNull(),
    readAt: instant('read_at').notNull(),
    boxes: jsonb('boxes').$type<FiledBoxes>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('found_returns_obligation').on(table.companyId, table.obligationId, table.readAt),
  ],
);

/**
 * Books as a whole: an uploaded file, or data read from bookkeeping software. The newest one is current; older ones are kept because filed
 * returns depend on them.
 */
export const booksFiles = pgTable(
  'books_files',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    fileName: text('file_name').notNull(),
    rows: integer('rows').notNull(),
    flagged: integer('flagged').notNull(),
    firstDate: plainDate('first_date'),
    lastDate: plainDate('last_date'),
    /** Null while the rows are being written and the file isn't in use yet. */
    appliedAt: instant('applied_at'),
    uploadedBy: uuid('uploaded_by').notNull(),
    /** The bookkeeping software that the books came from; null for an uploaded file. */
    source: text('source').$type<BooksProviderName>(),
    /** The organisation's ID in the bookkeeping software. */
    organisationId: text('organisation_id'),
    /**
     * The VAT number in the bookkeeping software. Books of a registration other than the client's don't count
     * (vat-returns/current-files.ts).
     */
    vatNumber: text('vat_number'),
    /**
     * When the books stopped counting, because the organisation no longer belongs to the client. They are kept for the returns filed from
     * them.
     */
    withdrawnAt: instant('withdrawn_at'),
    /** Hash of the rows read from bookkeeping software, so that the same rows aren't stored again. */
    contentHash: text('content_hash'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] }), index('books_files_applied').on(table.companyId, table.appliedAt)],
);

/** One line of a books file. */
export const booksRows = pgTable(
  'books_rows',
  {
    companyId: companyId(),
    fileId: uuid('file_id').notNull(),
    line: integer('line').notNull(),
    date: plainDate('date').notNull(),
    kind: text('kind').$type<BooksKind>().notNull(),
    reference: text('reference').notNull(),
    counterparty: text('counterparty').notNull(),
    description: text('description').notNull(),
    netPence: pence('net_pence').notNull(),
    vatPence: pence('vat_pence').notNull(),
    treatment: text('treatment').notNull(),
    flagged: boolean('flagged').notNull().default(false),
    /** The document's ID in the bookkeeping software that it came from; null in an uploaded file. */
    documentId: text('document_id'),
    /** Opens the document in the bookkeeping software that it came from. */
    link: text('link'),
    /** Why a document read from bookkeeping software needs review, as names of DocumentFlag separated by spaces. */
    documentFlags: text('document_flags'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.fileId, table.line] }),
    index('books_rows_date').on(table.companyId, table.fileId, table.date),
  ],
);

/** The boxes of one file for one obligation's period, calculated once, when the file or the obligation arrived. */
export const periodFigures = pgTable(
  'period_figures',
  {
    companyId: companyId(),
    obligationId: uuid('obligation_id').notNull(),
    fileId: uuid('file_id').notNull(),
    rows: integer('rows').notNull(),
    flagged: integer('flagged').notNull(),
    ...createBoxColumns(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.obligationId, table.fileId] })],
);

/** The figures sent with a filing, which never change. */
export type FiledBoxes = {
  box1_pence: Pence;
  box2_pence: Pence;
  box3_pence: Pence;
  box4_pence: Pence;
  box5_pence: Pence;
  box6_pounds: WholePounds;
  box7_pounds: WholePounds;
  box8_pounds: WholePounds;
  box9_pounds: WholePounds;
  direction: VatDirection;
};

/** An adjustment included in the figures sent with a filing (return_adjustments). */
export type FiledAdjustment = { id: string; box: number; amount_pence: Pence; kind: AdjustmentKind; reason: string; made_by: string };

/** HMRC's complete 201 response, because we can't fetch it again. */
export type FilingReceipt = { body: Record<string, unknown>; headers: Record<string, string> };

/**
 * One attempt to file. The row is committed as `sending` before the request is sent.
 * `sending` -> `accepted` | `refused` | `unknown`; `unknown` -> `accepted` (read back) | `not_received`.
 */
export const filings = pgTable(
  'filings',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    obligationId: uuid('obligation_id').notNull(),
    state: text('state').$type<FilingState>().notNull(),
    boxes: jsonb('boxes').$type<FiledBoxes>().notNull(),
    /** The adjustments included in `boxes`, with their reasons. */
    adjustments: jsonb('adjustments').$type<readonly FiledAdjustment[]>().notNull().default([]),
    figuresVersion: text('figures_version').notNull(),
    fileId: uuid('file_id').notNull(),
    declaration: text('declaration').notNull(),
    /** The practice that files for its client, which is then `company_id`; null for a trader. */
    practiceId: uuid('practice_id'),
    /** The client's approval (return_approvals). */
    approvalId: uuid('approval_id'),
    filedBy: uuid('filed_by').notNull(),
    fraudHeaders: jsonb('fraud_headers').$type<Record<string, string>>().notNull(),
    receipt: jsonb('receipt').$type<FilingReceipt>(),
    receiptSource: text('receipt_source').$type<ReceiptSource>(),
    refusal: text('refusal'),
    /** Identifies the process run that made the request. */
    instanceId: text('instance_id').notNull(),
    callDeadlineAt: instant('call_deadline_at').notNull(),
    sentAt: instant('sent_at').notNull(),
    settledAt: instant('settled_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // Prevents filing twice by allowing only one live or successful attempt per return, even after a crash.
    uniqueIndex('filings_one_live')
      .on(table.companyId, table.obligationId)
      .where(sql`${table.state} in ('sending', 'unknown', 'accepted')`),
    index('filings_obligation').on(table.companyId, table.obligationId, table.sentAt),
  ],
);
