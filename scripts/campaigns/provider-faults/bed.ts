/** The environment for provider calls: every simulator behind the proxy, new clients for each call, and test data. */
import { randomBytes } from 'node:crypto';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { createHubspotClient } from '@portal/providers/hubspot/hubspot-client.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-types.ts';
import type { HmrcScope } from '@portal/providers/hmrc/hmrc-client.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { Portfolio } from '@portal/sandbox/portfolio/portfolio-client.ts';
import type { AppDeps } from '../../../apps/server/src/app-deps.ts';
import { createClients, openTestPortal, type TestPortal } from '../../../apps/server/src/testing/open-test-portal.ts';
import { makeOrganisation } from '../../../apps/server/src/testing/test-trader.ts';
import { openWebhookRelay, type WebhookRelay } from '../../chaos/model/webhook-relay.ts';
import { openFaultProxy, type FaultProxy } from './fault-proxy.ts';
import { joinSignals } from '../join-signals.ts';

export type Clients = ReturnType<typeof createClients> & { readonly chat: NonNullable<AppDeps['chat']> };

/** A test organisation at HMRC, with its company at Companies House. */
export type FaultTrader = { readonly vrn: string; readonly companyNumber: string; readonly call: HmrcCall };

export type FaultTestBed = {
  readonly portal: TestPortal;
  readonly proxy: FaultProxy;
  readonly relay: WebhookRelay;
  /** A fetch through the proxy, with the campaign's time limit. */
  readonly limitedFetch: typeof globalThis.fetch;
  /** Creates clients without cached tokens, keys or responses. */
  newClients(): Clients;
  /** Creates a test organisation at HMRC that has authorised the portal. */
  createTrader(): Promise<FaultTrader>;
  /** Returns an authorisation code from HMRC, after a user has given permission. */
  requestCode(userId: string): Promise<string>;
  /** Oakline's authorisation, and its clients. */
  readonly agent: HmrcCall;
  readonly portfolio: Portfolio;
  readonly trader: FaultTrader;
  readonly today: () => PlainDate;
  close(): Promise<void>;
};

/** Time limit for a call, instead of the clients' 3 to 15 seconds. */
export const LIMIT_MS = 1_500;

const SCOPES: readonly HmrcScope[] = [
  'read:vat',
  'write:vat',
  'read:self-assessment',
  'read:sent-invitations',
  'write:sent-invitations',
  'write:cancel-invitations',
  'read:check-relationship',
  'write:relationships',
];
/** Payouts and Direct Debits advance only when a case advances them. */
const STEP_MS = 5;

export async function openFaultTestBed(): Promise<FaultTestBed> {
  let proxy: FaultProxy | undefined;
  const relayPort = await findFreePort();
  const relay = await openWebhookRelay(relayPort);
  const portal = await openTestPortal({
    bankWebhooksTo: `http://127.0.0.1:${relayPort}`,
    bankStepMs: STEP_MS,
    openProxy: async (addresses) => (proxy = await openFaultProxy(addresses)),
  });
  if (!proxy) throw new Error('the proxy was not opened');
  const testBed = createFaultTestBed(portal, proxy, relay);
  const portfolio = portal.agents.loadPortfolio({ clients: 60, seed: 7, today: portal.deps.clock.today() });
  const { accessToken } = await testBed.newClients().hmrc.exchangeCode({ code: await testBed.requestCode(OAKLINE.hmrcUserId) });
  portal.bank.setPayingBalance(500_000_000);
  return { ...testBed, portfolio, agent: { accessToken, fraudHeaders: {} }, trader: await testBed.createTrader() };
}

function createFaultTestBed(portal: TestPortal, proxy: FaultProxy, relay: WebhookRelay) {
  const limitedFetch = createLimitedFetch(proxy);
  const { clock } = portal.deps;
  const createNewClients = (): Clients => {
    const { chat } = portal.providers;
    if (!chat) throw new Error('the sandbox has no chat');
    const clients = createClients(portal.providers, clock, () => limitedFetch);
    return { ...clients, chat: createHubspotClient({ ...chat, fetch: limitedFetch, clock }) };
  };
  const requestCode = async (userId: string): Promise<string> => {
    const url = createNewClients().hmrc.authorizeUrl({ state: randomBytes(8).toString('hex'), scopes: SCOPES });
    const response = await fetch(`${url}&sandbox_user=${userId}`, { redirect: 'manual' });
    const code = new URL(response.headers.get('location') ?? 'about:blank').searchParams.get('code');
    if (code === null) throw new Error(`HMRC’s simulator gave no code: ${response.status}`);
    return code;
  };
  return {
    portal,
    proxy,
    relay,
    limitedFetch,
    newClients: createNewClients,
    requestCode,
    createTrader: async () => {
      const { userId, vrn, companyNumber } = await makeOrganisation(portal);
      const { accessToken } = await createNewClients().hmrc.exchangeCode({ code: await requestCode(userId) });
      return { vrn, companyNumber, call: { accessToken, fraudHeaders: {} } };
    },
    today: () => clock.today(),
    close: async () => {
      await portal.close();
      await relay.close();
    },
  };
}

/** Creates the clients' own fetch with a shorter time limit, using the proxy's URL. */
function createLimitedFetch(proxy: FaultProxy): typeof globalThis.fetch {
  return (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const limit = AbortSignal.timeout(LIMIT_MS);
    return fetch(proxy.toAddress(url), { ...init, signal: init.signal ? joinSignals(init.signal, limit) : limit });
  };
}

/** Five minutes, after which Companies House accepts calls again. */
const WINDOW_MS = 301_000;

export function passWindow({ portal }: Pick<FaultTestBed, 'portal'>): void {
  portal.moveClock(new Date(Date.parse(portal.deps.clock.now()) + WINDOW_MS).toISOString());
}
