/** The identity provider's double with a portal's webhook beside it, on real ports, with a clock to move, for one test. */
import { clockFrom } from '@portal/domain/clock.ts';
import { onTestFinished } from 'vitest';
import type { Double } from '../../double/double.ts';
import { openDoubleStore } from '../../double/double-store.ts';
import { storedFaults } from '../../double/faults.ts';
import { hostDoubles } from '../../double/host-doubles.ts';
import { createIdentityCheckClient } from '../identity-check-client.ts';
import type { IdentityOrder } from '../identity-check-port.ts';
import { createIdentityCheckDouble } from '../identity-check-sandbox.ts';
import { SANDBOX_IDENTITY_CHECK } from '../sandbox-credentials.ts';

export const order: IdentityOrder = {
  reference: 'identity-1',
  fullName: 'Tessa Bright',
  email: 'tessa@brightwell.example',
  returnUrl: 'http://localhost:3000/portal/verify-identity/next-steps?from=check',
};

export type Received = { readonly headers: Record<string, string>; readonly rawBody: string };

/** A portal that keeps what it is sent and answers with `portal.status`. */
function openPortal() {
  const received: Received[] = [];
  const portal = { status: 200 };
  const webhook: Double = {
    fetch: async (request) => {
      received.push({ headers: Object.fromEntries(request.headers), rawBody: await request.text() });
      return new Response(null, { status: portal.status });
    },
  };
  return { received, portal, webhook };
}

export async function startIdentityCheck() {
  let nowMs = Date.parse('2026-11-18T10:00:00Z');
  const clock = clockFrom(() => nowMs);
  const store = openDoubleStore(':memory:');
  const faults = storedFaults(store, { slowMs: 10, hangMs: 10 });
  const { received, portal, webhook } = openPortal();
  const hosted: { double?: Double } = {};
  const late: Double = { fetch: async (request) => hosted.double?.fetch(request) ?? new Response(null, { status: 503 }) };
  const host = await hostDoubles(
    [
      { basePath: '/identity', double: late },
      { basePath: '/portal', double: webhook },
    ],
    0,
    '127.0.0.1',
  );
  const apiUrl = `${host.url}/identity`;
  const open = () => {
    const double = createIdentityCheckDouble({
      store,
      faults,
      clock,
      publicUrl: apiUrl,
      webhookUrl: `${host.url}/portal/webhooks/identity-check`,
      courierDelays: { firstMs: 10, longestMs: 40, giveUpMs: 10_000 },
      sweepMs: 10,
    });
    hosted.double = double;
    return double;
  };
  const world = { double: open() };
  world.double.start();
  onTestFinished(async () => {
    await world.double.stop();
    await host.close();
    store.close();
  });
  const settings = {
    apiUrl,
    apiKey: SANDBOX_IDENTITY_CHECK.apiKey,
    webhookSecrets: [SANDBOX_IDENTITY_CHECK.webhookSecret],
    fetch: globalThis.fetch,
    clock,
    timeoutMs: 2_000,
  };
  return {
    apiUrl,
    settings,
    faults,
    received,
    portal,
    world,
    client: createIdentityCheckClient(settings),
    passMinutes: (minutes: number) => {
      nowMs += minutes * 60_000;
    },
    /** The double's process ends and another begins on the same store. */
    restart: async () => {
      await world.double.stop();
      world.double = open();
      world.double.start();
    },
    /** The person presses a button of the page. */
    press: (url: string, outcome: string) => fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ outcome }) }),
  };
}
