/** The rows of a practice's billing, and the facts derived from them. */
import type { Db, Tx } from '@portal/db/database.ts';
import { billingAccounts, subscriptions, type vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq, ne } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import type { Discount } from '@portal/domain/pricing/calculate-pricing.ts';
import { isDiscounted } from '@portal/domain/pricing/discount-period.ts';
import type { AppDeps, Billing } from '../../app-deps.ts';

export type BillingAccount = typeof billingAccounts.$inferSelect;
export type VatInvoice = typeof vatInvoices.$inferSelect;
export type SubscriptionRow = typeof subscriptions.$inferSelect;

export function getBillingProvider({ billing }: AppDeps): Billing {
  if (!billing)
    throw new AppError('conflict', 'billing.not_available', 'Payments aren’t available here yet. The free tier works without them.');
  return billing;
}

export async function findAccount(db: Db | Tx, companyId: string): Promise<BillingAccount | undefined> {
  const [account] = await db.select().from(billingAccounts).where(eq(billingAccounts.companyId, companyId));
  return account;
}

/** Creates the account if none exists. The lock serialises the orders of one practice. */
export async function lockAccount(tx: Tx, companyId: string, updatedAt: Instant): Promise<BillingAccount> {
  await tx.insert(billingAccounts).values({ companyId, updatedAt }).onConflictDoNothing();
  const [account] = await tx.select().from(billingAccounts).where(eq(billingAccounts.companyId, companyId)).for('update');
  if (!account) throw new Error(`the billing account of ${companyId} is missing`);
  return account;
}

/** Returns the subscription that hasn't ended. */
export async function findSubscription(db: Db | Tx, companyId: string): Promise<SubscriptionRow | undefined> {
  const [subscription] = await db.select().from(subscriptions).where(isLive(companyId));
  return subscription;
}

export const isLive = (companyId: string) => and(eq(subscriptions.companyId, companyId), ne(subscriptions.status, 'ended'));
export const isThisSubscription = ({ companyId, id }: Pick<SubscriptionRow, 'companyId' | 'id'>) =>
  and(eq(subscriptions.companyId, companyId), eq(subscriptions.id, id));

type DiscountColumns = Pick<SubscriptionRow, 'discountKind' | 'discountValue' | 'discountMonths' | 'discountFrom'>;

/** Returns the promotion code's discount for a period, or a change, that starts at the given time. */
export function getDiscountAt(
  { discountKind, discountValue, discountMonths, discountFrom }: DiscountColumns,
  at: Instant,
): Discount | null {
  if (discountKind === null || discountValue === null) return null;
  // Until the provider has confirmed the subscription, its first period hasn't begun.
  if (discountFrom !== null && !isDiscounted(discountFrom, discountMonths, at)) return null;
  return discountKind === 'percent' ? { kind: 'percent', percent: discountValue } : { kind: 'pence', pence: pence(discountValue) };
}

export function toDiscountColumns({ discount, months }: { discount: Discount; months: number | null }) {
  const discountValue: number = discount.kind === 'percent' ? discount.percent : discount.pence;
  return { discountKind: discount.kind, discountValue, discountMonths: months };
}
