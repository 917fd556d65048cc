/** The payer of a practice's invoices and their payment method. It is entered on Stripe's page; we store only its ID and a description. */
import { randomUUID } from 'node:crypto';
import type { billingApi } from '@portal/contract/billing.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { billingAccounts, companies } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { toPromotionCode } from '@portal/domain/pricing/promotion.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findAccount, getBillingProvider, lockAccount, type BillingAccount } from './billing-records.ts';

export async function saveDetails(deps: AppDeps, { tenant, input, actor, caller }: Call<typeof billingApi.saveDetails>): Promise<void> {
  const companyId = tenant.practiceId;
  const at = deps.clock.now();
  const details = {
    billingName: input.billing_name,
    billingEmail: input.billing_email,
    billingAddress: input.billing_address,
    promotionCode: toPromotionCode(input.promotion_code),
  };
  const account = await deps.database.db.transaction(async (tx) => {
    const existing = await lockAccount(tx, companyId, at);
    await tx
      .update(billingAccounts)
      .set({ ...details, updatedAt: at })
      .where(eq(billingAccounts.companyId, companyId));
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'billing.details_saved', subject: companyId, ip: caller.ip });
    return existing;
  });
  const { providerCustomerId: customerId, billingName, billingEmail } = account;
  if (customerId === null || (billingName === details.billingName && billingEmail === details.billingEmail)) return;
  const contact = { name: details.billingName, email: details.billingEmail };
  await getBillingProvider(deps).provider.updateCustomer({ idempotencyKey: randomUUID(), customerId, contact });
}

const RETURN_PATHS = { setup: '/v2/instant-vat/premium/setup', settings: `${PAGES.practiceSettings.path}/billing` } as const;

export async function startPaymentMethod(
  deps: AppDeps,
  { tenant, input, actor, caller }: Call<typeof billingApi.startPaymentMethod>,
): Promise<EndpointOutput<typeof billingApi.startPaymentMethod>> {
  const companyId = tenant.practiceId;
  const { provider } = getBillingProvider(deps);
  const customerId = await ensureCustomer(deps, companyId);
  const page = `${deps.site.publicUrl}/portal${RETURN_PATHS[input.return_to]}?company_id=${companyId}&payment_method=`;
  const { setupId, url } = await provider.startSetup({
    idempotencyKey: randomUUID(),
    customerId,
    kind: input.kind,
    returnUrl: `${page}entered`,
    cancelUrl: `${page}cancelled`,
  });
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    await tx.update(billingAccounts).set({ setupId, updatedAt: at }).where(eq(billingAccounts.companyId, companyId));
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: 'billing.payment_method_started',
      subject: setupId,
      ip: caller.ip,
    });
  });
  return { url };
}

/** The practice's ID is the idempotency key, so two concurrent users create only one customer. */
async function ensureCustomer(deps: AppDeps, companyId: string): Promise<string> {
  const { db } = deps.database;
  const account = await db.transaction((tx) => lockAccount(tx, companyId, deps.clock.now()));
  if (account.providerCustomerId !== null) return account.providerCustomerId;
  const [company] = await db.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  // Exclude the contact, which may change, because requests with the same key must have the same content.
  const { provider } = getBillingProvider(deps);
  const billingContact = { name: company?.name ?? '', email: '' };
  const customerId = await provider.createCustomer({ idempotencyKey: `customer-${companyId}`, companyId, contact: billingContact });
  // Stripe announces each Direct Debit by email, as the Bacs scheme requires.
  const contact = { name: account.billingName, email: account.billingEmail };
  if (account.billingEmail !== '') await provider.updateCustomer({ idempotencyKey: randomUUID(), customerId, contact });
  await db.update(billingAccounts).set({ providerCustomerId: customerId }).where(eq(billingAccounts.companyId, companyId));
  return customerId;
}

/** Reads the payment method from Stripe, after the user's return or a webhook. */
export async function readPaymentMethod(deps: AppDeps, companyId: string): Promise<BillingAccount | undefined> {
  const account = await findAccount(deps.database.db, companyId);
  if (!account?.setupId || !account.providerCustomerId) return account;
  const { provider } = getBillingProvider(deps);
  const method = await provider.findEnteredMethod(account.setupId);
  if (!method || method.paymentMethodId === account.paymentMethodId) return account;
  await provider.setDefaultMethod({
    idempotencyKey: `default-${method.paymentMethodId}`,
    customerId: account.providerCustomerId,
    paymentMethodId: method.paymentMethodId,
  });
  const at = deps.clock.now();
  const storedMethod = {
    paymentMethodId: method.paymentMethodId,
    paymentMethodKind: method.kind,
    paymentMethodLabel: method.label,
    setupId: null,
    updatedAt: at,
  };
  await deps.database.db.transaction(async (tx) => {
    const { setupId } = await lockAccount(tx, companyId, at);
    // Another method has since been started, or this one is already stored.
    if (setupId !== account.setupId) return;
    await tx.update(billingAccounts).set(storedMethod).where(eq(billingAccounts.companyId, companyId));
    await recordAudit(tx, { companyId, at, actor: 'stripe', action: 'billing.payment_method_stored', subject: method.paymentMethodId });
  });
  return findAccount(deps.database.db, companyId);
}

export function toWireMethod(account: BillingAccount | undefined) {
  if (!account?.paymentMethodKind || account.paymentMethodLabel === null) return null;
  return { kind: account.paymentMethodKind, label: account.paymentMethodLabel };
}

export async function openPortal(deps: AppDeps, companyId: string): Promise<{ url: string }> {
  const account = await findAccount(deps.database.db, companyId);
  const { provider } = getBillingProvider(deps);
  if (!account?.providerCustomerId) throw new AppError('conflict', 'billing.no_customer', 'Add a payment method first.');
  const returnUrl = `${deps.site.publicUrl}/portal${RETURN_PATHS.settings}?company_id=${companyId}`;
  return { url: await provider.createPortalSession({ idempotencyKey: randomUUID(), customerId: account.providerCustomerId, returnUrl }) };
}
