/** Practices' subscriptions, and our VAT invoices for them. See docs/decisions/0057-billing.md. */
import type {
  InvoiceKind,
  InvoiceRefundKind,
  InvoiceStatus,
  PaymentMethodKind,
  PriceMoveStatus,
  RefundStatus,
  SubscriptionStatus,
  WriteOffStatus,
} from '@portal/domain/pricing/subscription.ts';
import type { RefundLine } from '@portal/domain/pricing/refund.ts';
import { boolean, check, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { sql } from '../sql.ts';
import { companyId, instant, pence, plainDate } from './columns.ts';
import { companies } from './identity.ts';
import { priceLists, priceMoves, promotionCodes } from './pricing.ts';

/** The payer and payment method, including a saved draft of the set-up. */
export const billingAccounts = pgTable('billing_accounts', {
  companyId: companyId()
    .primaryKey()
    .references(() => companies.id),
  billingName: text('billing_name').notNull().default(''),
  billingEmail: text('billing_email').notNull().default(''),
  billingAddress: text('billing_address').notNull().default(''),
  /** Saved during set-up, but not used yet. */
  promotionCode: text('promotion_code').notNull().default(''),
  providerCustomerId: text('provider_customer_id').unique(),
  /** The provider's latest page for entering a payment method. */
  setupId: text('setup_id'),
  paymentMethodId: text('payment_method_id'),
  paymentMethodKind: text('payment_method_kind').$type<PaymentMethodKind>(),
  paymentMethodLabel: text('payment_method_label'),
  updatedAt: instant('updated_at').notNull(),
});

export const subscriptions = pgTable(
  'subscriptions',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    status: text('status').$type<SubscriptionStatus>().notNull(),
    priceListVersion: integer('price_list_version')
      .notNull()
      .references(() => priceLists.version),
    /** The number of connections currently charged, or ordered while `starting`. */
    connections: integer('connections').notNull(),
    subscribedOn: plainDate('subscribed_on').notNull(),
    /** The monthly price of these connections, after the discount and excluding VAT. */
    netPence: pence('net_pence').notNull(),
    promotionCode: text('promotion_code').references(() => promotionCodes.code),
    discountKind: text('discount_kind').$type<'percent' | 'pence'>(),
    discountValue: integer('discount_value'),
    /** Null if the discount lasts as long as the subscription. */
    discountMonths: integer('discount_months'),
    discountFrom: instant('discount_from'),
    endsAtRenewal: boolean('ends_at_renewal').notNull().default(false),
    /** Null until the provider has confirmed the subscription. */
    providerSubscriptionId: text('provider_subscription_id').unique(),
    providerItemId: text('provider_item_id'),
    /** When the provider began it, from which renewals are counted. Null until then. */
    startedAt: instant('started_at'),
    periodStart: instant('period_start'),
    periodEnd: instant('period_end'),
    /** When a payment was first missed. */
    unpaidSince: instant('unpaid_since'),
    failure: text('failure'),
    amountDuePence: pence('amount_due_pence').notNull(),
    unpaidInvoiceId: text('unpaid_invoice_id'),
    /** The provider's page where the payer confirms the payment. */
    confirmationUrl: text('confirmation_url'),
    orderedBy: uuid('ordered_by').notNull(),
    createdAt: instant('created_at').notNull(),
    endedAt: instant('ended_at'),
    /** When the read that wrote this row began, so that a slower read that began earlier doesn't overwrite it. */
    readAt: instant('read_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('subscriptions_live')
      .on(table.companyId)
      .where(sql`status <> 'ended'`),
  ],
);

/** `price`: a move to a later price list, announced in a notice. Users order the other kinds. */
export const SUBSCRIPTION_CHANGE_KINDS = ['start', 'connections', 'code', 'cancel', 'resume', 'pay', 'price'] as const;
export type SubscriptionChangeKind = (typeof SUBSCRIPTION_CHANGE_KINDS)[number];

/** A change that a user ordered, stored before it is sent to the provider. Its ID is the idempotency key. */
export const subscriptionChanges = pgTable(
  'subscription_changes',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    subscriptionId: uuid('subscription_id').notNull(),
    kind: text('kind').$type<SubscriptionChangeKind>().notNull(),
    /** `reverted`: a move to a price list that was undone, before it applied, by a change of connections. */
    status: text('status').$type<'sending' | 'done' | 'refused' | 'reverted'>().notNull(),
    /** The provider's reason for rejecting the change. */
    refusal: text('refusal'),
    /** For a change of connections: the numbers, the start of the charged period, and the monthly price before and after, excluding VAT. */
    connections: integer('connections'),
    fromConnections: integer('from_connections'),
    periodStart: instant('period_start'),
    fromNetPence: pence('from_net_pence'),
    toNetPence: pence('to_net_pence'),
    /** For a move to another price list: both lists, and the start of the first period at the new prices. */
    fromVersion: integer('from_version'),
    toVersion: integer('to_version'),
    appliesFrom: instant('applies_from'),
    /** Null for a move to another price list. */
    orderedBy: uuid('ordered_by'),
    orderedAt: instant('ordered_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.subscriptionId], foreignColumns: [subscriptions.companyId, subscriptions.id] }),
    uniqueIndex('subscription_changes_sending')
      .on(table.companyId, table.subscriptionId)
      .where(sql`status = 'sending'`),
  ],
);

/** The last invoice number of each seller. The row is locked until the invoice is committed, so numbers have no gaps. */
export const invoiceSequences = pgTable('invoice_sequences', {
  sellerVatNumber: text('seller_vat_number').primaryKey(),
  lastNumber: integer('last_number').notNull(),
});

/** A VAT invoice or credit note as issued (VAT Regulations 1995, regulation 14). Triggers prevent changes. */
export const vatInvoices = pgTable(
  'vat_invoices',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    subscriptionId: uuid('subscription_id').notNull(),
    kind: text('kind').$type<InvoiceKind>().notNull(),
    /** The number in the seller's sequence, without gaps. */
    sequence: integer('sequence').notNull(),
    number: text('number').notNull(),
    issuedOn: plainDate('issued_on').notNull(),
    /** The day of the payment, if the invoice was paid before it was issued; null if the date of issue is the tax point. */
    taxPoint: plainDate('tax_point'),
    periodStart: plainDate('period_start').notNull(),
    periodEnd: plainDate('period_end').notNull(),
    sellerName: text('seller_name').notNull(),
    sellerAddress: text('seller_address').notNull(),
    sellerVatNumber: text('seller_vat_number').notNull(),
    customerName: text('customer_name').notNull(),
    customerContact: text('customer_contact').notNull(),
    customerAddress: text('customer_address').notNull(),
    netPence: pence('net_pence').notNull(),
    vatRateBps: integer('vat_rate_bps').notNull(),
    vatPence: pence('vat_pence').notNull(),
    totalPence: pence('total_pence').notNull(),
    /** The ID of the provider's invoice or credit note. */
    providerId: text('provider_id').notNull(),
    /** The invoice that a credit note corrects. */
    correctsId: uuid('corrects_id'),
    /** The reason for a credit note (VAT Notice 700 paragraph 18.2.1). Earlier credit notes don't have one. */
    reason: text('reason'),
    issuedAt: instant('issued_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('vat_invoices_provider').on(table.companyId, table.providerId),
    uniqueIndex('vat_invoices_number').on(table.sellerVatNumber, table.sequence),
    index('vat_invoices_issued').on(table.companyId, table.issuedOn),
    check('vat_invoices_total', sql`total_pence = net_pence + vat_pence`),
  ],
);

export const vatInvoiceLines = pgTable(
  'vat_invoice_lines',
  {
    companyId: companyId(),
    invoiceId: uuid('invoice_id').notNull(),
    position: integer('position').notNull(),
    description: text('description').notNull(),
    quantity: integer('quantity'),
    /** The amount excluding VAT. */
    amountPence: pence('amount_pence').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.invoiceId, table.position] }),
    foreignKey({ columns: [table.companyId, table.invoiceId], foreignColumns: [vatInvoices.companyId, vatInvoices.id] }),
  ],
);

