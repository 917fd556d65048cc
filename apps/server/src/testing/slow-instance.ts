import { createHmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import { rateLimitFetch } from '@portal/providers/http/rate-limit-fetch.ts';
import { createInMemoryRateLimiter, createRateLimiter } from '@portal/providers/http/rate-limiter.ts';
import type { TestInstance, TestPortal } from './open-test-portal.ts';

/**
 * An instance whose calls to HMRC can be held: `beforeSlot` while they are in the rate limiter's queue, `onTheWay` after they have been
 * sent.
 */
export type SlowInstance = TestInstance & {
  hold(gateName: 'beforeSlot' | 'onTheWay'): { readonly reached: Promise<void>; release(): void };
};

export async function openSlowInstance(portal: TestPortal): Promise<SlowInstance> {
  const gates: Partial<Record<'beforeSlot' | 'onTheWay', { reach(): void; readonly opened: Promise<void> }>> = {};
  const waitAtGate = async (gateName: 'beforeSlot' | 'onTheWay'): Promise<void> => {
    const gate = gates[gateName];
    gate?.reach();
    await gate?.opened;
  };
  const slots = createInMemoryRateLimiter(1_000);
  const reserve = (): Promise<number> => waitAtGate('beforeSlot').then(() => slots.reserve());
  const rateLimiter = createRateLimiter({ perSecond: 1_000, limit: 1_000, shared: { ...slots, reserve } });
  const send = (...call: Parameters<typeof fetch>): Promise<Response> => waitAtGate('onTheWay').then(() => fetch(...call));
  const hmrc = createHmrcClient({
    apiUrl: `${portal.sandboxUrl}/hmrc`,
    authorizeUrl: `${portal.sandboxUrl}/hmrc-www/oauth/authorize`,
    clientId: 'sandbox-client-id',
    clientSecret: 'sandbox-client-secret',
    redirectUri: 'http://localhost:3999/callback',
    fetch: rateLimitFetch(send, rateLimiter),
    clock: portal.deps.clock,
  });
  const hold: SlowInstance['hold'] = (gateName) => {
    const [stepReached, gateOpened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    gates[gateName] = { reach: stepReached.resolve, opened: gateOpened.promise };
    return {
      reached: stepReached.promise,
      release: () => {
        delete gates[gateName];
        gateOpened.resolve();
      },
    };
  };
  return { ...(await portal.openInstance({ hmrc })), hold };
}
