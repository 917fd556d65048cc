/** Advances: the purchase of a refund, its payout and the repayment. */
import type { NameCheckResult } from '@portal/domain/advances/name-check-results.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { sql } from '../sql.ts';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, pence, plainDate } from './columns.ts';
import { evaluatedRules } from './evaluated-rules.ts';

/** The result of the bank's account name check. `name`: the account's actual name, returned only for a close match. */
export type NameCheck = { result: NameCheckResult; name?: string; check_id: string | null; reason: string; checked_at: Instant };

/** A trader's bank account. Refunds are paid to the newest. */
export const bankAccounts = pgTable(
  'bank_accounts',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    accountHolder: text('account_holder').notNull(),
    sortCode: text('sort_code').notNull(),
    accountNumber: text('account_number').notNull(),
    /** Null until the bank has checked the name. */
    nameCheck: jsonb('name_check').$type<NameCheck>(),
    createdAt: instant('created_at').notNull(),
    /** When the account was first entered, if only its holder's name has been corrected since. The hold counts from this time. */
    accountSince: instant('account_since'),
    /** Proves that the portal wrote the account and the bank's result (features/advances/payout-facts.ts). Payouts require it. */
    seal: text('seal'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] }), index('bank_accounts_created').on(table.companyId, table.createdAt)],
);

/** The account in the trader's name that HMRC repays to; one per trader. */
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
  // A webhook names only the provider's account, so this index finds the tenant.
  (table) => [uniqueIndex('collection_accounts_provider').on(table.providerAccountId)],
);

/** One advance, from quote to settlement. Only the server's `transitionAdvance` changes `state`. */
export const advances = pgTable(
  'advances',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    obligationId: uuid('obligation_id').notNull(),
    /** The period of the return as HMRC listed it. Ensures that a refund is sold only once, whichever return it is based on. */
    periodStart: plainDate('period_start').notNull(),
    periodEnd: plainDate('period_end').notNull(),
    /** The return behind the refund: either our own filing or a return found at HMRC, never both. */
    filingId: uuid('filing_id'),
    foundReturnId: uuid('found_return_id'),
    foundOn: plainDate('found_on'),
    /**
     * The day HMRC received the return, from which its 30 days run. Null only on rows that are older than the column and have no return.
     */
    filedOn: plainDate('filed_on'),
    state: text('state').$type<string>().notNull(),
    version: integer('version').notNull(),
    refundPence: pence('refund_pence').notNull(),
    feePence: pence('fee_pence').notNull(),
    feeRateBps: integer('fee_rate_bps').notNull(),
    netPence: pence('net_pence').notNull(),
    eligible: boolean('eligible').notNull(),
    rules: evaluatedRules('rules').notNull(),
    /** The result of the domain's `needsReview`, stored for lists of thousands of advances. */
    needsReview: boolean('needs_review')
      .notNull()
      .generatedAlwaysAs(sql`jsonb_path_exists(rules, '$[*] ? (@.outcome == "review" || @.outcome == "not_judged")')`),
    agreementText: text('agreement_text').notNull(),
    agreementHash: text('agreement_hash').notNull(),
    /** The version of the agreement's wording (domain/advances/agreement-versions.ts). */
    agreementVersion: integer('agreement_version').notNull().default(1),
    /** The number of days after filing within which we expected HMRC's repayment when the quote was made. */
    repaymentDays: integer('repayment_days').notNull().default(30),
    /** True if the payout needs a submitted Direct Debit mandate. Decided at acceptance. */
    mandateRequired: boolean('mandate_required').notNull().default(false),
    quotedAt: instant('quoted_at').notNull(),
    validUntil: instant('valid_until').notNull(),
    acceptedAt: instant('accepted_at'),
    acceptedBy: uuid('accepted_by'),
    acceptedIp: text('accepted_ip'),
    bankAccountId: uuid('bank_account_id'),
    collectionConfirmedAt: instant('collection_confirmed_at'),
    /** When HMRC's figures were last read for this advance with the trader's own headers. Payouts require recent figures. */
    factsReadAt: instant('facts_read_at'),
    /** When we last requested that the owners confirm again because the figures had become too old. */
    factsRequestedAt: instant('facts_requested_at'),
    /** Why an approved and released payout is on hold, as a sentence for the trader; null if it isn't on hold. */
    payoutHold: text('payout_hold'),
    /** Proves that the portal wrote the price, the period and the acceptance (features/advances/payout-facts.ts). */
    termsSeal: text('terms_seal'),
    /**
     * The sealed record of who approved the advance and who sent its payout again. Approvals that are missing from it don't count for a
     * payout.
     */
    sealedApprovals: text('sealed_approvals'),
    paidAt: instant('paid_at'),
    repaidAt: instant('repaid_at'),
    /** When the owners were notified of HMRC's delay. */
    lateNotifiedAt: instant('late_notified_at'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // A refund can be sold only once: a new quote may follow one that has ended, but not a live one.
    uniqueIndex('advances_one_live')
      .on(table.companyId, table.obligationId)
      .where(sql`${table.state} not in ('expired', 'withdrawn', 'declined')`),
    uniqueIndex('advances_one_per_period')
      .on(table.companyId, table.periodStart, table.periodEnd)
      .where(sql`${table.state} not in ('expired', 'withdrawn', 'declined')`),
    check('advances_one_basis', sql`num_nonnulls(${table.filingId}, ${table.foundReturnId}) = 1`),
    index('advances_updated').on(table.companyId, table.updatedAt),
    // Operators' queues read by state across tenants. On a distributed database, this is a local index on each node.
    index('advances_state').on(table.state, table.updatedAt),
    // The promise is measured over the advances accepted in a date range.
    index('advances_accepted').on(table.acceptedAt),
  ],
);

