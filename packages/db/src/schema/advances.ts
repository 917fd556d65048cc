/** Advances: the purchase of a refund, its payout and the money that comes back. */
import type { JudgedRule } from '@portal/domain/advances/judge-eligibility.ts';
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, pence, plainDate } from './columns.ts';

/** A bank account of the trader; the newest is the one refunds are paid to. */
export const bankAccounts = pgTable(
  'bank_accounts',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    accountHolder: text('account_holder').notNull(),
    sortCode: text('sort_code').notNull(),
    accountNumber: text('account_number').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] }), index('bank_accounts_created').on(table.companyId, table.createdAt)],
);

/** The account in the trader's name that HMRC repays into; one per trader. */
export const collectionAccounts = pgTable(
  'collection_accounts',
  {
    companyId: uuid('company_id').primaryKey(),
    providerAccountId: text('provider_account_id').notNull(),
    accountHolder: text('account_holder').notNull(),
    sortCode: text('sort_code').notNull(),
    accountNumber: text('account_number').notNull(),
    openedAt: instant('opened_at').notNull(),
  },
  // A webhook names only the provider's account: this finds the tenant.
  (table) => [uniqueIndex('collection_accounts_provider').on(table.providerAccountId)],
);

/** One advance from quote to settlement. `state` moves only through `moveAdvance` in domain/advances. */
export const advances = pgTable(
  'advances',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    obligationId: uuid('obligation_id').notNull(),
    /** The period of the return, as HMRC listed it: whatever it stands on, its refund is sold once. */
    periodStart: plainDate('period_start').notNull(),
    periodEnd: plainDate('period_end').notNull(),
    /** What the refund stands on, one of the two: our own filing, or the return found at HMRC with the day HMRC received it. */
    filingId: uuid('filing_id'),
    foundReturnId: uuid('found_return_id'),
    foundOn: plainDate('found_on'),
    state: text('state').$type<string>().notNull(),
    version: integer('version').notNull(),
    refundPence: pence('refund_pence').notNull(),
    feePence: pence('fee_pence').notNull(),
    feeRateBps: integer('fee_rate_bps').notNull(),
    netPence: pence('net_pence').notNull(),
    eligible: boolean('eligible').notNull(),
    rules: jsonb('rules').$type<JudgedRule[]>().notNull(),
    agreementText: text('agreement_text').notNull(),
    agreementHash: text('agreement_hash').notNull(),
    quotedAt: instant('quoted_at').notNull(),
    validUntil: instant('valid_until').notNull(),
    acceptedAt: instant('accepted_at'),
    acceptedBy: uuid('accepted_by'),
    acceptedIp: text('accepted_ip'),
    bankAccountId: uuid('bank_account_id'),
    collectionConfirmedAt: instant('collection_confirmed_at'),
    /** Why the payout waits though it is approved and released, as a sentence to the trader; null where nothing of the kind stands in its way. */
    payoutHold: text('payout_hold'),
    paidAt: instant('paid_at'),
    repaidAt: instant('repaid_at'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // A refund can be sold once: a dead quote may be followed by a new one, a live one may not.
    uniqueIndex('advances_one_live')
      .on(table.companyId, table.obligationId)
      .where(sql`${table.state} not in ('expired', 'withdrawn', 'declined')`),
    uniqueIndex('advances_one_per_period')
      .on(table.companyId, table.periodStart, table.periodEnd)
      .where(sql`${table.state} not in ('expired', 'withdrawn', 'declined')`),
    check('advances_one_basis', sql`num_nonnulls(${table.filingId}, ${table.foundReturnId}) = 1`),
    index('advances_updated').on(table.companyId, table.updatedAt),
    // Operators' queues read across tenants by state; on a distributed database this one is a local index of each node.
    index('advances_state').on(table.state, table.updatedAt),
  ],
);

/** Every move of an advance, with who and why. */
export const advanceMoves = pgTable(
  'advance_moves',
  {
    companyId: companyId(),
    advanceId: uuid('advance_id').notNull(),
    sequence: integer('sequence').notNull(),
    fromState: text('from_state'),
    toState: text('to_state').notNull(),
    at: instant('at').notNull(),
    actor: text('actor').notNull(),
    reason: text('reason').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.advanceId, table.sequence] })],
);

/** Operators who released a payout; above the limit it takes two different ones. */
export const payoutReleases = pgTable(
  'payout_releases',
  {
    companyId: companyId(),
    advanceId: uuid('advance_id').notNull(),
    operatorId: uuid('operator_id').notNull(),
    /** The payout round: after a failed payout the releases begin anew. */
    round: integer('round').notNull(),
    releasedAt: instant('released_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.advanceId, table.round, table.operatorId] })],
);

export const PAYOUT_STATUSES = ['created', 'submitted', 'executed', 'failed', 'returned'] as const;

/** One order to the payments provider. Its id is the idempotency key, so repeating the order after a crash is the same order. */
export const payouts = pgTable(
  'payouts',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    advanceId: uuid('advance_id').notNull(),
    round: integer('round').notNull(),
    status: text('status').$type<(typeof PAYOUT_STATUSES)[number]>().notNull(),
    amountPence: pence('amount_pence').notNull(),
    accountHolder: text('account_holder').notNull(),
    sortCode: text('sort_code').notNull(),
    accountNumber: text('account_number').notNull(),
    reference: text('reference').notNull(),
    providerPayoutId: text('provider_payout_id'),
    failure: text('failure'),
    createdAt: instant('created_at').notNull(),
    submittedAt: instant('submitted_at'),
    settledAt: instant('settled_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // At most one order that may still pay, or has paid, per advance.
    uniqueIndex('payouts_one_live')
      .on(table.companyId, table.advanceId)
      .where(sql`${table.status} in ('created', 'submitted', 'executed')`),
    uniqueIndex('payouts_provider').on(table.providerPayoutId),
  ],
);

/** A credit on a collection account, as the provider told it. */
export const bankCredits = pgTable(
  'bank_credits',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    providerTransactionId: text('provider_transaction_id').notNull(),
    amountPence: pence('amount_pence').notNull(),
    remitter: text('remitter').notNull(),
    reference: text('reference').notNull(),
    receivedAt: instant('received_at').notNull(),
    /** The advance it repaid; null = waits for an operator, unless it went back. */
    advanceId: uuid('advance_id'),
    /** When an operator wrote down that it went back to its sender, and the bank's reference of that payment. */
    returnedAt: instant('returned_at'),
    returnReference: text('return_reference'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('bank_credits_provider').on(table.companyId, table.providerTransactionId),
  ],
);

/** What operators wrote about an open matter (a credit, or an advance whose money is missing), and why they decided it. Append-only by use. */
export const matterNotes = pgTable(
  'matter_notes',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    /** The credit or the advance. */
    subjectId: uuid('subject_id').notNull(),
    text: text('text').notNull(),
    by: uuid('by').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] }), index('matter_notes_subject').on(table.companyId, table.subjectId)],
);

/** Webhooks already acted on, by the provider's event id: duplicates change nothing. */
export const webhookEvents = pgTable('webhook_events', {
  eventId: text('event_id').primaryKey(),
  type: text('type').notNull(),
  receivedAt: instant('received_at').notNull(),
});
