import type { Db, Tx } from '@portal/db/database.ts';
import { priceLists, priceTiers } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { validatePriceList, type PriceList } from '@portal/domain/pricing/price-list.ts';

/** Stores a price list with its tiers. Leaves an existing version unchanged, because published prices never change. */
export async function publishPriceList(db: Db | Tx, { tiers, ...list }: PriceList): Promise<void> {
  const problems = validatePriceList({ ...list, tiers });
  if (problems.length > 0) throw new AppError('invalid', 'pricing.invalid_list', problems.join(' '));
  await db.transaction(async (tx) => {
    const insertedLists = await tx.insert(priceLists).values(list).onConflictDoNothing().returning();
    if (insertedLists.length === 0) return;
    const rows = tiers.map(({ from, to, ...tier }) => ({ ...tier, version: list.version, fromConnections: from, toConnections: to }));
    await tx.insert(priceTiers).values(rows);
  });
}
