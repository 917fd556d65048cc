/** Webhooks of the payments provider: verified over the raw bytes, handled once, and acknowledged only after the effects are committed. */
import { payouts, webhookEvents } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { PaymentEvent } from '@portal/providers/truelayer/truelayer-port.ts';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { receiveCredit } from './receive-credit.ts';
import { settlePayout } from './settle-payout.ts';

export const PAYMENTS_WEBHOOK_PATH = '/portal/webhooks/truelayer';

export async function servePaymentsWebhook(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (scope) => {
    // The signature covers the bytes as sent, so the body must not be parsed and serialised again.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 256 * 1024 }, (_request, body, done) => done(null, body));
    scope.post(PAYMENTS_WEBHOOK_PATH, async (request, reply) => {
      const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const event = await deps.payments.verifyWebhook({ headers: request.headers, rawBody, path: PAYMENTS_WEBHOOK_PATH });
      await handleEvent(deps, event);
      return reply.status(204).send();
    });
  });
}

async function handleEvent(deps: AppDeps, event: PaymentEvent): Promise<void> {
  const { db } = deps.database;
  const [handled] = await db.select({ eventId: webhookEvents.eventId }).from(webhookEvents).where(eq(webhookEvents.eventId, event.eventId));
  if (handled) return;
  // Every effect is idempotent, so concurrent deliveries of one event do no harm. Storing the event ID only saves work.
  switch (event.type) {
    case 'payout_executed':
      await settleByProviderId(deps, event.payoutId, { outcome: 'executed', at: event.executedAt });
      break;
    case 'payout_failed':
      await settleByProviderId(deps, event.payoutId, { outcome: 'failed', reason: event.failureReason });
      break;
    case 'credit_received':
      await receiveCredit(deps, {
        accountId: event.accountId,
        transactionId: event.transactionId,
        amountPence: event.amountPence,
        settledAt: event.settledAt,
        remitter: event.remitterName ?? '',
        reference: event.reference ?? '',
      });
      break;
    case 'other':
      break;
  }
  await db.insert(webhookEvents).values({ eventId: event.eventId, type: event.type, receivedAt: deps.clock.now() }).onConflictDoNothing();
}

async function settleByProviderId(deps: AppDeps, providerPayoutId: string, result: Parameters<typeof settlePayout>[3]): Promise<void> {
  const [payout] = await deps.database.db
    .select({ companyId: payouts.companyId, id: payouts.id })
    .from(payouts)
    .where(eq(payouts.providerPayoutId, providerPayoutId));
  // A webhook can arrive before we have stored the provider's ID. The error makes the provider deliver it again.
  if (!payout) throw new AppError('conflict', 'payout.not_stored_yet', 'This payout hasn’t been recorded yet. Send the webhook again.');
  await settlePayout(deps, payout.companyId, payout.id, result);
}
