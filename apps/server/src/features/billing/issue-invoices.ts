/**
 * Issues our VAT invoice for each invoice that Stripe has charged, calculated from our own facts. If Stripe charged a different amount,
 * nothing is issued and the job fails, so that an operator sees it.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import {
  billingAccounts,
  companies,
  invoicePayments,
  invoiceSequences,
  subscriptionChanges,
  subscriptions,
  vatInvoiceLines,
  vatInvoices,
} from '@portal/db/schema/schema.ts';
import { and, desc, eq, inArray, lt, sql } from '@portal/db/sql.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { calculatePricing, priceChange, VAT_RATE_BPS, type TaxedAmount } from '@portal/domain/pricing/calculate-pricing.ts';
import {
  assertCharged,
  findEarlierTaxPoint,
  formatInvoiceNumber,
  toChangeLines,
  toMonthLines,
  type InvoiceLine,
} from '@portal/domain/pricing/invoice-lines.ts';
import type { InvoiceKind, InvoiceStatus } from '@portal/domain/pricing/subscription.ts';
import type { ProviderInvoice } from '@portal/providers/stripe/stripe-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getPriceList } from '../pricing/practice-prices.ts';
import { getBillingProvider, getDiscountAt, isThisSubscription, type SubscriptionRow, type VatInvoice } from './billing-records.ts';
import { enqueueInvoiceEmail } from './billing-emails.ts';
import { reverseWriteOff } from './write-off-rows.ts';
import { getListVersionAt } from './price-list-at.ts';

type CalculatedInvoice = TaxedAmount & { readonly lines: readonly InvoiceLine[] };

export async function issueInvoices(deps: AppDeps, subscription: SubscriptionRow, invoices: readonly ProviderInvoice[]): Promise<void> {
  for (const invoice of invoices) {
    const isCharged = invoice.status === 'open' || invoice.status === 'paid';
    if (!isCharged || invoice.finalisedAt === undefined) continue;
    const isEmpty = invoice.reason === 'change' && invoice.netPence === 0;
    if (!isEmpty) await issueOrUpdate(deps, subscription, invoice);
  }
}

async function issueOrUpdate(deps: AppDeps, subscription: SubscriptionRow, invoice: ProviderInvoice): Promise<void> {
  const { db } = deps.database;
  const isThisInvoice = and(eq(vatInvoices.companyId, subscription.companyId), eq(vatInvoices.providerId, invoice.invoiceId));
  const [existing] = await db.select({ id: vatInvoices.id }).from(vatInvoices).where(isThisInvoice);
  if (existing) return updatePayment(deps, subscription.companyId, existing.id, invoice);
  const calculatedInvoice = await calculate(deps, subscription, invoice);
  assertCharged(calculatedInvoice, invoice);
  await db.transaction(async (tx) => {
    // Process one read per practice at a time, because a webhook and a request may read at the same moment.
    await tx.select({ id: subscriptions.id }).from(subscriptions).where(isThisSubscription(subscription)).for('update');
    const [issuedInvoice] = await tx.select({ id: vatInvoices.id }).from(vatInvoices).where(isThisInvoice);
    if (issuedInvoice) return;
    const row = await insertInvoice(deps, tx, subscription.companyId, {
      subscriptionId: subscription.id,
      kind: calculatedInvoice.totalPence < 0 ? 'credit_note' : 'invoice',
      periodStart: toLondonDate(invoice.periodStart),
      periodEnd: addDays(toLondonDate(invoice.periodEnd), -1),
      providerId: invoice.invoiceId,
      correctsId: calculatedInvoice.totalPence < 0 ? await findCorrectedInvoice(tx, subscription) : null,
      reason: calculatedInvoice.totalPence < 0 ? 'Change in connections for the rest of the month' : null,
      taxPoint: findTaxPoint(deps, invoice),
      ...calculatedInvoice,
    });
    const payment = { status: toStatus(invoice), chargeId: invoice.chargeId ?? null, amountDuePence: invoice.amountDuePence };
    await tx.insert(invoicePayments).values({ companyId: row.companyId, invoiceId: row.id, ...payment, updatedAt: deps.clock.now() });
    await enqueueInvoiceEmail(deps, tx, row);
  });
}

/** Stripe collects a card payment minutes before we issue the invoice, or a day or more if the portal was stopped. */
function findTaxPoint({ clock }: AppDeps, { status, chargeId, paidAt }: ProviderInvoice): PlainDate | null {
  const isCollected = status === 'paid' && chargeId !== undefined && paidAt !== undefined;
  return findEarlierTaxPoint(clock.today(), isCollected ? toLondonDate(paidAt) : undefined);
}

