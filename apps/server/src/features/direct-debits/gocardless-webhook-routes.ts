/** GoCardless's webhooks, verified over the raw bytes. Each event is only a hint that triggers a read of the mandate, payment or payout. */
import { directDebits, mandates, webhookEvents } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { DirectDebitEvent } from '@portal/providers/gocardless/gocardless-port.ts';
import { INVALID_TOKEN_STATUS, SIGNATURE_HEADER } from '@portal/providers/gocardless/gocardless-wire.ts';
import { eq, or } from '@portal/db/sql.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { readMandate } from './read-mandate.ts';
import { readPayouts } from './read-payouts.ts';
import { readDirectDebit } from './submit-direct-debit.ts';

export const GOCARDLESS_WEBHOOK_PATH = '/portal/webhooks/gocardless';

export async function serveGoCardlessWebhook(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (scope) => {
    // The signature covers the bytes as sent, so the body must not be parsed and serialised again.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 1024 * 1024 }, (_request, body, done) => done(null, body));
    scope.post(GOCARDLESS_WEBHOOK_PATH, async (request, reply) => {
      const { directDebits: provider } = deps;
      if (!provider) throw new AppError('notFound', 'request.not_found', 'Page not found.');
      const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = request.headers[SIGNATURE_HEADER];
      let events: DirectDebitEvent[];
      try {
        events = provider.verifyWebhook({ rawBody, signature: typeof signature === 'string' ? signature : undefined });
      } catch (error) {
        if (error instanceof AppError && error.kind === 'unauthenticated') return reply.status(INVALID_TOKEN_STATUS).send();
        throw error;
      }
      for (const event of events) await runAsSystem('webhook', () => handleEvent(deps, event));
      return reply.status(204).send();
    });
  });
}

async function handleEvent(deps: AppDeps, event: DirectDebitEvent): Promise<void> {
  const { db } = deps.database;
  const eventId = `gocardless:${event.eventId}`;
  const [handledEvent] = await db.select({ eventId: webhookEvents.eventId }).from(webhookEvents).where(eq(webhookEvents.eventId, eventId));
  if (handledEvent) return;
  const { billingRequestId, mandateId, paymentId, payoutId } = event;
  if (paymentId !== undefined) {
    const rows = await db.select().from(directDebits).where(eq(directDebits.providerPaymentId, paymentId));
    for (const debit of rows) await readDirectDebit(deps, debit);
  } else if (mandateId !== undefined || billingRequestId !== undefined) {
    const rows = await db
      .select()
      .from(mandates)
      .where(
        or(
          mandateId === undefined ? undefined : eq(mandates.providerMandateId, mandateId),
          billingRequestId === undefined ? undefined : eq(mandates.billingRequestId, billingRequestId),
        ),
      );
    for (const mandate of rows) await readMandate(deps, mandate);
  } else if (payoutId !== undefined) {
    await readPayouts(deps);
  }
  await db.insert(webhookEvents).values({ eventId, type: event.type, receivedAt: deps.clock.now() }).onConflictDoNothing();
}