/** The payment status of an invoice, as last read from the provider. */
export const invoicePayments = pgTable(
  'invoice_payments',
  {
    companyId: companyId(),
    invoiceId: uuid('invoice_id').notNull(),
    status: text('status').$type<InvoiceStatus>().notNull(),
    chargeId: text('charge_id'),
    /** The amount including VAT, after deducting the practice's credit balance. */
    amountDuePence: pence('amount_due_pence').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.invoiceId] }),
    foreignKey({ columns: [table.companyId, table.invoiceId], foreignColumns: [vatInvoices.companyId, vatInvoices.id] }),
    index('invoice_payments_charge').on(table.chargeId),
  ],
);

/**
 * An invoice refund that two operators decided on, stored before it is sent to the provider. Its ID is that of the approval request, and
 * also the idempotency key. A refund made at the provider is stored once found there. A trigger keeps an invoice's refunds from exceeding
 * the invoice.
 */
export const invoiceRefunds = pgTable(
  'invoice_refunds',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    invoiceId: uuid('invoice_id').notNull(),
    kind: text('kind').$type<InvoiceRefundKind>().notNull().default('refund'),
    status: text('status').$type<RefundStatus>().notNull(),
    netPence: pence('net_pence').notNull(),
    vatPence: pence('vat_pence').notNull(),
    totalPence: pence('total_pence').notNull(),
    lines: jsonb('lines').$type<readonly RefundLine[]>().notNull(),
    /** The reason on the credit note. */
    reason: text('reason').notNull(),
    /** Why the provider rejected the refund, or the bank returned it. */
    failure: text('failure'),
    /** Our credit note. Set once the provider has accepted the refund. */
    creditNoteId: uuid('credit_note_id'),
    /** The provider's refunds, oldest first, one for each accepted attempt. */
    providerRefundIds: text('provider_refund_ids')
      .array()
      .$type<readonly string[]>()
      .notNull()
      .default(sql`'{}'`),
    /** The number of the current attempt. An operator starts each retry. */
    attempt: integer('attempt').notNull().default(1),
    /** For a refund that was paid from our bank account after it was returned: the day and reference on our bank statement. */
    transferredOn: plainDate('transferred_on'),
    transferReference: text('transfer_reference'),
    /** Proves that the portal decided on the refund (refund-seal.ts). */
    orderSeal: text('order_seal'),
    orderedAt: instant('ordered_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.invoiceId], foreignColumns: [vatInvoices.companyId, vatInvoices.id] }),
    foreignKey({ columns: [table.companyId, table.creditNoteId], foreignColumns: [vatInvoices.companyId, vatInvoices.id] }),
    index('invoice_refunds_invoice').on(table.companyId, table.invoiceId),
    index('invoice_refunds_status').on(table.status),
    check('invoice_refunds_total', sql`total_pence = net_pence + vat_pence and net_pence >= 0 and vat_pence >= 0 and total_pence > 0`),
  ],
);

