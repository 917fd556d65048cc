/** Refunds that HMRC pays short, late or not at all: the cases, with their history and letters, and the trader's payments. */
import type { DirectDebitAccount, DirectDebitStatus, MandateStatus } from '@portal/domain/shortfalls/direct-debit.ts';
import type { ShortfallCause } from '@portal/domain/shortfalls/infer-cause.ts';
import type { ShortfallStatus } from '@portal/domain/shortfalls/shortfall-status.ts';
import { sql } from '../sql.ts';
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, pence, plainDate } from './columns.ts';

/** One case for each advance whose refund is late or short. Reopened if money is returned, for example after a charge-back. */
export const shortfalls = pgTable(
  'shortfalls',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    advanceId: uuid('advance_id').notNull(),
    /** The reference that the trader quotes when paying by bank transfer. */
    reference: text('reference').notNull(),
    status: text('status').$type<ShortfallStatus>().notNull(),
    cause: text('cause').$type<ShortfallCause>().notNull(),
    /** The cause as a sentence. Inferred causes begin with "HMRC’s figures suggest". */
    causeText: text('cause_text').notNull(),
    /** The part that seems to be missing, before the trader owes anything. */
    suspectedPence: pence('suspected_pence').notNull(),
    /** The operator responsible for the case; null if unassigned. */
    ownerId: uuid('owner_id'),
    openedAt: instant('opened_at').notNull(),
    /** The day by which the whole difference must be paid; null while nothing is owed. */
    dueOn: plainDate('due_on'),
    /** The amount received before the plan was agreed. Later payments count towards the instalments. Null without a plan. */
    planStartedFromPence: pence('plan_started_from_pence'),
    disputeReason: text('dispute_reason'),
    disputedAt: instant('disputed_at'),
    /** When the trader was last reminded of an overdue amount. */
    remindedAt: instant('reminded_at'),
    closedAt: instant('closed_at'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('shortfalls_advance').on(table.companyId, table.advanceId),
    // Operators and the sweep read open cases across tenants.
    index('shortfalls_open')
      .on(table.updatedAt)
      .where(sql`${table.status} in ('watching', 'due', 'disputed')`),
  ],
);

/** An event in a case, as the trader and operators see it. */
export const shortfallEvents = pgTable(
  'shortfall_events',
  {
    companyId: companyId(),
    shortfallId: uuid('shortfall_id').notNull(),
    sequence: integer('sequence').notNull(),
    at: instant('at').notNull(),
    actor: text('actor').notNull(),
    text: text('text').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.shortfallId, table.sequence] })],
);

/** A letter to the trader, stored exactly as it was emailed. */
export const shortfallLetters = pgTable(
  'shortfall_letters',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    shortfallId: uuid('shortfall_id').notNull(),
    at: instant('at').notNull(),
    heading: text('heading').notNull(),
    paragraphs: jsonb('paragraphs').$type<string[]>().notNull(),
    facts: jsonb('facts').$type<[label: string, value: string][]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('shortfall_letters_shortfall').on(table.companyId, table.shortfallId, table.at),
  ],
);

/** The agreed instalments. Whether an instalment counts as paid depends on the money received since the plan was agreed. */
export const shortfallInstalments = pgTable(
  'shortfall_instalments',
  {
    companyId: companyId(),
    shortfallId: uuid('shortfall_id').notNull(),
    number: integer('number').notNull(),
    dueOn: plainDate('due_on').notNull(),
    amountPence: pence('amount_pence').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.shortfallId, table.number] })],
);

/**
 * Money that pays off an advance's difference but isn't a bank credit: Direct Debits, amounts deducted from a later payout, and write-offs.
 * Negative if it was returned. Never changed.
 */
export const shortfallRecoveries = pgTable(
  'shortfall_recoveries',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    advanceId: uuid('advance_id').notNull(),
    source: text('source').$type<'direct_debit' | 'netting' | 'write_off'>().notNull(),
    /** ID of the Direct Debit, the payout or the request. */
    sourceId: uuid('source_id').notNull(),
    amountPence: pence('amount_pence').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('shortfall_recoveries_advance').on(table.companyId, table.advanceId),
  ],
);

/** Unpaid differences that an ordered payout deducts. They take effect once the bank has made the payout. */
export const payoutNettings = pgTable(
  'payout_nettings',
  {
    companyId: companyId(),
    payoutId: uuid('payout_id').notNull(),
    shortfallId: uuid('shortfall_id').notNull(),
    amountPence: pence('amount_pence').notNull(),
    /**
     * The part that paid off the difference. The rest had already been paid in another way and is owed to the trader. Null until the payout
     * is made.
     */
    appliedPence: pence('applied_pence'),
    reversedAt: instant('reversed_at'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.payoutId, table.shortfallId] })],
);

/** A trader's Direct Debit mandate. Our ID is the idempotency key of its request. */
export const mandates = pgTable(
  'mandates',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    status: text('status').$type<MandateStatus>().notNull(),
    billingRequestId: text('billing_request_id'),
    providerMandateId: text('provider_mandate_id'),
    reference: text('reference'),
    /** The last digits of the account that it was set up on, if we ended it because the trader is paid to another account. */
    otherAccountEnding: text('other_account_ending'),
    /** The first day on which the bank can collect, as last reported by GoCardless. */
    nextChargeOn: plainDate('next_charge_on'),
    requestedBy: uuid('requested_by').notNull(),
    requestedAt: instant('requested_at').notNull(),
    activatedAt: instant('activated_at'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('mandates_one_live')
      .on(table.companyId)
      .where(sql`${table.status} in ('requested', 'pending_customer_approval', 'pending_submission', 'submitted', 'active')`),
    // A webhook contains only the provider's IDs.
    uniqueIndex('mandates_billing_request').on(table.billingRequestId),
    uniqueIndex('mandates_provider').on(table.providerMandateId),
  ],
);

/** One Direct Debit. Its ID is the idempotency key, so that repeating the request after a crash doesn't collect twice. */
export const directDebits = pgTable(
  'direct_debits',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    shortfallId: uuid('shortfall_id').notNull(),
    mandateId: uuid('mandate_id').notNull(),
    amountPence: pence('amount_pence').notNull(),
    chargeOn: plainDate('charge_on').notNull(),
    status: text('status').$type<DirectDebitStatus>().notNull(),
    providerPaymentId: text('provider_payment_id'),
    failure: text('failure'),
    /** The ledger account that holds the money, and the number of times the money has moved. */
    place: text('place').$type<DirectDebitAccount>().notNull(),
    moves: integer('moves').notNull().default(0),
    /** The part that paid off the difference; the rest is owed to the trader. */
    appliedPence: pence('applied_pence').notNull(),
    createdAt: instant('created_at').notNull(),
    /** When we requested that GoCardless cancel the Direct Debit; null if we didn't. */
    cancelRequestedAt: instant('cancel_requested_at'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('direct_debits_one_pending')
      .on(table.companyId, table.shortfallId)
      .where(sql`${table.status} in ('created', 'pending_customer_approval', 'pending_submission', 'submitted')`),
    uniqueIndex('direct_debits_provider').on(table.providerPaymentId),
    index('direct_debits_shortfall').on(table.companyId, table.shortfallId, table.createdAt),
  ],
);
