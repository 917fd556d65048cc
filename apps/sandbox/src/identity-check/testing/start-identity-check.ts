/** Starts the identity-check simulator and a portal's webhook endpoint on real ports for one test, with a clock that can be moved. */
import { createClock } from '@portal/domain/clock.ts';
import type { FastifyPluginAsync } from 'fastify';
import { onTestFinished } from 'vitest';
import { readBodyText } from '../../simulator/request.ts';
import { openSimulatorStore } from '../../simulator/simulator-store.ts';
import { openFaults } from '../../simulator/faults.ts';
import { startSimulatorHost } from '../../simulator/host-simulators.ts';
import { findFreeAddress } from '../../testing/find-free-address.ts';
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

export type ReceivedWebhook = { readonly headers: Record<string, string>; readonly rawBody: string };

/** Opens a portal that records the webhooks it receives and responds with `portal.status`. */
async function openPortal() {
  const receivedWebhooks: ReceivedWebhook[] = [];
  const portal = { status: 200 };
  const plugin: FastifyPluginAsync = async (app) => {
    app.post('/webhooks/identity-check', (request, reply) => {
      receivedWebhooks.push({ headers: request.headers as Record<string, string>, rawBody: readBodyText(request) });
      return reply.code(portal.status).send();
    });
  };
  const host = await startSimulatorHost([{ basePath: '/portal', plugin }], 0, '127.0.0.1');
  return { received: receivedWebhooks, portal, host };
}

export async function startIdentityCheck() {
  let nowMs = Date.parse('2026-11-18T10:00:00Z');
  const clock = createClock(() => nowMs);
  const store = openSimulatorStore(':memory:');
  const faults = openFaults(store, { slowMs: 10, hangMs: 10 });
  const { received, portal, host: portalHost } = await openPortal();
  const { url, port } = await findFreeAddress();
  const apiUrl = `${url}/identity`;
  const open = async () => {
    const simulator = createIdentityCheckSimulator({
      store,
      faults,
      clock,
      publicUrl: apiUrl,
      webhookUrl: `${portalHost.url}/portal/webhooks/identity-check`,
      webhookDelays: { firstMs: 10, maxMs: 40, maxRetryMs: 10_000 },
      sweepMs: 10,
    });
    const host = await startSimulatorHost([{ basePath: '/identity', plugin: simulator.plugin }], port, '127.0.0.1');
    simulator.start();
    return { simulator, host };
  };
  const runningSimulator = await open();
  const stopSimulator = async () => {
    await runningSimulator.simulator.stop();
    await runningSimulator.host.close();
  };
  onTestFinished(async () => {
    await stopSimulator();
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
    running: runningSimulator,
    client: createIdentityCheckClient(settings),
    passMinutes: (minutes: number) => {
      nowMs += minutes * 60_000;
    },
    /** Stops the simulator and starts another one on the same store. */
    restart: async () => {
      await stopSimulator();
      Object.assign(runningSimulator, await open());
    },
    /** Presses a button on the page. */
    press: (url: string, outcome: string) => fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ outcome }) }),
  };
}