/**
 * An unpaid invoice that two operators wrote off as a bad debt. Its ID is that of the approval request, and also the idempotency key. The
 * invoice is unchanged, and a trigger prevents changes to this row except to its status.
 */
export const invoiceWriteOffs = pgTable(
  'invoice_write_offs',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    invoiceId: uuid('invoice_id').notNull(),
    status: text('status').$type<WriteOffStatus>().notNull(),
    /** The amount including VAT, and the VAT in it. */
    amountPence: pence('amount_pence').notNull(),
    vatPence: pence('vat_pence').notNull(),
    /** The first and last day on which bad debt relief can be claimed (domain/pricing/bad-debt.ts). */
    reliefFrom: plainDate('relief_from').notNull(),
    reliefUntil: plainDate('relief_until').notNull(),
    reason: text('reason').notNull(),
    /** Why the write-off was rejected. */
    failure: text('failure'),
    writtenOffOn: plainDate('written_off_on'),
    /** The day on which the invoice was paid after all. */
    reversedOn: plainDate('reversed_on'),
    /** When we last checked with the provider whether the invoice was paid. */
    readAt: instant('read_at'),
    orderedAt: instant('ordered_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.invoiceId], foreignColumns: [vatInvoices.companyId, vatInvoices.id] }),
    uniqueIndex('invoice_write_offs_once')
      .on(table.companyId, table.invoiceId)
      .where(sql`status <> 'refused'`),
    index('invoice_write_offs_status').on(table.status),
    check('invoice_write_offs_amount', sql`amount_pence > 0 and vat_pence >= 0 and vat_pence <= amount_pence`),
  ],
);

/** A notice to a practice that its subscription will move to a later price list (docs/decisions/0069-refunds-and-price-moves.md). */
export const priceNotices = pgTable(
  'price_notices',
  {
    companyId: companyId(),
    subscriptionId: uuid('subscription_id').notNull(),
    moveId: uuid('move_id')
      .notNull()
      .references(() => priceMoves.id),
    status: text('status').$type<PriceMoveStatus>().notNull(),
    fromVersion: integer('from_version')
      .notNull()
      .references(() => priceLists.version),
    toVersion: integer('to_version')
      .notNull()
      .references(() => priceLists.version),
    noticedOn: plainDate('noticed_on').notNull(),
    /** The first renewal on or after this day is at the new prices. */
    movesFrom: plainDate('moves_from').notNull(),
    /** The price in the notice: the monthly price for the connections at that time, including VAT. */
    connections: integer('connections').notNull(),
    fromTotalPence: pence('from_total_pence').notNull(),
    toTotalPence: pence('to_total_pence').notNull(),
    /** The start of the first period at the new prices. */
    movedAt: instant('moved_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.subscriptionId, table.moveId] }),
    foreignKey({ columns: [table.companyId, table.subscriptionId], foreignColumns: [subscriptions.companyId, subscriptions.id] }),
    uniqueIndex('price_notices_open')
      .on(table.companyId, table.subscriptionId)
      .where(sql`status = 'noticed'`),
    // The same number as NOTICE_DAYS in domain/pricing/price-list.ts.
    check('price_notices_days', sql`moves_from >= noticed_on + 60`),
  ],
);