/** Every state change of an advance, with its actor and reason. */
export const advanceTransitions = pgTable(
  'advance_transitions',
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

/** Operators who released a payout, and exactly what they released. A release counts only while none of that has changed. */
export const payoutReleases = pgTable(
  'payout_releases',
  {
    companyId: companyId(),
    advanceId: uuid('advance_id').notNull(),
    operatorId: uuid('operator_id').notNull(),
    /** The payout round. After a failed payout, a new round of releases starts. */
    round: integer('round').notNull(),
    releasedAt: instant('released_at').notNull(),
    amountPence: pence('amount_pence').notNull(),
    quoteVersion: integer('quote_version').notNull(),
    bankAccountId: uuid('bank_account_id').notNull(),
    /** Proves that the portal wrote the release. A release without a seal doesn't count. */
    seal: text('seal'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.advanceId, table.round, table.operatorId] })],
);

export const PAYOUT_STATUSES = ['created', 'submitted', 'executed', 'failed', 'returned'] as const;

/**
 * One order to the payments provider: the price of an advance, or money that we owe to the trader. Its ID is the idempotency key, so that
 * repeating the order after a crash doesn't pay twice.
 */
export const payouts = pgTable(
  'payouts',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    /** Null if the order pays out a surplus: money owed to the trader, for example above a refund. */
    advanceId: uuid('advance_id'),
    round: integer('round').notNull(),
    status: text('status').$type<(typeof PAYOUT_STATUSES)[number]>().notNull(),
    amountPence: pence('amount_pence').notNull(),
    accountHolder: text('account_holder').notNull(),
    sortCode: text('sort_code').notNull(),
    accountNumber: text('account_number').notNull(),
    reference: text('reference').notNull(),
    /**
     * Proves that the portal placed the order (features/advances/payout-order.ts). Null once the order has been submitted, because it isn't
     * sent again.
     */
    orderSeal: text('order_seal'),
    /**
     * The basis of the order, as JSON that the seal covers: the quote, approvals and releases, or the request made and approved by two
     * operators.
     */
    authorisedBy: text('authorised_by'),
    /** When the seal was first found to be wrong or missing, which stops the order from being sent; null if the seal is right. */
    refusedAt: instant('refused_at'),
    providerPayoutId: text('provider_payout_id'),
    failure: text('failure'),
    createdAt: instant('created_at').notNull(),
    /** Number of submissions with an unknown result, after which the provider may have created the payout. */
    unknownAttempts: integer('unknown_attempts').notNull().default(0),
    /** When the last submission with an unknown result was sent. */
    unknownAt: instant('unknown_at'),
    submittedAt: instant('submitted_at'),
    settledAt: instant('settled_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // At most one order per advance that has paid or may still pay.
    uniqueIndex('payouts_one_live')
      .on(table.companyId, table.advanceId)
      .where(sql`${table.status} in ('created', 'submitted', 'executed')`),
    // Only one open surplus payout per company, so that the same money is never ordered twice.
    uniqueIndex('payouts_one_open_surplus')
      .on(table.companyId)
      .where(sql`${table.advanceId} is null and ${table.status} in ('created', 'submitted')`),
    uniqueIndex('payouts_provider').on(table.providerPayoutId),
  ],
);

