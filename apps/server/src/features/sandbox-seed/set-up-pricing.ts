import { promotionCodes } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import { publishPriceList } from '../pricing/publish-price-list.ts';
import type { Seed } from './seed-schema.ts';

/** Publishes the sandbox's price list and promotion codes, once. */
export async function setUpPricing(
  { database: { db } }: AppDeps,
  { price_list: list, promotion_codes: codes }: Seed['pricing'],
): Promise<void> {
  const since = plainDate(list.effective_from);
  await publishPriceList(db, {
    version: list.version,
    mode: list.mode,
    publishedOn: since,
    effectiveFrom: since,
    existingFrom: null,
    tiers: list.tiers.map(({ base_pence, unit_price_pence, ...tier }) => ({
      ...tier,
      basePence: pence(base_pence),
      unitPence: pence(unit_price_pence),
    })),
  });
  const rows = codes.map(({ starts_on, ends_on, max_uses, ...code }) => ({
    ...code,
    startsOn: plainDate(starts_on),
    endsOn: ends_on === null ? null : plainDate(ends_on),
    maxUses: max_uses,
  }));
  await db.insert(promotionCodes).values(rows).onConflictDoNothing();
}
