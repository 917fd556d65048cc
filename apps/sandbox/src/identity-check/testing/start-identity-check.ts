/** The identity provider's double with a portal's webhook beside it, on real ports, with a clock to move, for one test. */
import { clockFrom } from '@portal/domain/clock.ts';
import { onTestFinished } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { openSimulatorStore } from '../../simulator/simulator-store.ts';
import { storedFaults } from '../../simulator/faults.ts';
import { hostSimulators } from '../../simulator/host-simulators.ts';
import { createIdentityCheckClient } from '@portal/providers/identity-check/identity-check-client.ts';
import type { IdentityOrder } from '@portal/providers/identity-check/identity-check-port.ts';
import { createIdentityCheckSimulator } from '../identity-check-simulator.ts';
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
  const webhook: Simulator = {
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
  const store = openSimulatorStore(':memory:');
  const faults = storedFaults(store, { slowMs: 10, hangMs: 10 });
  const { received, portal, webhook } = openPortal();
  const hosted: { simulator?: Simulator } = {};
  const late: Simulator = { fetch: async (request) => hosted.simulator?.fetch(request) ?? new Response(null, { status: 503 }) };
  const host = await hostSimulators(
    [
      { basePath: '/identity', simulator: late },
      { basePath: '/portal', simulator: webhook },
    ],
    0,
    '127.0.0.1',
  );
  const apiUrl = `${host.url}/identity`;
  const open = () => {
    const simulator = createIdentityCheckSimulator({
      store,
      faults,
      clock,
      publicUrl: apiUrl,
      webhookUrl: `${host.url}/portal/webhooks/identity-check`,
      courierDelays: { firstMs: 10, longestMs: 40, giveUpMs: 10_000 },
      sweepMs: 10,
    });
    hosted.simulator = simulator;
    return simulator;
  };
  const world = { simulator: open() };
  world.simulator.start();
  onTestFinished(async () => {
    await world.simulator.stop();
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
      await world.simulator.stop();
      world.simulator = open();
      world.simulator.start();
    },
    /** The person presses a button of the page. */
    press: (url: string, outcome: string) => fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ outcome }) }),
  };
}