/**
 * A credit on a collection account, as reported by the provider. Only pounds above zero are posted to the ledger; `credit_allocations`
 * holds what the credit pays.
 */
export const bankCredits = pgTable(
  'bank_credits',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    providerTransactionId: text('provider_transaction_id').notNull(),
    currency: text('currency').notNull().default('GBP'),
    /** In hundredths of the currency: pence, unless `currency` says otherwise. */
    amountPence: pence('amount_pence').notNull(),
    remitter: text('remitter').notNull(),
    reference: text('reference').notNull(),
    receivedAt: instant('received_at').notNull(),
    /** When an operator recorded that the whole credit was returned to its sender. */
    returnedAt: instant('returned_at'),
    returnReference: text('return_reference'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('bank_credits_provider').on(table.companyId, table.providerTransactionId),
  ],
);

/**
 * A part of a credit, or all of it, that was returned to its sender. Only the bank can undo it, by returning the payment: a second row then
 * has the negative amount.
 */
export const creditReturns = pgTable(
  'credit_returns',
  {
    companyId: companyId(),
    /** The ID of the approved request behind the return, or of the payment that came back (`collection_payouts`). */
    id: uuid('id').notNull(),
    creditId: uuid('credit_id').notNull(),
    amountPence: pence('amount_pence').notNull(),
    reference: text('reference').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] }), index('credit_returns_credit').on(table.companyId, table.creditId)],
);

/**
 * The allocation of a part of a credit. A wrong allocation is reversed, never edited or deleted, and the ledger has a posting for each
 * step. The unallocated part of a credit waits for an operator.
 */
export const creditAllocations = pgTable(
  'credit_allocations',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    creditId: uuid('credit_id').notNull(),
    /** The advance that this part repays; null if the part belongs to the trader. */
    advanceId: uuid('advance_id'),
    amountPence: pence('amount_pence').notNull(),
    at: instant('at').notNull(),
    /** "bank" for an automatic match, otherwise the user who approved it. */
    by: text('by').notNull(),
    /** The approved request behind the allocation; null for an automatic match. */
    requestId: uuid('request_id'),
    reversedAt: instant('reversed_at'),
    reversedBy: text('reversed_by'),
    reversedRequestId: uuid('reversed_request_id'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('credit_allocations_credit').on(table.companyId, table.creditId),
    index('credit_allocations_advance').on(table.companyId, table.advanceId),
    check('credit_allocations_positive', sql`${table.amountPence} > 0`),
  ],
);

/**
 * Operators' notes on a reconciliation exception (a credit, or an advance with a shortfall), including reasons for decisions. Append-only
 * by convention.
 */
export const reconciliationNotes = pgTable(
  'reconciliation_notes',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    /** ID of the credit or advance concerned. */
    subjectId: uuid('subject_id').notNull(),
    text: text('text').notNull(),
    by: uuid('by').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('reconciliation_notes_subject').on(table.companyId, table.subjectId),
  ],
);

/** Webhooks already processed, by the provider's event ID, so that duplicates have no effect. */
export const webhookEvents = pgTable('webhook_events', {
  eventId: text('event_id').primaryKey(),
  type: text('type').notNull(),
  receivedAt: instant('received_at').notNull(),
});
