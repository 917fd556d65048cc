/** Starts the HMRC simulator for one test, with a clock that can be moved. Every response is checked against HMRC's published descriptions. */
import { createClock } from '@portal/domain/clock.ts';
import { onTestFinished } from 'vitest';
import { openSimulatorStore } from '../../simulator/simulator-store.ts';
import { openFaults } from '../../simulator/faults.ts';
import { startSimulatorHost } from '../../simulator/host-simulators.ts';
import { findFreePort } from '../../testing/find-free-port.ts';
import { buildFraudHeaders } from '@portal/providers/hmrc/fraud-headers.ts';
import { createHmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import type { HmrcCall, HmrcClientDeps } from '@portal/providers/hmrc/hmrc-types.ts';
import { createHmrcControls } from '../hmrc-controls.ts';
import { createHmrcSimulator } from '../hmrc-simulator.ts';
import type { HmrcSimulatorDeps, RepaymentCredit } from '../hmrc-context.ts';
import { loadPublishedDescriptions, type DeviationName } from './published-descriptions.ts';

export const REDIRECT_URI = 'http://localhost:3999/callback';
export const publishedDescriptions = loadPublishedDescriptions();

export type TestUser = { readonly userId: string; readonly password: string; readonly vrn: string };

export type StartOptions = { readonly now?: string; readonly storeFile?: string; readonly requestsPerSecond?: number };

/**
 * A Wednesday morning in November: the return for the quarter that ended in September is overdue, the one for the quarter that ended in
 * October isn't.
 */
const START_TIME = '2026-11-18T10:00:00Z';

export async function startHmrc(options: StartOptions = {}) {
  let nowMs = Date.parse(options.now ?? START_TIME);
  const clock = createClock(() => nowMs);
  const store = openSimulatorStore(options.storeFile ?? ':memory:');
  const faults = openFaults(store, { slowMs: 10, hangMs: 10 });
  const credits: RepaymentCredit[] = [];
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const deps: HmrcSimulatorDeps = {
    store,
    clock,
    faults,
    publicUrl: `${url}/hmrc`,
    wwwUrl: `${url}/hmrc-www`,
    redirectUris: [REDIRECT_URI],
    payRepayment: (credit) => void credits.push(credit),
    requestsPerSecond: options.requestsPerSecond ?? 1000,
  };
  const simulator = createHmrcSimulator(deps);
  const host = await startSimulatorHost(
    [
      { basePath: '/hmrc', plugin: simulator.api },
      { basePath: '/hmrc-www', plugin: simulator.www },
    ],
    port,
    '127.0.0.1',
  );
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await host.close();
    store.close();
  };
  onTestFinished(close);
  const checkingFetch = createCheckingFetch(deps.publicUrl);
  const clientDeps: HmrcClientDeps = {
    apiUrl: deps.publicUrl,
    authorizeUrl: `${deps.wwwUrl}/oauth/authorize`,
    clientId: 'sandbox-client-id',
    clientSecret: 'sandbox-client-secret',
    redirectUri: REDIRECT_URI,
    fetch: checkingFetch.fetch,
    clock,
    timeoutMs: 2_000,
  };
  return {
    deps,
    credits,
    faults,
    clock,
    clientDeps,
    close,
    seen: checkingFetch.seen,
    fetch: checkingFetch.fetch,
    apiUrl: deps.publicUrl,
    wwwUrl: deps.wwwUrl,
    client: createHmrcClient(clientDeps),
    controls: createHmrcControls(deps),
    moveClock: (to: string) => {
      nowMs = Date.parse(to);
    },
  };
}
export type StartedHmrc = Awaited<ReturnType<typeof startHmrc>>;

/**
 * Creates a fetch that fails the test at the first response that contradicts HMRC's API description, and records the responses and
 * deviations seen.
 */
