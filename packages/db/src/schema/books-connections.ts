/** Connections to bookkeeping software, and the data read from it. See docs/decisions/0056-connecting-books.md. */
import type { BooksKind } from '@portal/domain/books/books-row.ts';
import type { VatBasis } from '@portal/domain/connected-books/books-document.ts';
import type { BooksConnectionStatus, BooksEndReason, BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { VatFigureProblem } from '@portal/domain/connected-books/compare-vat.ts';
import type { BooksProblemCode } from '@portal/domain/connected-books/books-problems.ts';
import type { Treatment } from '@portal/domain/books/books-row.ts';
import { sql } from '../sql.ts';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, jsonText, pence, plainDate } from './columns.ts';
import { clients } from './clients.ts';
import { companies, users } from './identity.ts';
import { booksFiles } from './vat.ts';

/** An organisation that the user's authorisation covers. */
export type OfferedOrganisation = { readonly id: string; readonly name: string; readonly connection_id: string | null };

/**
 * The bookkeeping software that provides the books of a trader's company, or of a practice's client (docs/decisions/0071). Disconnecting
 * deletes the row.
 */
export const booksConnections = pgTable('books_connections', {
  companyId: uuid('company_id').primaryKey(),
  /** Set for a client of a practice. */
  practiceId: uuid('practice_id'),
  /**
   * True if the books are read through the practice's grant (`books_grants`), from the organisation that `practice_organisations` links
   * to the client.
   */
  isByGrant: boolean('is_by_grant').notNull().default(false),
  provider: text('provider').$type<BooksProviderName>().notNull(),
  /** `choosing`: the user has authorised us but hasn't chosen the organisation yet. */
  status: text('status').$type<BooksConnectionStatus>().notNull(),
  /** Encrypted. Null once the connection is lost. */
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  accessExpiresAt: instant('access_expires_at'),
  /** Set while one instance renews the token (system clock); the other instances wait. */
  refreshLeaseUntil: instant('refresh_lease_until'),
  refreshHolderId: integer('refresh_holder_id'),
  organisations: jsonb('organisations').$type<readonly OfferedOrganisation[]>().notNull(),
  organisationId: text('organisation_id'),
  organisationName: text('organisation_name'),
  /** The organisation's details, as recorded in the bookkeeping software. */
  vatNumber: text('vat_number'),
  isDemo: boolean('is_demo').notNull().default(false),
  lockedUntil: plainDate('locked_until'),
  basis: text('basis').$type<VatBasis>(),
  /** True if a user chose the VAT basis, because the bookkeeping software doesn't provide it. */
  isBasisAnswered: boolean('is_basis_answered').notNull().default(false),
  /** The VAT number in the bookkeeping software, which a user confirmed for a client without one. */
  confirmedVatNumber: text('confirmed_vat_number'),
  connectedBy: uuid('connected_by')
    .notNull()
    .references(() => users.id),
  /** Identifies this connection. Changes on reconnecting or choosing another organisation. */
  connectedAt: instant('connected_at').notNull(),
  /** Files uploaded after this time are used instead of the connected books. */
  usedSince: instant('used_since').notNull(),
  lostAt: instant('lost_at'),
  lostReason: text('lost_reason').$type<BooksEndReason>(),
});

/** An organisation covered by a grant. `vatNumber` and `companyNumber` are those in the bookkeeping software. */
export type GrantedOrganisation = OfferedOrganisation & { readonly vatNumber: string | null; readonly companyNumber: string | null };

/**
 * The permission to read books that a user gave when signing up. It belongs to that user alone: it is stored under their identity at the
 * provider until the emailed link connects that identity to an account, and then becomes the connection of the account's first company.
 */
export const waitingBooksGrants = pgTable(
  'waiting_books_grants',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    provider: text('provider').$type<BooksProviderName>().notNull(),
    /** Encrypted. */
    accessToken: text('access_token').notNull(),
    refreshToken: text('refresh_token').notNull(),
    accessExpiresAt: instant('access_expires_at').notNull(),
    organisations: jsonb('organisations').$type<readonly GrantedOrganisation[]>().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] })],
);

