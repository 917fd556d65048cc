/** Starts the Stripe simulator on a free port, with the real client and a clock that the test moves. */
import { createClock } from '@portal/domain/clock.ts';
import { createStripeClient } from '@portal/providers/stripe/stripe-client.ts';
import type { BillingProvider } from '@portal/providers/stripe/stripe-port.ts';
import { openFaults, type Faults } from '../../simulator/faults.ts';
import { startSimulatorHost } from '../../simulator/host-simulators.ts';
import { openSimulatorStore } from '../../simulator/simulator-store.ts';
import { findFreePort } from '../../testing/find-free-port.ts';
import { SANDBOX_STRIPE } from '../sandbox-credentials.ts';
import { createStripeSimulator, type StripeControls } from '../stripe-simulator.ts';

export type StartedStripe = {
  readonly client: BillingProvider;
  readonly controls: StripeControls;
  readonly faults: Faults;
  readonly apiUrl: string;
  setNow(at: number): void;
  close(): Promise<void>;
};

export async function startStripe(at = '2026-11-10T09:00:00Z'): Promise<StartedStripe> {
  let now = Date.parse(at);
  const store = openSimulatorStore(':memory:');
  const port = await findFreePort();
  const apiUrl = `http://127.0.0.1:${port}/stripe`;
  const faults = openFaults(store, { slowMs: 20, hangMs: 20 });
  const deps = { store, clock: createClock(() => now), faults, publicUrl: apiUrl };
  const simulator = createStripeSimulator(deps);
  const host = await startSimulatorHost([{ basePath: '/stripe', plugin: simulator.plugin }], port, '127.0.0.1');
  return {
    client: createStripeClient({ ...SANDBOX_STRIPE, webhookSecrets: ['whsec_new', SANDBOX_STRIPE.webhookSecret], apiUrl, fetch }),
    controls: simulator.controls,
    faults,
    apiUrl,
    setNow: (moment) => void (now = moment),
    close: async () => {
      await simulator.stop();
      await host.close();
      store.close();
    },
  };
}
