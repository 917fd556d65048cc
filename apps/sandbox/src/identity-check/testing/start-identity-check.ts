/** The identity provider's simulator with a portal's webhook beside it, on real ports, with a clock to move, for one test. */
import { createClock } from '@portal/domain/clock.ts';
import type { FastifyPluginAsync } from 'fastify';
import { onTestFinished } from 'vitest';
import { bodyText } from '../../simulator/request.ts';
import { openSimulatorStore } from '../../simulator/simulator-store.ts';
import { openFaults } from '../../simulator/faults.ts';
import { hostSimulators } from '../../simulator/host-simulators.ts';
import { freeAddress } from '../../testing/free-address.ts';
import { createIdentityCheckClient } from '@portal/providers/identity-check/identity-check-client.ts';
import type { IdentityCheckRequest } from '@portal/providers/identity-check/identity-check-port.ts';
import { createIdentityCheckSimulator } from '../identity-check-simulator.ts';
import { SANDBOX_IDENTITY_CHECK } from '../sandbox-credentials.ts';

export const order: IdentityCheckRequest = {
  reference: 'identity-1',
  fullName: 'Tessa Bright',
  email: 'tessa@brightwell.example',
  returnUrl: 'http://localhost:3000/portal/verify-identity/next-steps?from=check',
};

export type Received = { readonly headers: Record<string, string>; readonly rawBody: string };

/** A portal that records what it is sent and answers with `portal.status`. */
async function openPortal() {
  const received: Received[] = [];
  const portal = { status: 200 };
  const plugin: FastifyPluginAsync = async (app) => {
    app.post('/webhooks/identity-check', (request, reply) => {
      received.push({ headers: request.headers as Record<string, string>, rawBody: bodyText(request) });
      return reply.code(portal.status).send();
    });
  };
  const host = await hostSimulators([{ basePath: '/portal', plugin }], 0, '127.0.0.1');
  return { received, portal, host };
}

export async function startIdentityCheck() {
  let nowMs = Date.parse('2026-11-18T10:00:00Z');
  const clock = createClock(() => nowMs);
  const store = openSimulatorStore(':memory:');
  const faults = openFaults(store, { slowMs: 10, hangMs: 10 });
  const { received, portal, host: portalHost } = await openPortal();
  const { url, port } = await freeAddress();
  const apiUrl = `${url}/identity`;
  const open = async () => {
    const simulator = createIdentityCheckSimulator({
      store,
      faults,
      clock,
      publicUrl: apiUrl,
      webhookUrl: `${portalHost.url}/portal/webhooks/identity-check`,
      courierDelays: { firstMs: 10, maxMs: 40, giveUpMs: 10_000 },
      sweepMs: 10,
    });
    const host = await hostSimulators([{ basePath: '/identity', plugin: simulator.plugin }], port, '127.0.0.1');
    simulator.start();
    return { simulator, host };
  };
  const simulatorRef = await open();
  const end = async () => {
    await simulatorRef.simulator.stop();
    await simulatorRef.host.close();
  };
  onTestFinished(async () => {
    await end();
    await portalHost.close();
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
    world: simulatorRef,
    client: createIdentityCheckClient(settings),
    passMinutes: (minutes: number) => {
      nowMs += minutes * 60_000;
    },
    /** The simulator's process ends and another begins on the same store. */
    restart: async () => {
      await end();
      Object.assign(simulatorRef, await open());
    },
    /** Presses a button of the page. */
    press: (url: string, outcome: string) => fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ outcome }) }),
  };
}
