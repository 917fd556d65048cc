/** Price lists, and what a practice selected. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { pricingApi } from '@portal/contract/pricing.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, connectionCountChanges, priceLists, priceTiers } from '@portal/db/schema/schema.ts';
import { asc, eq, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { VAT_RATE_BPS } from '@portal/domain/pricing/calculate-pricing.ts';
import { findPriceList, findTier, type PriceList, type PriceTier } from '@portal/domain/pricing/price-list.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';

/** The tiers that a new customer gets, for everyone. */
export async function getTiers({ database, clock }: AppDeps): Promise<EndpointOutput<typeof pricingApi.tiers>> {
  const list = findPriceList(await listPriceLists(database.db), clock.today(), null);
  return {
    version: list?.version ?? null,
    mode: list?.mode ?? 'volume',
    vat_rate_bps: VAT_RATE_BPS,
    tiers: (list?.tiers ?? []).map(toWireTier),
  };
}

/** The list that a practice pays by, its referring partner, and the number of its selected, linked connections. */
export type PracticePrices = { readonly list: PriceList; readonly partner: string; readonly connections: number };
export type GetPracticePrices = (companyId: string) => Promise<PracticePrices>;

/** One statement, prepared once, because writing it takes longer than running it. The count is a sum of a few rows (decision 55). */
export function preparePracticePrices({ database: { db }, clock }: AppDeps): GetPracticePrices {
  const counted = sql`(select coalesce(sum(c.connections), 0) from ${connectionCountChanges} c where c.company_id = ${companies.id})`;
  const query = db
    .select({ list: priceLists, tier: priceTiers, partner: companies.partner, connections: counted.mapWith(Number) })
    .from(priceLists)
    .innerJoin(priceTiers, eq(priceTiers.version, priceLists.version))
    .innerJoin(companies, eq(companies.id, sql.placeholder('companyId')))
    .orderBy(asc(priceLists.version), asc(priceTiers.fromConnections))
    .prepare('practice_prices');
  return async (companyId) => {
    const rows = await query.execute({ companyId });
    // No practice has subscribed yet, so each gets the list for new customers.
    const list = findPriceList(toPriceLists(rows), clock.today(), null);
    const [row] = rows;
    if (!list || !row)
      throw new AppError('conflict', 'pricing.not_published', 'We haven’t published our prices yet. Contact us for a price.');
    return { list, partner: row.partner, connections: row.connections };
  };
}

export async function getCurrentTier(
  getPrices: GetPracticePrices,
  { tenant, input }: Call<typeof pricingApi.currentTier>,
): Promise<EndpointOutput<typeof pricingApi.currentTier>> {
  const { list, connections: selected } = await getPrices(tenant.practiceId);
  const connections = input.no_selected_connections ?? selected;
  const tier = findTier(list, connections);
  const next = list.tiers[list.tiers.indexOf(tier) + 1];
  return {
    version: list.version,
    no_selected_connections: connections,
    tier: toWireTier(tier),
    next_tier: next ? toWireTier(next) : null,
  };
}

/** The number of selected, linked connections of a practice. */
export async function countSelectedConnections(db: Db | Tx, companyId: string): Promise<number> {
  const [counted] = await db
    .select({ connections: sql`coalesce(sum(${connectionCountChanges.connections}), 0)`.mapWith(Number) })
    .from(connectionCountChanges)
    .where(eq(connectionCountChanges.companyId, companyId));
  return counted?.connections ?? 0;
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
    const found = lists.get(list.version) ?? { ...list, tiers: [] };
    const { name, fromConnections: from, toConnections: to, basePence, unitPence, included } = tier;
    found.tiers.push({ name, from, to, basePence, unitPence, included });
    lists.set(list.version, found);
  }
  return [...lists.values()];
}

export function toWireTier({ name, from, to, basePence, unitPence, included }: PriceTier) {
  return { name, from, to, base_pence: basePence, unit_price_pence: unitPence, included };
}
