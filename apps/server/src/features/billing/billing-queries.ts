/** Returns a practice's view of its subscription and invoices. */
import type { billingApi } from '@portal/contract/billing.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { invoicePayments, invoiceRefunds, invoiceWriteOffs, vatInvoiceLines, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq } from '@portal/db/sql.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { calculatePricing } from '@portal/domain/pricing/calculate-pricing.ts';
import { getTier } from '@portal/domain/pricing/price-list.ts';
import { getDiscountEnd } from '@portal/domain/pricing/discount-period.ts';
import { getDunningState, getReadOnlyDay } from '@portal/domain/pricing/subscription.ts';
import type { AppDeps } from '../../app-deps.ts';
import { countSelectedConnections, listPriceLists } from '../pricing/practice-prices.ts';
import { findAccount, findSubscription, getDiscountAt, type SubscriptionRow } from './billing-records.ts';
import { findTrialEnd, readPlanFacts } from './plan-coverage.ts';
import { getList, getMove } from './price-move.ts';
import { toTransfer } from './refund-facts.ts';
import { findOpenNotice } from './price-notices.ts';
import { toWireMethod } from './payment-method.ts';

type SubscriptionView = EndpointOutput<typeof billingApi.subscribe>['subscription'];

export async function getBilling(deps: AppDeps, companyId: string): Promise<EndpointOutput<typeof billingApi.get>> {
  const { db } = deps.database;
  const account = await findAccount(db, companyId);
  const { trialEndsOn } = await readPlanFacts(deps, companyId);
  return {
    is_available: deps.billing !== undefined,
    billing_name: account?.billingName ?? '',
    billing_email: account?.billingEmail ?? '',
    billing_address: account?.billingAddress ?? '',
    promotion_code: account?.promotionCode ?? '',
    payment_method: toWireMethod(account),
    no_selected_connections: await countSelectedConnections(db, companyId),
    trial: trialEndsOn === null ? null : { ends_on: trialEndsOn, has_ended: deps.clock.today() >= trialEndsOn },
    subscription: await findSubscriptionView(deps, companyId),
  };
}

export async function findSubscriptionView(deps: AppDeps, companyId: string): Promise<SubscriptionView> {
  const subscription = await findSubscription(deps.database.db, companyId);
  if (!subscription) return null;
  const { connections, periodEnd, discountMonths, discountFrom, promotionCode } = subscription;
  const lists = await listPriceLists(deps.database.db);
  const notice = await findOpenNotice(deps.database.db, subscription);
  const move = notice && getMove(lists, subscription, notice);
  const currentList = getList(lists, subscription.priceListVersion);
  const isMovedAtRenewal = notice && move && periodEnd !== null && move.movesOn === toLondonDate(periodEnd);
  const renewal = calculatePricing({
    list: isMovedAtRenewal ? getList(lists, notice.toVersion) : currentList,
    connections,
    discount: getDiscountAt(subscription, periodEnd ?? deps.clock.now()),
    today: deps.clock.today(),
    subscribedOn: subscription.subscribedOn,
    change: null,
  });
  const discountEnd = discountFrom === null ? null : getDiscountEnd(discountFrom, discountMonths);
  return {
    status: subscription.status,
    tier_name: getTier(currentList, connections).name,
    no_connections: connections,
    price_list_version: currentList.version,
    subscribed_on: subscription.subscribedOn,
    renews_on: periodEnd === null ? null : toLondonDate(periodEnd),
    renewal_total_pence: renewal.totalPence,
    promotion:
      promotionCode === null ? null : { promotion_code: promotionCode, ends_on: discountEnd === null ? null : toLondonDate(discountEnd) },
    ends_at_renewal: subscription.endsAtRenewal,
    dunning: findDunning(deps, subscription),
    confirmation_url: subscription.confirmationUrl,
    price_move:
      notice && move
        ? {
            price_list_version: notice.toVersion,
            noticed_on: notice.noticedOn,
            moves_on: move.movesOn,
            from_total_pence: move.fromTotalPence,
            to_total_pence: move.toTotalPence,
          }
        : null,
  };
}

