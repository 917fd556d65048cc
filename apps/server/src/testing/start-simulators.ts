/** The simulators of all providers for a test portal, on one free port. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@portal/domain/clock.ts';
import type { openSimulatorStore } from '@portal/sandbox/simulator/simulator-store.ts';
import type { Faults } from '@portal/sandbox/simulator/faults.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { startSimulatorHost } from '@portal/sandbox/simulator/host-simulators.ts';
import { openClamdSimulator } from '@portal/sandbox/clamd/clamd-simulator.ts';
import { createAgentControls } from '@portal/sandbox/hmrc-agent/agent-controls.ts';
import { createHmrcControls } from '@portal/sandbox/hmrc/hmrc-controls.ts';
import type { HmrcSimulatorDeps } from '@portal/sandbox/hmrc/hmrc-context.ts';
import { createHmrcSimulator } from '@portal/sandbox/hmrc/hmrc-simulator.ts';
import { createProviderSettings } from '@portal/sandbox/provider-settings.ts';
import { ensureSigningKey, type SandboxSigningKey } from '@portal/sandbox/truelayer/sandbox-credentials.ts';
import { createGoCardlessSimulator } from '@portal/sandbox/gocardless/gocardless-simulator.ts';
import { createStripeSimulator } from '@portal/sandbox/stripe/stripe-simulator.ts';
import { createIdentitySimulators } from '@portal/sandbox/simulator/identity-simulators.ts';
import type { TrueLayerControls } from '@portal/sandbox/truelayer/truelayer-controls.ts';
import { createTrueLayerSimulator } from '@portal/sandbox/truelayer/truelayer-simulator.ts';
import { PAYMENTS_WEBHOOK_PATH } from '../features/advances/payments-webhook-routes.ts';
import { GOCARDLESS_WEBHOOK_PATH } from '../features/direct-debits/gocardless-webhook-routes.ts';
import { STRIPE_WEBHOOK_PATH } from '../features/billing/stripe-webhook-routes.ts';
import { HMRC_CALLBACK_PATH } from '../features/hmrc-connection/authorisation-callback-routes.ts';
import { completeSettings, type ProviderSettings } from '../provider-settings.ts';
import { parseSettings } from '../settings.ts';

/** The portal and the simulators must know each other's URL before either of them listens. */
export const findFreeAddress = async (): Promise<string> => `http://127.0.0.1:${await findFreePort()}`;

/** Returns the providers' settings as the sandbox passes them in a real start. */
function createSimulatedSettings(url: string, signingKey: SandboxSigningKey): ProviderSettings {
  const parsed = parseSettings({});
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return completeSettings(parsed.settings, {}, createProviderSettings({ url, smtpPort: 25, signingKey }));
}

export type SimulatorOptions = {
  readonly store: ReturnType<typeof openSimulatorStore>;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly portalUrl: string;
  /** The recipient of webhooks from the bank and GoCardless. By default the portal. */
  readonly bankWebhooksTo?: string;
  /** Real time between two steps of a payout. */
  readonly bankStepMs?: number;
  /** Real time after which Direct Debits follow the clock automatically. */
  readonly directDebitStepMs?: number;
  /** Opens a proxy at the simulators' URL that makes some calls fail. The simulators then listen elsewhere. */
  readonly openProxy?: (addresses: { readonly publicUrl: string; readonly targetUrl: string }) => Promise<{ close(): Promise<void> }>;
};

type SimulatorBase = Pick<SimulatorOptions, 'store' | 'clock' | 'faults'>;
function toHmrcDeps(base: SimulatorBase, url: string, bank: TrueLayerControls): HmrcSimulatorDeps {
  return {
    ...base,
    publicUrl: `${url}/hmrc`,
    wwwUrl: `${url}/hmrc-www`,
    redirectUris: [
      'http://localhost:3999/callback',
      `http://localhost${HMRC_CALLBACK_PATH}`,
      'http://localhost/portal/v2/auth/callback/hmrc',
    ],
    requestsPerSecond: 1_000,
    payRepayment: ({ sortCode, accountNumber, amountPence, reference }) =>
      void bank.creditAccount({ sortCode, accountNumber, amountPence, remitterName: 'HMRC VAT', reference }),
  };
}

export async function startSimulators(options: SimulatorOptions) {
  const { store, clock, faults, portalUrl, bankWebhooksTo = portalUrl, bankStepMs = 5, directDebitStepMs } = options;
  const url = await findFreeAddress();
  const targetUrl = options.openProxy ? await findFreeAddress() : url;
  const proxy = await options.openProxy?.({ publicUrl: url, targetUrl });
  const dir = mkdtempSync(join(tmpdir(), 'portal-test-'));
  const signingKey = ensureSigningKey(dir);
  const base = { store, clock, faults };
  const bank = createTrueLayerSimulator({
    ...base,
    publicUrl: `${url}/truelayer`,
    webhookUrl: `${bankWebhooksTo}${PAYMENTS_WEBHOOK_PATH}`,
    publicKeyPem: signingKey.publicKeyPem,
    stepMs: bankStepMs,
  });
  const directDebits = createGoCardlessSimulator({
    ...base,
    publicUrl: `${url}/gocardless`,
    webhookUrl: `${bankWebhooksTo}${GOCARDLESS_WEBHOOK_PATH}`,
    ...(directDebitStepMs === undefined ? {} : { sweepMs: directDebitStepMs }),
  });
  const stripe = createStripeSimulator({ ...base, publicUrl: `${url}/stripe`, webhookUrl: `${bankWebhooksTo}${STRIPE_WEBHOOK_PATH}` });
  const hmrcDeps = toHmrcDeps(base, url, bank.controls);
  const hmrc = createHmrcSimulator(hmrcDeps);
  const identity = createIdentitySimulators({
    ...base,
    url,
    portalUrl: 'http://localhost',
    webhookUrl: portalUrl,
    applicationName: 'Tidewater',
  });
  const host = await startSimulatorHost(
    [
      ...identity.hosted,
      { basePath: '/truelayer', plugin: bank.plugin },
      { basePath: '/gocardless', plugin: directDebits.plugin },
      { basePath: '/stripe', plugin: stripe.plugin },
      { basePath: '/hmrc', plugin: hmrc.api },
      { basePath: '/hmrc-www', plugin: hmrc.www },
    ],
    Number(new URL(targetUrl).port),
    '127.0.0.1',
  );
  const clamd = await openClamdSimulator(faults, 0, '127.0.0.1');
  bank.start();
  directDebits.start();
  stripe.start();
  identity.start();
  return {
    url,
    settings: { ...createSimulatedSettings(url, signingKey), clamd: { url: `tcp://127.0.0.1:${clamd.port}` } },
    ways: identity,
    bank: bank.controls,
    directDebits: directDebits.controls,
    stripe: stripe.controls,
    hmrc: createHmrcControls(hmrcDeps),
    agents: createAgentControls(hmrcDeps),
    close: async () => {
      await proxy?.close();
      await bank.stop();
      await directDebits.stop();
      await stripe.stop();
      await identity.stop();
      await clamd.close();
      await host.close();
      store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