type Customer = Pick<VatInvoice, 'customerName' | 'customerContact' | 'customerAddress'>;

export type NewInvoice = CalculatedInvoice &
  Pick<VatInvoice, 'subscriptionId' | 'kind' | 'periodStart' | 'periodEnd' | 'providerId' | 'correctsId' | 'reason'> & {
    readonly taxPoint?: PlainDate | null;
    /** The invoice that a refund's credit note corrects. */
    readonly corrected?: Customer & Pick<VatInvoice, 'vatRateBps'>;
  };

/** Takes the seller's next number in the caller's transaction, so that a number is used only if the invoice is committed. */
export async function insertInvoice(deps: AppDeps, tx: Tx, companyId: string, invoice: NewInvoice): Promise<VatInvoice> {
  const { seller } = getBillingProvider(deps);
  const { lines, corrected, totalPence, netPence, vatPence, ...rest } = invoice;
  const customer = corrected ?? { ...(await getCustomer(tx, companyId)), vatRateBps: VAT_RATE_BPS };
  const [lastInvoice] = await tx
    .insert(invoiceSequences)
    .values({ sellerVatNumber: seller.vatNumber, lastNumber: 1 })
    .onConflictDoUpdate({ target: invoiceSequences.sellerVatNumber, set: { lastNumber: sql`${invoiceSequences.lastNumber} + 1` } })
    .returning();
  const sequence = lastInvoice?.lastNumber ?? 1;
  const { customerName, customerContact, customerAddress, vatRateBps } = customer;
  const row = {
    ...rest,
    companyId,
    id: randomUUID(),
    sequence,
    number: formatInvoiceNumber(sequence),
    issuedOn: deps.clock.today(),
    taxPoint: rest.taxPoint ?? null,
    sellerName: seller.name,
    sellerAddress: seller.address,
    sellerVatNumber: seller.vatNumber,
    customerName,
    customerContact,
    customerAddress,
    netPence,
    vatRateBps,
    vatPence,
    totalPence,
    issuedAt: deps.clock.now(),
  };
  await tx.insert(vatInvoices).values(row);
  await tx.insert(vatInvoiceLines).values(lines.map((line, position) => ({ companyId, invoiceId: row.id, position, ...line })));
  const after = { number: row.number, total_pence: totalPence };
  await recordAudit(tx, { companyId, at: row.issuedAt, actor: 'rules', action: `${row.kind}.issued`, subject: row.id, after });
  return row;
}

async function getCustomer(tx: Tx, companyId: string): Promise<Customer> {
  const [customer] = await tx
    .select({ name: companies.name, account: billingAccounts })
    .from(companies)
    .innerJoin(billingAccounts, eq(billingAccounts.companyId, companies.id))
    .where(eq(companies.id, companyId));
  if (!customer) throw new Error(`the practice ${companyId} has no billing account`);
  const { billingName, billingAddress } = customer.account;
  return { customerName: customer.name, customerContact: billingName, customerAddress: billingAddress };
}

async function calculate(deps: AppDeps, subscription: SubscriptionRow, invoice: ProviderInvoice): Promise<CalculatedInvoice> {
  if (invoice.reason === 'change') return calculateChange(deps, subscription, invoice);
  const { subscribedOn, promotionCode } = subscription;
  const { db } = deps.database;
  const list = await getPriceList(db, await getListVersionAt(db, subscription, invoice.periodStart));
  const connections = await getConnectionCount(deps, subscription, invoice);
  const discount = getDiscountAt(subscription, invoice.periodStart);
  const pricing = calculatePricing({ list, connections, discount, today: subscribedOn, subscribedOn, change: null });
  const { netPence, vatPence, totalPence } = pricing;
  return { netPence, vatPence, totalPence, lines: toMonthLines(pricing, connections, promotionCode) };
}