function findDunning({ clock }: AppDeps, { unpaidSince, failure, amountDuePence }: SubscriptionRow) {
  if (unpaidSince === null) return null;
  const day = toLondonDate(unpaidSince);
  return {
    state: getDunningState(day, clock.today()),
    since: unpaidSince,
    reason: failure ?? '',
    amount_due_pence: amountDuePence,
    read_only_from: getReadOnlyDay(day),
  };
}

type Notices = EndpointOutput<typeof billingApi.notice>;

/** Only a subscription that has begun can become read-only; a missing first payment changes nothing. */
export async function getNotices(deps: AppDeps, companyId: string): Promise<Notices> {
  const subscription = await findSubscription(deps.database.db, companyId);
  const dunning = subscription?.status === 'past_due' ? findDunning(deps, subscription) : null;
  return {
    notice: dunning && { state: dunning.state, read_only_from: dunning.read_only_from },
    trial: await findTrialNotice(deps, companyId),
  };
}

async function findTrialNotice(deps: AppDeps, companyId: string): Promise<Notices['trial']> {
  const end = await findTrialEnd(deps, companyId);
  if (!end) return null;
  return { ends_on: end.trialEndsOn, has_ended: deps.clock.today() >= end.trialEndsOn, no_connections_outside: end.outside };
}

export async function listInvoices({ database: { db } }: AppDeps, companyId: string): Promise<EndpointOutput<typeof billingApi.invoices>> {
  const rows = await db
    .select({
      invoice: vatInvoices,
      status: invoicePayments.status,
      transferredOn: invoiceRefunds.transferredOn,
      transferReference: invoiceRefunds.transferReference,
      writtenOffOn: invoiceWriteOffs.writtenOffOn,
    })
    .from(vatInvoices)
    .innerJoin(invoicePayments, and(eq(invoicePayments.companyId, vatInvoices.companyId), eq(invoicePayments.invoiceId, vatInvoices.id)))
    .leftJoin(invoiceRefunds, and(eq(invoiceRefunds.companyId, vatInvoices.companyId), eq(invoiceRefunds.creditNoteId, vatInvoices.id)))
    .leftJoin(
      invoiceWriteOffs,
      and(
        eq(invoiceWriteOffs.companyId, vatInvoices.companyId),
        eq(invoiceWriteOffs.invoiceId, vatInvoices.id),
        eq(invoiceWriteOffs.status, 'written_off'),
      ),
    )
    .where(eq(vatInvoices.companyId, companyId))
    .orderBy(desc(vatInvoices.sequence));
  const lines = await db
    .select()
    .from(vatInvoiceLines)
    .where(eq(vatInvoiceLines.companyId, companyId))
    .orderBy(asc(vatInvoiceLines.position));
  return {
    invoices: rows.map(({ invoice, status, writtenOffOn, ...transfer }) => ({
      invoice_id: invoice.id,
      number: invoice.number,
      kind: invoice.kind,
      issued_on: invoice.issuedOn,
      period_start: invoice.periodStart,
      period_end: invoice.periodEnd,
      lines: lines
        .filter(({ invoiceId }) => invoiceId === invoice.id)
        .map(({ description, quantity, amountPence }) => ({ description, quantity, amount_pence: amountPence })),
      net_pence: invoice.netPence,
      vat_rate_bps: invoice.vatRateBps,
      vat_pence: invoice.vatPence,
      total_pence: invoice.totalPence,
      status,
      corrects_number: rows.find((row) => row.invoice.id === invoice.correctsId)?.invoice.number ?? null,
      reason: invoice.reason,
      transfer: toTransfer(transfer),
      written_off_on: status === 'written_off' ? writtenOffOn : null,
    })),
  };
}