function createCheckingFetch(apiUrl: string) {
  const seenResponses = { answers: new Set<string>(), deviations: new Set<DeviationName>() };
  const fetchAndCheck: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    const base = new URL(apiUrl).pathname;
    if (!publishedDescriptions || !url.pathname.startsWith(`${base}/`)) return response;
    const copy = response.clone();
    const method = (init?.method ?? 'GET').toUpperCase();
    const path = url.pathname.slice(base.length);
    const result = publishedDescriptions.validate({
      method,
      path,
      status: copy.status,
      headers: copy.headers,
      bodyText: await copy.text(),
    });
    if (result.fault !== undefined) {
      throw new Error(`${method} ${path} -> ${copy.status} contradicts HMRC's API description: ${result.fault}`);
    }
    seenResponses.answers.add(`${result.operation ?? path} ${copy.status}`);
    if (result.deviation !== undefined) seenResponses.deviations.add(result.deviation);
    return response;
  };
  return { fetch: fetchAndCheck, seen: seenResponses };
}

/** Returns an application token from the client-credentials grant. */
export async function requestApplicationToken(hmrc: StartedHmrc): Promise<string> {
  const reply = await requestToken(hmrc, { grant_type: 'client_credentials' });
  return ((await reply.json()) as { access_token: string }).access_token;
}

export function requestToken(hmrc: StartedHmrc, form: Record<string, string>): Promise<Response> {
  return hmrc.fetch(`${hmrc.apiUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'sandbox-client-id', client_secret: 'sandbox-client-secret', ...form }),
  });
}

/** Creates a test organisation through HMRC's API. */
export async function createOrganisation(hmrc: StartedHmrc): Promise<TestUser> {
  const response = await hmrc.fetch(`${hmrc.apiUrl}/create-test-user/organisations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await requestApplicationToken(hmrc)}`,
      accept: 'application/vnd.hmrc.1.0+json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ serviceNames: ['mtd-vat'] }),
  });
  if (response.status !== 201) throw new Error(`no test organisation: ${response.status} ${await response.text()}`);
  return (await response.json()) as TestUser;
}

/** Grants access immediately and returns the code from HMRC's redirect. */
export async function requestCode(hmrc: StartedHmrc, userId: string, query: Record<string, string> = {}): Promise<string> {
  const url = new URL(hmrc.client.authorizeUrl({ state: 'state', scopes: ['read:vat', 'write:vat'] }));
  for (const [name, value] of Object.entries({ sandbox_user: userId, ...query })) url.searchParams.set(name, value);
  const response = await fetch(url, { redirect: 'manual' });
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code');
  if (code === null) throw new Error(`no code: ${response.status}`);
  return code;
}

/** Creates a trader and connects it: the starting point of most tests. */
export async function connectTrader(hmrc: StartedHmrc): Promise<{ user: TestUser; call: HmrcCall; refreshToken: string }> {
  const user = await createOrganisation(hmrc);
  const tokens = await hmrc.client.exchangeCode({ code: await requestCode(hmrc, user.userId) });
  return {
    user,
    refreshToken: tokens.refreshToken,
    call: { accessToken: tokens.accessToken, fraudHeaders: buildFraudHeaders(COMPLETE_FACTS) },
  };
}

/** Complete facts, with the IP addresses from HMRC's examples. */
export const COMPLETE_FACTS: Parameters<typeof buildFraudHeaders>[0] = {
  browser: {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    deviceId: 'beec798b-b366-47fa-b1f8-92cede14a1ce',
    screens: [{ width: 1920, height: 1080, scalingFactor: 1.25, colourDepth: 24 }],
    windowSize: { width: 1256, height: 803 },
    timezoneOffsetMinutes: 60,
  },
  connection: {
    clientIp: '198.51.100.0',
    clientIpSeenAt: createClock(() => Date.parse('2026-11-18T09:59:58.123Z')).now(),
    clientPort: 12_345,
  },
  user: {
    userIds: { tidewater: 'alice@example.com' },
    multiFactor: [{ type: 'TOTP', at: createClock(() => Date.parse('2026-11-18T09:00:00Z')).now(), uniqueReference: 'fc4b5fd6816f75a7c' }],
  },
  vendor: {
    productName: 'Tidewater Portal',
    publicIp: '203.0.113.6',
    versions: { 'portal-web': '0.1.0', 'portal-server': '0.1.0' },
    licenseIds: { portal: '8D7963490527D33716835EE7C195516D5E562E03B224E9B359836466EE40CDE1' },
  },
};