/** A connection in progress. The state token is stored as a hash and works once, in the browser that started it. */
export const booksConnectionStates = pgTable(
  'books_connection_states',
  {
    companyId: companyId().references(() => companies.id),
    /** The client whose books are being connected, if `company_id` is a practice. Null means all its clients. */
    clientId: uuid('client_id'),
    stateHash: text('state_hash').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    provider: text('provider').$type<BooksProviderName>().notNull(),
    browserHash: text('browser_hash').notNull(),
    nonce: text('nonce').notNull(),
    codeVerifier: text('code_verifier').notNull(),
    /** The page that the browser returns to. */
    returnTo: text('return_to').$type<'steps' | 'books' | 'client' | 'settings'>().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.stateHash] })],
);

/** A tax rate whose treatment a user must choose, and the number of documents that use it. */
export type RateQuestion = { readonly code: string; readonly name: string; readonly documents: number; readonly example: string };

/** The latest read of a company's books: its progress and result. */
export const booksReads = pgTable('books_reads', {
  companyId: uuid('company_id').primaryKey(),
  /** Set for a client of a practice. */
  practiceId: uuid('practice_id'),
  status: text('status').$type<'reading' | 'done' | 'failed'>().notNull(),
  /** Identifies the read, so that jobs for earlier reads or other organisations stop writing. */
  readId: uuid('read_id').notNull(),
  /** Counts the reads of this connection, to find objects that complete reads no longer return. */
  number: integer('number').notNull(),
  /** The number of the first pass while a complete read is repeated. Objects that neither pass returned have been deleted. */
  confirms: integer('confirms'),
  /** True if the bookkeeping software reported a change during this read. */
  isHinted: boolean('is_hinted').notNull().default(false),
  isFull: boolean('is_full').notNull(),
  startedAt: instant('started_at').notNull(),
  /** If set, only objects modified since then are read. Null reads all objects. */
  modifiedSince: instant('modified_since'),
  /** The next page to read. */
  resource: text('resource').notNull(),
  page: integer('page').notNull(),
  objects: integer('objects').notNull(),
  /** No requests are sent before this time, because the rate limit was reached. */
  waitsUntil: instant('waits_until'),
  finishedAt: instant('finished_at'),
  lastFullAt: instant('last_full_at'),
  problem: text('problem').$type<BooksProblemCode>(),
  questions: jsonb('questions').$type<readonly RateQuestion[]>().notNull().default([]),
  /** Documents that lack a date or an exchange rate, with the missing detail and where to enter it. */
  unreadable: jsonb('unreadable').$type<readonly string[]>().notNull().default([]),
  /** Resources that the figures don't need and our permission doesn't include. They are read once the permission includes them. */
  notPermitted: jsonb('not_permitted').$type<readonly string[]>().notNull().default([]),
});

/** An object read from the bookkeeping software, reduced to the data that VAT needs. */
export const booksObjects = pgTable(
  'books_objects',
  {
    companyId: companyId(),
    resource: text('resource').notNull(),
    objectId: text('object_id').notNull(),
    /** The settings, and documents that an earlier version stored. */
    value: jsonb('value'),
    /** A document as text, which PostgreSQL stores without parsing it. If there is a `value` too, it is newer. */
    body: jsonText('body'),
    readNumber: integer('read_number').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.resource, table.objectId] })],
);

