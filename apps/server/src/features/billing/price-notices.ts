/** Notices of new prices to a practice. A notice is done once the subscription has moved, and void once it has ended. */
import type { Db, Tx } from '@portal/db/database.ts';
import { priceNotices } from '@portal/db/schema/schema.ts';
import { and, eq, lte } from '@portal/db/sql.ts';
import type { SubscriptionRow } from './billing-records.ts';

export async function findOpenNotice(db: Db | Tx, { companyId, id }: Pick<SubscriptionRow, 'companyId' | 'id'>) {
  const [notice] = await db.select().from(priceNotices).where(isOpenNotice({ companyId, id }));
  return notice;
}

const isOpenNotice = ({ companyId, id }: Pick<SubscriptionRow, 'companyId' | 'id'>) =>
  and(eq(priceNotices.companyId, companyId), eq(priceNotices.subscriptionId, id), eq(priceNotices.status, 'noticed'));

type CurrentTerms = Pick<SubscriptionRow, 'status' | 'periodStart'> & { readonly priceListVersion?: number };

export async function closeNotices(tx: Tx, { companyId, id, ...currentSubscription }: SubscriptionRow, now: CurrentTerms): Promise<void> {
  const version = now.priceListVersion ?? currentSubscription.priceListVersion;
  const isOpen = isOpenNotice({ companyId, id });
  if (now.status === 'ended') await tx.update(priceNotices).set({ status: 'ended' }).where(isOpen);
  else
    await tx
      .update(priceNotices)
      .set({ status: 'moved', movedAt: now.periodStart })
      .where(and(isOpen, lte(priceNotices.toVersion, version)));
}
