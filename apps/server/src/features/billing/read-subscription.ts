/** Reads a practice's subscription and invoices from Stripe, stores them, and issues our VAT invoices. */
import { invoicePayments, subscriptions, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq, gte, isNotNull, isNull, lte, or, sql } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { ZERO } from '@portal/domain/money.ts';
import { calculatePricing } from '@portal/domain/pricing/calculate-pricing.ts';
import type { SubscriptionStatus } from '@portal/domain/pricing/subscription.ts';
import type { ProviderInvoice, ProviderSubscription } from '@portal/providers/stripe/stripe-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getPriceList } from '../pricing/practice-prices.ts';
import { findSubscription, getBillingProvider, getDiscountAt, isThisSubscription, type SubscriptionRow } from './billing-records.ts';
import { closeNotices } from './price-notices.ts';
import { getListVersionAt } from './price-list-at.ts';
import { enqueueFailureEmail } from './billing-emails.ts';
import { issueInvoices } from './issue-invoices.ts';
import { restorePromotionCode } from './return-code.ts';

export async function readSubscription(deps: AppDeps, companyId: string): Promise<void> {
  const subscription = await findSubscription(deps.database.db, companyId);
  if (!subscription?.providerSubscriptionId) return;
  const { provider } = getBillingProvider(deps);
  const readAt = deps.wallClock.now();
  const providerSubscription = await provider.getSubscription(subscription.providerSubscriptionId);
  const invoices = await provider.listInvoices(subscription.providerSubscriptionId);
  const issue = () => (providerSubscription.status === 'incomplete' ? undefined : issueInvoices(deps, subscription, invoices));
  // A subscription that has ended isn't read again, so issue its invoices first. Otherwise store the state even if an invoice fails, so
  // that a missing payment is shown.
  if (providerSubscription.status === 'ended') await issue();
  await storeSubscription(deps, subscription, { read: providerSubscription, invoices, readAt });
  if (providerSubscription.status !== 'ended') await issue();
}

/** How long a payer's bank may take a payment back (docs.stripe.com, How disputes work: usually 120 days), with a margin. */
const WATCH_MS = 180 * 86_400_000;
/** Webhooks report a payment or dispute immediately. This covers lost webhooks. */
const LOOK_BACK_MS = 86_400_000;

/** For subscriptions that have ended: true if their invoices may still be paid or disputed. */
const isEndedAndWatched = ({ clock }: AppDeps) =>
  and(
    eq(subscriptions.status, 'ended'),
    isNotNull(subscriptions.providerSubscriptionId),
    or(
      gte(subscriptions.endedAt, addMilliseconds(clock.now(), -WATCH_MS)),
      sql`exists (select 1 from ${vatInvoices} v join ${invoicePayments} p on p.company_id = v.company_id and p.invoice_id = v.id
        where v.company_id = ${subscriptions.companyId} and v.subscription_id = ${subscriptions.id}
          and p.status in ('open', 'failed', 'disputed'))`,
    ),
  );

/** Stores payments and disputes of a practice's ended subscriptions, which change nothing else. */
export async function readEndedSubscriptions(deps: AppDeps, companyId: string): Promise<void> {
  const { db } = deps.database;
  const rows = await db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.companyId, companyId), isEndedAndWatched(deps)));
  await tryEach(rows, async (subscription) => {
    const readAt = deps.wallClock.now();
    await issueInvoices(
      deps,
      subscription,
      await getBillingProvider(deps).provider.listInvoices(subscription.providerSubscriptionId ?? ''),
    );
    await db.update(subscriptions).set({ readAt }).where(isThisSubscription(subscription));
  });
}

/** Lists the practices with an ended subscription that hasn't been read for a day. */
export async function listUnreadEnded(deps: AppDeps): Promise<string[]> {
  const isDue = or(isNull(subscriptions.readAt), lte(subscriptions.readAt, addMilliseconds(deps.wallClock.now(), -LOOK_BACK_MS)));
  const rows = await deps.database.db
    .selectDistinct({ companyId: subscriptions.companyId })
    .from(subscriptions)
    .where(and(isEndedAndWatched(deps), isDue));
  return rows.map(({ companyId }) => companyId);
}

type SubscriptionRead = { readonly read: ProviderSubscription; readonly invoices: readonly ProviderInvoice[]; readonly readAt: Instant };

async function storeSubscription(deps: AppDeps, previous: SubscriptionRow, { read, invoices, readAt }: SubscriptionRead): Promise<void> {
  const at = deps.clock.now();
  const unpaidInvoice = invoices.find(
    ({ status, failure, needsConfirmation }) => status === 'open' && (failure !== undefined || needsConfirmation),
  );
  // Stripe's status follows the latest invoice only, so an earlier one may still be unpaid.
  const status: SubscriptionStatus = read.status === 'active' && unpaidInvoice ? 'past_due' : read.status;
  const isLate = status === 'past_due' || status === 'incomplete';
  const columns = {
    status,
    connections: read.quantity,
    startedAt: read.startedAt,
    periodStart: read.periodStart,
    periodEnd: read.periodEnd,
    endsAtRenewal: read.endsAtPeriodEnd,
    endedAt: read.endedAt ?? null,
    unpaidSince: isLate && unpaidInvoice ? (previous.unpaidSince ?? unpaidInvoice.finalisedAt ?? at) : null,
    unpaidInvoiceId: unpaidInvoice?.invoiceId ?? null,
    failure: unpaidInvoice ? (unpaidInvoice.failure ?? 'Your bank needs you to confirm the payment.') : null,
    amountDuePence: unpaidInvoice?.amountRemainingPence ?? ZERO,
    confirmationUrl: unpaidInvoice?.needsConfirmation ? (unpaidInvoice.payUrl ?? null) : null,
    ...(previous.periodStart === read.periodStart ? {} : await calculateMonth(deps, previous, read)),
  };
  const { companyId, id } = previous;
  await deps.database.db.transaction(async (tx) => {
    const isNewer = and(isThisSubscription(previous), or(isNull(subscriptions.readAt), lte(subscriptions.readAt, readAt)));
    const [storedSubscription] = await tx.select().from(subscriptions).where(isNewer).for('update');
    if (!storedSubscription || storedSubscription.status === 'ended') return;
    await tx
      .update(subscriptions)
      .set({ ...columns, readAt })
      .where(isThisSubscription(previous));
    await closeNotices(tx, storedSubscription, columns);
    if (storedSubscription.status === columns.status) return;
    const change = { before: { status: storedSubscription.status }, after: { status: columns.status, failure: columns.failure } };
    await recordAudit(tx, { companyId, at, actor: 'stripe', action: 'subscription.status', subject: id, ...change });
    if (columns.status === 'past_due') await enqueueFailureEmail(deps, tx, companyId, { ...storedSubscription, ...columns });
    const neverStarted = storedSubscription.status === 'starting' || storedSubscription.status === 'incomplete';
    if (columns.status === 'ended' && neverStarted) await restorePromotionCode(tx, previous);
  });
}

/** Returns the price list and the monthly price that apply from this period. */
async function calculateMonth(deps: AppDeps, subscription: SubscriptionRow, { quantity, periodStart }: ProviderSubscription) {
  const { db } = deps.database;
  const priceListVersion = await getListVersionAt(db, subscription, periodStart);
  const list = await getPriceList(db, priceListVersion);
  const { subscribedOn } = subscription;
  const discount = getDiscountAt(subscription, periodStart);
  const pricing = calculatePricing({ list, connections: quantity, discount, today: subscribedOn, subscribedOn, change: null });
  return { priceListVersion, netPence: pricing.netPence };
}
