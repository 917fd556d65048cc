/** Price lists, and what a practice's price is based on: its list, its subscription and its number of connections. */
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, connectionCountChanges, priceLists, priceTiers, subscriptions } from '@portal/db/schema/schema.ts';
import { and, asc, eq, ne, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { findPriceList, type PriceList, type PriceTier } from '@portal/domain/pricing/price-list.ts';
import type { AppDeps } from '../../app-deps.ts';

/**
 * The list that determines a practice's price (its subscription's, or the one for new customers), its referring partner, the number of its
 * selected, linked connections, and its subscription.
 */
export type PracticePrices = {
  readonly list: PriceList;
  readonly partner: string;
  readonly connections: number;
  readonly subscription: typeof subscriptions.$inferSelect | null;
};
export type GetPracticePrices = (companyId: string) => Promise<PracticePrices>;

/**
 * Prepared once, because building the statement takes longer than running it. The count adds up a few pre-aggregated rows (decision 55).
 */
export function preparePracticePrices({ database: { db }, clock }: AppDeps): GetPracticePrices {
  const countSql = sql`(select coalesce(sum(c.connections), 0) from ${connectionCountChanges} c where c.company_id = ${companies.id})`;
  const query = db
    .select({
      list: priceLists,
      tier: priceTiers,
      partner: companies.partner,
      subscription: subscriptions,
      connections: countSql.mapWith(Number),
    })
    .from(priceLists)
    .innerJoin(priceTiers, eq(priceTiers.version, priceLists.version))
    .innerJoin(companies, eq(companies.id, sql.placeholder('companyId')))
    .leftJoin(subscriptions, and(eq(subscriptions.companyId, companies.id), ne(subscriptions.status, 'ended')))
    .orderBy(asc(priceLists.version), asc(priceTiers.fromConnections))
    .prepare('practice_prices');
  return async (companyId) => {
    const rows = await query.execute({ companyId });
    const [row] = rows;
    const lists = toPriceLists(rows);
    const version = row?.subscription?.priceListVersion;
    const list = version === undefined ? findPriceList(lists, clock.today(), null) : lists.find((list) => list.version === version);
    if (!list || !row)
      throw new AppError('conflict', 'pricing.not_published', 'We haven’t published our prices yet. Contact us for a price.');
    return { list, partner: row.partner, connections: row.connections, subscription: row.subscription };
  };
}

/** Counts the selected, linked connections of a practice. */
export async function countSelectedConnections(db: Db | Tx, companyId: string): Promise<number> {
  const [countRow] = await db
    .select({ connections: sql`coalesce(sum(${connectionCountChanges.connections}), 0)`.mapWith(Number) })
    .from(connectionCountChanges)
    .where(eq(connectionCountChanges.companyId, companyId));
  return countRow?.connections ?? 0;
}

/** Returns a subscription's price list by its version. */
export async function getPriceList(db: Db | Tx, version: number): Promise<PriceList> {
  const list = (await listPriceLists(db)).find((item) => item.version === version);
  if (!list) throw new Error(`price list ${version} is missing`);
  return list;
}

export async function listPriceLists(db: Db | Tx): Promise<PriceList[]> {
  const rows = await db
    .select({ list: priceLists, tier: priceTiers })
    .from(priceLists)
    .innerJoin(priceTiers, eq(priceTiers.version, priceLists.version))
    .orderBy(asc(priceLists.version), asc(priceTiers.fromConnections));
  return toPriceLists(rows);
}

type TierRow = { readonly list: typeof priceLists.$inferSelect; readonly tier: typeof priceTiers.$inferSelect };

function toPriceLists(rows: readonly TierRow[]): PriceList[] {
  const lists = new Map<number, PriceList & { tiers: PriceTier[] }>();
  for (const { list, tier } of rows) {
    const foundPrices = lists.get(list.version) ?? { ...list, tiers: [] };
    const { name, fromConnections: from, toConnections: to, basePence, unitPence, included } = tier;
    foundPrices.tiers.push({ name, from, to, basePence, unitPence, included });
    lists.set(list.version, foundPrices);
  }
  return [...lists.values()];
}
