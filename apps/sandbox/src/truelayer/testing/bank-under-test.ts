/** Sets up TrueLayer's simulator and a portal's webhook endpoint, on real ports and with a real file, for one test at a time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { openSimulatorStore, type SimulatorStore } from '../../simulator/simulator-store.ts';
import { openFaults, type FaultDelays, type Faults } from '../../simulator/faults.ts';
import { type SimulatorHost, startSimulatorHost } from '../../simulator/host-simulators.ts';
import { ensureSigningKey, SANDBOX_TRUELAYER } from '../sandbox-credentials.ts';
import { createTrueLayerClient, type TrueLayerSettings } from '@portal/providers/truelayer/truelayer-client.ts';
import type { PaymentEvent, PayoutOrder } from '@portal/providers/truelayer/truelayer-port.ts';
import { findFreePort } from '../../testing/find-free-port.ts';
import { createTrueLayerSimulator, type TrueLayerSimulator } from '../truelayer-simulator.ts';

export type ReceivedWebhook = { headers: Record<string, string | string[] | undefined>; rawBody: string; path: string };

export const order: PayoutOrder = {
  idempotencyKey: 'a4c1f1de-5f0f-4b6f-9d66-0f3c50f6d001',
  amountPence: pence(1_234_055),
  beneficiary: { name: 'Brightwell Exports Ltd', sortCode: '200000', accountNumber: '55779911' },
  reference: 'IVAT 26Q3',
};

export class BankUnderTest {
  readonly dir = mkdtempSync(join(tmpdir(), 'truelayer-'));
  received: ReceivedWebhook[] = [];
  /** The status that the portal's webhook endpoint responds with. */
  portalStatus = 200;
  store!: SimulatorStore;
  faults!: Faults;
  simulator!: TrueLayerSimulator;
  host!: SimulatorHost;
  #portal!: Server;
  /** The port stays the same after a restart. */
  #port!: number;

  async open(): Promise<this> {
    this.#portal = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.received.push({ headers: request.headers, rawBody: Buffer.concat(chunks).toString(), path: request.url ?? '' });
        response.writeHead(this.portalStatus).end();
      });
    });
    await new Promise<void>((resolve) => this.#portal.listen(0, '127.0.0.1', resolve));
    this.#port = await findFreePort();
    await this.openSimulator();
    return this;
  }

  async close(): Promise<void> {
    await this.closeSimulator();
    this.#portal.close();
    this.#portal.closeAllConnections();
    rmSync(this.dir, { recursive: true });
  }

  /** Starts the simulator, which reads its store from disk and resumes unfinished work. */
  async openSimulator(stepMs = 10, faultDelays: FaultDelays = { slowMs: 20, hangMs: 20 }): Promise<void> {
    this.store = openSimulatorStore(join(this.dir, 'doubles.sqlite'));
    this.faults = openFaults(this.store, faultDelays);
    this.simulator = createTrueLayerSimulator({
      store: this.store,
      clock: systemClock,
      faults: this.faults,
      publicUrl: `http://127.0.0.1:${this.#port}/truelayer`,
      webhookUrl: `http://127.0.0.1:${(this.#portal.address() as AddressInfo).port}/portal/webhooks/truelayer`,
      publicKeyPem: ensureSigningKey(this.dir).publicKeyPem,
      stepMs,
      webhookDelays: { firstMs: 20, maxMs: 100, maxRetryMs: 10_000 },
    });
    this.host = await startSimulatorHost([{ basePath: '/truelayer', plugin: this.simulator.plugin }], this.#port, '127.0.0.1');
    this.simulator.start();
  }

  async closeSimulator(): Promise<void> {
    await this.simulator.stop();
    await this.host.close();
    this.store.close();
    // Lets fetch notice that its connections are closed. Otherwise its next request to this port would reuse one.
    await setImmediate();
  }

  settings(overrides: Partial<TrueLayerSettings> = {}): TrueLayerSettings {
    const { kid, privateKeyPem } = ensureSigningKey(this.dir);
    return {
      authUrl: `${this.host.url}/truelayer`,
      apiUrl: `${this.host.url}/truelayer`,
      ...SANDBOX_TRUELAYER,
      signing: { kid, privateKeyPem },
      webhookJwksUrls: [`${this.host.url}/truelayer/.well-known/jwks`],
      fetch: globalThis.fetch,
      clock: systemClock,
      timeoutMs: 2_000,
      ...overrides,
    };
  }

  verifyAll(client = createTrueLayerClient(this.settings())): Promise<PaymentEvent[]> {
    return Promise.all(this.received.map((webhook) => client.verifyWebhook(webhook)));
  }
}
