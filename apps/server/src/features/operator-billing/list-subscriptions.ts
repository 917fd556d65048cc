/** Lists practices' subscriptions for operators, with their total. */
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { companies, subscriptions } from '@portal/db/schema/schema.ts';
import { and, asc, count, desc, eq, ilike, inArray, sql } from '@portal/db/sql.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { getTier } from '@portal/domain/pricing/price-list.ts';
import type { SubscriptionStatus } from '@portal/domain/pricing/subscription.ts';
import type { AppDeps } from '../../app-deps.ts';
import { listPriceLists } from '../pricing/practice-prices.ts';

export const PAGE_SIZE = 50;

type SubscriptionsInput = ParsedEndpointInput<typeof operatorBillingApi.subscriptions>;
type Output = EndpointOutput<typeof operatorBillingApi.subscriptions>;

const STATUSES: Readonly<Record<SubscriptionsInput['status'], readonly SubscriptionStatus[]>> = {
  live: ['starting', 'incomplete', 'active', 'past_due'],
  past_due: ['past_due'],
  ended: ['ended'],
};

export async function listSubscriptions({ database: { db } }: AppDeps, { q, status, page }: SubscriptionsInput): Promise<Output> {
  const isWanted = and(inArray(subscriptions.status, [...STATUSES[status]]), q ? ilike(companies.name, toPattern(q)) : undefined);
  const isOfPractice = eq(companies.id, subscriptions.companyId);
  const lists = await listPriceLists(db);
  const rows = await db
    .select({ subscription: subscriptions, practice: companies.name })
    .from(subscriptions)
    .innerJoin(companies, isOfPractice)
    .where(isWanted)
    .orderBy(sql`(${subscriptions.status} = 'past_due') desc`, desc(subscriptions.endedAt), asc(companies.name), asc(subscriptions.id))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE);
  const [countRow] = await db.select({ count: count() }).from(subscriptions).innerJoin(companies, isOfPractice).where(isWanted);
  const totalCount = countRow?.count ?? 0;
  return {
    subscriptions: rows.map(({ subscription: one, practice }) => {
      const list = lists.find(({ version }) => version === one.priceListVersion);
      return {
        company_id: one.companyId,
        practice,
        status: one.status,
        tier_name: list ? getTier(list, one.connections).name : '',
        no_connections: one.connections,
        price_list_version: one.priceListVersion,
        monthly_net_pence: one.netPence,
        promotion_code: one.promotionCode,
        subscribed_on: one.subscribedOn,
        renews_on: one.periodEnd === null || one.status === 'ended' ? null : toLondonDate(one.periodEnd),
        ends_at_renewal: one.endsAtRenewal,
        ended_on: one.endedAt === null ? null : toLondonDate(one.endedAt),
        amount_due_pence: one.unpaidSince === null ? pence(0) : one.amountDuePence,
        unpaid_since: one.unpaidSince === null ? null : toLondonDate(one.unpaidSince),
      };
    }),
    count: totalCount,
    pages: Math.ceil(totalCount / PAGE_SIZE),
    totals: await sumSubscriptions(db),
  };
}

async function sumSubscriptions(db: AppDeps['database']['db']): Promise<Output['totals']> {
  const isPastDue = sql`${subscriptions.status} = 'past_due'`;
  const [row] = await db
    .select({
      practices: count(),
      net: sql`coalesce(sum(${subscriptions.netPence}), 0)`.mapWith(Number),
      pastDue: sql`count(*) filter (where ${isPastDue})`.mapWith(Number),
      due: sql`coalesce(sum(${subscriptions.amountDuePence}) filter (where ${isPastDue}), 0)`.mapWith(Number),
    })
    .from(subscriptions)
    .where(inArray(subscriptions.status, ['active', 'past_due']));
  return {
    practices: row?.practices ?? 0,
    monthly_net_pence: pence(row?.net ?? 0),
    past_due: row?.pastDue ?? 0,
    past_due_pence: pence(row?.due ?? 0),
  };
}

/** Matches the literal text anywhere. */
export const toPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