/** The bookkeeping software's own VAT figures for a period, which we compare with our boxes. Deleted with the objects. */
export const booksVatFigures = pgTable(
  'books_vat_figures',
  {
    companyId: companyId(),
    periodStart: plainDate('period_start').notNull(),
    periodEnd: plainDate('period_end').notNull(),
    /** The period's net VAT; null if it couldn't be read. */
    vatPence: pence('vat_pence'),
    /** Payments to HMRC, less repayments, in the VAT account during the period. Not part of the net VAT. */
    paidPence: pence('paid_pence'),
    /** The net VAT of the same books on the other VAT basis, if a user chose the basis. */
    otherBasisPence: pence('other_basis_pence'),
    problem: text('problem').$type<VatFigureProblem>(),
    readAt: instant('read_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.periodStart, table.periodEnd] })],
);

/** The treatment that a user chose for a tax rate of an organisation. */
export const booksRateAnswers = pgTable(
  'books_rate_answers',
  {
    companyId: companyId(),
    provider: text('provider').$type<BooksProviderName>().notNull(),
    organisationId: text('organisation_id').notNull(),
    code: text('code').notNull(),
    name: text('name').notNull(),
    kind: text('kind').$type<BooksKind>().notNull(),
    treatment: text('treatment').$type<Treatment>().notNull(),
    /** True for a self-accounted rate whose VAT is zero, as on services that would be zero-rated in the UK. */
    isZeroRated: boolean('is_zero_rated').notNull().default(false),
    answeredBy: uuid('answered_by')
      .notNull()
      .references(() => users.id),
    answeredAt: instant('answered_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.provider, table.organisationId, table.code] })],
);

/** A document that wasn't approved yet when these books were read, so their rows don't include it. */
export const booksDrafts = pgTable(
  'books_drafts',
  {
    companyId: companyId(),
    fileId: uuid('file_id').notNull(),
    line: integer('line').notNull(),
    date: plainDate('date').notNull(),
    type: text('type').notNull(),
    reference: text('reference').notNull(),
    counterparty: text('counterparty').notNull(),
    netPence: pence('net_pence').notNull(),
    vatPence: pence('vat_pence').notNull(),
    link: text('link'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.fileId, table.line] }),
    foreignKey({ columns: [table.companyId, table.fileId], foreignColumns: [booksFiles.companyId, booksFiles.id] }).onDelete('cascade'),
    index('books_drafts_date').on(table.companyId, table.fileId, table.date),
  ],
);

/** A practice's authorisation for bookkeeping software, used to read the books of many clients. Disconnecting deletes the row. */
export const booksGrants = pgTable(
  'books_grants',
  {
    companyId: companyId().references(() => companies.id),
    provider: text('provider').$type<BooksProviderName>().notNull(),
    status: text('status').$type<'connected' | 'lost'>().notNull(),
    /** Encrypted. Null once the authorisation is lost. */
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    accessExpiresAt: instant('access_expires_at'),
    /** Set while one instance renews the token (system clock); the other instances wait. */
    refreshLeaseUntil: instant('refresh_lease_until'),
    refreshHolderId: integer('refresh_holder_id'),
    connectedBy: uuid('connected_by')
      .notNull()
      .references(() => users.id),
    /** Identifies this authorisation. Changes on reconnecting. */
    connectedAt: instant('connected_at').notNull(),
    lostAt: instant('lost_at'),
    lostReason: text('lost_reason').$type<Exclude<BooksEndReason, 'removed'>>(),
    /**
     * When a user last tried to connect another login that lacks access to some clients' organisations, and which organisations it lacks.
     */
    refusedAt: instant('refused_at'),
    refusedMissing: jsonb('refused_missing').$type<readonly string[]>().notNull().default([]),
    /** When the complete list of organisations was last read. */
    listedAt: instant('listed_at'),
    /** Why the latest attempt to read the list failed; null if it succeeded. */
    listProblem: text('list_problem').$type<'unavailable'>(),
    /** No organisation is read before this time, because the rate limit was reached or the bookkeeping software didn't respond. */
    waitsUntil: instant('waits_until'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.provider] })],
);

/** An organisation that a practice's authorisation covers, and the client that a user has confirmed it belongs to, if any. */
export const practiceOrganisations = pgTable(
  'practice_organisations',
  {
    companyId: companyId(),
    provider: text('provider').$type<BooksProviderName>().notNull(),
    organisationId: text('organisation_id').notNull(),
    name: text('name').notNull(),
    /** The bookkeeping software's ID for our access to the organisation, if it has one. */
    connectionId: text('connection_id'),
    /** The VAT number in the organisation's settings (nine digits or null), and when the settings were read. */
    vatNumber: text('vat_number'),
    companyNumber: text('company_number'),
    detailsReadAt: instant('details_read_at'),
    /** True if our access excludes the organisation's settings. */
    isUnreadable: boolean('is_unreadable').notNull().default(false),
    /** The settings aren't read again before this time, because the rate limit was reached or reading failed. */
    waitsUntil: instant('waits_until'),
    /** When the authorisation stopped covering the organisation. */
    goneAt: instant('gone_at'),
    clientId: uuid('client_id'),
    linkedBy: uuid('linked_by').references(() => users.id),
    linkedAt: instant('linked_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.provider, table.organisationId] }),
    foreignKey({ columns: [table.companyId, table.provider], foreignColumns: [booksGrants.companyId, booksGrants.provider] }).onDelete(
      'cascade',
    ),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
    // Each client has at most one organisation, and each organisation at most one client.
    uniqueIndex('practice_organisations_client')
      .on(table.companyId, table.clientId)
      .where(sql`client_id is not null`),
  ],
);