/** Returns the number of connections ordered before the period started. Later changes don't affect this Stripe invoice. */
async function getConnectionCount(
  { database: { db } }: AppDeps,
  { companyId, id }: SubscriptionRow,
  invoice: ProviderInvoice,
): Promise<number> {
  const isBefore =
    invoice.reason === 'first' ? eq(subscriptionChanges.kind, 'start') : lt(subscriptionChanges.orderedAt, invoice.periodStart);
  const [change] = await db
    .select({ connections: subscriptionChanges.connections })
    .from(subscriptionChanges)
    .where(
      and(
        eq(subscriptionChanges.companyId, companyId),
        eq(subscriptionChanges.subscriptionId, id),
        eq(subscriptionChanges.status, 'done'),
        inArray(subscriptionChanges.kind, ['start', 'connections']),
        isBefore,
      ),
    )
    .orderBy(desc(subscriptionChanges.orderedAt))
    .limit(1);
  if (!change || change.connections === null) throw new Error(`the connections of Stripe's invoice ${invoice.invoiceId} are unknown`);
  return change.connections;
}

/** Stripe's invoice begins at the time of the change we ordered. */
async function calculateChange(
  { database: { db } }: AppDeps,
  subscription: SubscriptionRow,
  invoice: ProviderInvoice,
): Promise<CalculatedInvoice> {
  const isOwnChange = and(
    eq(subscriptionChanges.companyId, subscription.companyId),
    eq(subscriptionChanges.subscriptionId, subscription.id),
    eq(subscriptionChanges.kind, 'connections'),
    eq(subscriptionChanges.orderedAt, invoice.periodStart),
  );
  const [change] = await db.select().from(subscriptionChanges).where(isOwnChange);
  const { connections = null, fromConnections = null, periodStart = null, fromNetPence = null, toNetPence = null } = change ?? {};
  if (connections === null || fromConnections === null || periodStart === null || fromNetPence === null || toNetPence === null)
    throw new Error(`Stripe's invoice ${invoice.invoiceId} is for a change that we didn't order`);
  const period = { periodStart, periodEnd: invoice.periodEnd, at: invoice.periodStart };
  const pricedChange = priceChange({ ...period, chargedPence: fromNetPence }, toNetPence);
  return { ...pricedChange, lines: toChangeLines(pricedChange, fromConnections, connections) };
}

/** Returns the latest invoice, whose price a credit reduces. */
async function findCorrectedInvoice(tx: Tx, { companyId, id }: SubscriptionRow): Promise<string | null> {
  const isCharged = and(
    eq(vatInvoices.companyId, companyId),
    eq(vatInvoices.subscriptionId, id),
    eq(vatInvoices.kind, 'invoice' satisfies InvoiceKind),
  );
  const [latestInvoice] = await tx
    .select({ id: vatInvoices.id })
    .from(vatInvoices)
    .where(isCharged)
    .orderBy(desc(vatInvoices.sequence))
    .limit(1);
  return latestInvoice?.id ?? null;
}

function toStatus({ status, failure, dispute, totalPence, creditedPence, chargeId }: ProviderInvoice): InvoiceStatus {
  if (totalPence < 0) return 'credited';
  if (status === 'paid' && creditedPence > 0 && chargeId === undefined) return 'credited';
  if (dispute) return 'disputed';
  if (status === 'paid') return 'paid';
  return failure === undefined ? 'open' : 'failed';
}

export async function updatePayment(deps: AppDeps, companyId: string, invoiceId: string, invoice: ProviderInvoice): Promise<void> {
  const isThisPayment = and(eq(invoicePayments.companyId, companyId), eq(invoicePayments.invoiceId, invoiceId));
  const status = toStatus(invoice);
  const chargeId = invoice.chargeId ?? null;
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const [existing] = await tx.select().from(invoicePayments).where(isThisPayment).for('update');
    if (!existing || (existing.status === status && existing.chargeId === chargeId)) return;
    const isSamePayment = existing.chargeId === chargeId;
    // The invoice was read from Stripe before it was written off, or the payment that was taken back is what was written off.
    if (existing.status === 'written_off' && status !== 'paid' && (status !== 'disputed' || isSamePayment)) return;
    await tx.update(invoicePayments).set({ status, chargeId, updatedAt: at }).where(isThisPayment);
    const change = { before: { status: existing.status }, after: { status } };
    await recordAudit(tx, { companyId, at, actor: 'stripe', action: 'invoice.payment', subject: invoiceId, ...change });
    // A dispute that we won after all returns the same payment.
    const paidAt = isSamePayment ? at : (invoice.paidAt ?? at);
    if (existing.status === 'written_off') await reverseWriteOff(deps, tx, { companyId, invoiceId, paidAt });
  });
}
