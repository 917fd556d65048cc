/** Addresses that receive reports about our emails, and addresses that we don't email. See docs/decisions/0075-bounces.md. */
import type { FailureCause, MailReport } from '@portal/domain/mail-reports/delivery-failure.ts';
import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';
import { companies } from './identity.ts';

/** The envelope sender of one email, whose token is stored as a hash. */
export const reportAddresses = pgTable(
  'report_addresses',
  {
    companyId: companyId().references(() => companies.id),
    tokenHash: text('token_hash').notNull(),
    /** The recipient's email address, in lower case. */
    email: text('email').notNull(),
    /** The recipient of a message to clients, and which attempt it was. */
    messageId: uuid('message_id'),
    clientId: uuid('client_id'),
    attemptId: uuid('attempt_id'),
    /** The hash of the link in a client invitation. */
    invitation: text('invitation'),
    /** The email in `client_emails`. */
    clientEmailId: uuid('client_email_id'),
    createdAt: instant('created_at').notNull(),
    /** The most serious report applied, so that each is applied only once. */
    reported: text('reported').$type<MailReport['kind']>(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.tokenHash] }),
    // Reports don't name a tenant.
    uniqueIndex('report_addresses_token').on(table.tokenHash),
    index('report_addresses_created').on(table.companyId, table.createdAt),
  ],
);

/** An address that bounced, or whose owner reported our email as spam. If a user decides to try again, the row is deleted. */
export const undeliverableAddresses = pgTable(
  'undeliverable_addresses',
  {
    companyId: companyId().references(() => companies.id),
    /** The email address, in lower case. */
    email: text('email').notNull(),
    cause: text('cause').$type<FailureCause>().notNull(),
    /** The mail server's message, shortened. */
    detail: text('detail').notNull(),
    reportedAt: instant('reported_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.email] }),
    index('undeliverable_addresses_newest').on(table.companyId, table.reportedAt.desc().nullsFirst(), table.email),
  ],
);
