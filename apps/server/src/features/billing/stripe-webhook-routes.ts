/** Stripe's webhooks, verified over the raw bytes. Each event is only a hint that triggers a read of the practice's subscription. */
import { billingAccounts, invoicePayments, webhookEvents } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { BillingEvent } from '@portal/providers/stripe/stripe-port.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { enqueueRefundsRead, enqueueSubscriptionRead } from './billing-jobs.ts';
import { readPaymentMethod } from './payment-method.ts';

export const STRIPE_WEBHOOK_PATH = '/portal/webhooks/stripe';

export async function serveStripeWebhook(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (scope) => {
    // The signature covers the bytes as sent, so the body must not be parsed and serialised again.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 1024 * 1024 }, (_request, body, done) => done(null, body));
    scope.post(STRIPE_WEBHOOK_PATH, async (request, reply) => {
      if (!deps.billing) throw new AppError('notFound', 'request.not_found', 'Page not found.');
      const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = request.headers['stripe-signature'];
      const event = deps.billing.provider.verifyWebhook({
        rawBody,
        signature: typeof signature === 'string' ? signature : undefined,
        now: deps.wallClock.now(),
      });
      await runAsSystem('webhook', () => handleEvent(deps, event));
      return reply.status(204).send();
    });
  });
}

async function handleEvent(deps: AppDeps, event: BillingEvent): Promise<void> {
  const { db } = deps.database;
  const eventId = `stripe:${event.eventId}`;
  const [handledEvent] = await db.select({ eventId: webhookEvents.eventId }).from(webhookEvents).where(eq(webhookEvents.eventId, eventId));
  if (handledEvent) return;
  const companyId = await findCompany(deps, event);
  // Another system may use the same Stripe account, and its customers aren't ours.
  if (companyId !== undefined) {
    if (event.type === 'checkout.session.completed') await readPaymentMethod(deps, companyId);
    else await enqueueSubscriptionRead(deps, companyId);
    if (event.type === 'charge.refunded' || event.type.startsWith('refund.')) await enqueueRefundsRead(deps);
  }
  await db.insert(webhookEvents).values({ eventId, type: event.type, receivedAt: deps.clock.now() }).onConflictDoNothing();
}

/** A dispute event names only its charge. */
async function findCompany({ database: { db } }: AppDeps, { customerId, chargeId }: BillingEvent): Promise<string | undefined> {
  if (customerId !== undefined) {
    const isThisAccount = eq(billingAccounts.providerCustomerId, customerId);
    const [account] = await db.select({ companyId: billingAccounts.companyId }).from(billingAccounts).where(isThisAccount);
    return account?.companyId;
  }
  if (chargeId === undefined) return undefined;
  const isThisPayment = eq(invoicePayments.chargeId, chargeId);
  const [payment] = await db.select({ companyId: invoicePayments.companyId }).from(invoicePayments).where(isThisPayment);
  return payment?.companyId;
}
