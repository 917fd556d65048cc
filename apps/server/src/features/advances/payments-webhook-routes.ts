/**
 * Receives the payments provider's webhooks: verifies them over the raw bytes, handles each once, and acknowledges it only after its
 * effects are committed.
 */
import { collectionAccounts, collectionPayouts, unrecordedPayouts, webhookEvents } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { PaymentEvent } from '@portal/providers/truelayer/truelayer-port.ts';
import { eq } from '@portal/db/sql.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { pollReturns } from './poll-returns.ts';
import { readCredits } from './read-credits.ts';
import { settleFromBankRecord } from './settle-by-record.ts';

const HOUR_MS = 3_600_000;

export const PAYMENTS_WEBHOOK_PATH = '/portal/webhooks/truelayer';

export async function servePaymentsWebhook(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (scope) => {
    // The signature covers the raw bytes, so the body must not be parsed and serialised again.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 256 * 1024 }, (_request, body, done) => done(null, body));
    scope.post(PAYMENTS_WEBHOOK_PATH, async (request, reply) => {
      const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const event = await deps.payments.verifyWebhook({ headers: request.headers, rawBody, path: PAYMENTS_WEBHOOK_PATH });
      await runAsSystem('webhook', () => handleEvent(deps, event));
      return reply.status(204).send();
    });
  });
}

async function handleEvent(deps: AppDeps, event: PaymentEvent): Promise<void> {
  const { db } = deps.database;
  const [handledEvent] = await db
    .select({ eventId: webhookEvents.eventId })
    .from(webhookEvents)
    .where(eq(webhookEvents.eventId, event.eventId));
  if (handledEvent) return;
  // Every effect is idempotent, so concurrent deliveries of one event are harmless. Storing the event ID only saves work.
  switch (event.type) {
    case 'payout_executed':
    case 'payout_failed':
      await settleProviderPayout(deps, event.payoutId);
      break;
    case 'credit_received':
      await receiveNotifiedCredit(deps, event);
      break;
    case 'other':
      break;
  }
  await db.insert(webhookEvents).values({ eventId: event.eventId, type: event.type, receivedAt: deps.clock.now() }).onConflictDoNothing();
}

/** Takes the amount and sender from the account's transactions, not from the event. */
async function receiveNotifiedCredit(
  deps: AppDeps,
  { accountId, transactionId, settledAt }: Extract<PaymentEvent, { type: 'credit_received' }>,
): Promise<void> {
  const [collectionAccount] = await deps.database.db
    .select({ companyId: collectionAccounts.companyId })
    .from(collectionAccounts)
    .where(eq(collectionAccounts.providerAccountId, accountId));
  // On the account from which we pay. What it doesn't show yet, the next scheduled read finds.
  if (!collectionAccount) return pollReturns(deps);
  const period = { from: addMilliseconds(settledAt, -HOUR_MS), to: addMilliseconds(settledAt, HOUR_MS) };
  if (!(await readCredits(deps, accountId, period)).has(transactionId))
    throw new AppError('conflict', 'credit.not_in_account', 'The account doesn’t show this credit yet. Send the webhook again later.');
}

/** The event may be old or out of order, so the provider's current record decides. */
async function settleProviderPayout(deps: AppDeps, providerPayoutId: string): Promise<void> {
  const record = await deps.payments.findPayout(providerPayoutId);
  if (record && ((await settleFromBankRecord(deps, record)) || (await isFoundPayment(deps, providerPayoutId)))) return;
  // This error makes the provider deliver the webhook again.
  throw new AppError('conflict', 'payout.not_stored_yet', 'This payout hasn’t been recorded yet. Send the webhook again later.');
}

/** A payment that was made at the provider without an order, and that a read of the account has stored. Further reads follow it. */
async function isFoundPayment({ database: { db } }: AppDeps, providerPayoutId: string): Promise<boolean> {
  for (const table of [unrecordedPayouts, collectionPayouts] as const) {
    const [row] = await db.select({ id: table.id }).from(table).where(eq(table.providerPayoutId, providerPayoutId));
    if (row) return true;
  }
  return false;
}
