/** Starts one sign-in simulator on its own port for one test, with its client and a clock that the test moves. */
import { randomBytes, createHash } from 'node:crypto';
import { createClock } from '@portal/domain/clock.ts';
import { decodeJwt, type JWTPayload } from 'jose';
import { onTestFinished } from 'vitest';
import { openSimulatorStore } from '../../simulator/simulator-store.ts';
import { openFaults } from '../../simulator/faults.ts';
import { startSimulatorHost } from '../../simulator/host-simulators.ts';
import { findFreeAddress } from '../../testing/find-free-address.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { OidcSimulator } from '../oidc-simulator.ts';
import { openIdentityRecords, type SigningKey } from '../identity-records.ts';
import type { OidcSimulatorDeps } from '../provider-profile.ts';
import { signWith } from '../signing-keys.ts';
import type { SignInCallback, SignInDeps, SignInProvider, SignInRequest } from '@portal/providers/oidc/sign-in-port.ts';

export const REDIRECT_URI = 'http://localhost:3999/callback';

/** Deliberately far from the system time: token times must be checked against the portal's clock. */
const START_TIME = '2027-03-03T10:00:00Z';

export type ProviderUnderTest = {
  readonly basePath: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly createSimulator: (deps: OidcSimulatorDeps) => OidcSimulator;
  readonly createClient: (deps: SignInDeps) => SignInProvider;
};

export async function startProvider(providerUnderTest: ProviderUnderTest, redirectUri: string = REDIRECT_URI) {
  let nowMs = Date.parse(START_TIME);
  const clock = createClock(() => nowMs);
  const store = openSimulatorStore(':memory:');
  const faults = openFaults(store, { slowMs: 10, hangMs: 10 });
  const { url, port } = await findFreeAddress();
  const publicUrl = `${url}${providerUnderTest.basePath}`;
  const simulator = providerUnderTest.createSimulator({
    store,
    clock,
    faults,
    publicUrl,
    redirectUris: [redirectUri],
    applicationName: 'Tidewater',
  });
  const host = await startSimulatorHost([{ basePath: providerUnderTest.basePath, plugin: simulator.plugin }], port, '127.0.0.1');
  onTestFinished(async () => {
    await host.close();
    store.close();
  });
  const requests: { url: URL; headers: Headers; body: string }[] = [];
  const forgery: { change?: IdTokenChange } = {};
  const recordFetch: typeof globalThis.fetch = async (input, init) => {
    const body = init?.body instanceof URLSearchParams || typeof init?.body === 'string' ? init.body.toString() : '';
    requests.push({ url: new URL(toUrl(input)), headers: new Headers(init?.headers), body });
    return forgeIdToken(await fetch(input, init), forgery.change, store);
  };
  const clientDeps: SignInDeps = {
    ...providerUnderTest.credentials,
    redirectUri,
    browserUrl: publicUrl,
    serverUrl: publicUrl,
    fetch: recordFetch,
    clock,
    timeoutMs: 3_000,
  };
  const client = providerUnderTest.createClient(clientDeps);
  return {
    publicUrl,
    client,
    clientDeps,
    faults,
    store,
    requests,
    controls: simulator.controls,
    records: openIdentityRecords(store, client.provider),
    /** Changes every id_token from now on and signs it again with the simulator's key. */
    forgeIdTokens: (change: IdTokenChange) => {
      forgery.change = change;
    },
    clientWith: (change: Partial<SignInDeps>) => providerUnderTest.createClient({ ...clientDeps, ...change }),
    moveClockBy: (milliseconds: number) => {
      nowMs += milliseconds;
    },
  };
}
export type StartedProvider = Awaited<ReturnType<typeof startProvider>>;

export function toUrl(input: Parameters<typeof globalThis.fetch>[0]): string {
  return input instanceof Request ? input.url : input.toString();
}

export type IdTokenChange = (claims: JWTPayload) => { readonly claims: JWTPayload; readonly keyName?: string };

async function forgeIdToken(response: Response, change: IdTokenChange | undefined, store: StartedProvider['store']): Promise<Response> {
  if (!change || !(response.headers.get('content-type') ?? '').includes('json')) return response;
  const body: unknown = await response.clone().json();
  if (typeof body !== 'object' || body === null || !('id_token' in body)) return response;
  const { claims, keyName } = change(decodeJwt(String(body.id_token)));
  const provider = ['google', 'microsoft', 'xero', 'intuit'].find((name) => store.collection(`${name}.keys`).list().length > 0) ?? '';
  const keys = store.collection<SigningKey>(`${provider}.keys`).list();
  const key = keys.find(({ document }) => document.name === keyName) ?? keys[0];
  if (!key) throw new Error('the simulator has no key yet');
  return Response.json({ ...body, id_token: await signWith(key.document, claims) });
}

/** Creates the values that the portal stores for one sign-in attempt. */
export function createAttempt(extraScopes: readonly string[] = []) {
  const codeVerifier = randomBytes(32).toString('base64url');
  const secrets = { state: randomBytes(16).toString('hex'), nonce: randomBytes(16).toString('hex'), extraScopes };
  const request: SignInRequest = { ...secrets, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
  return { question: request, stored: { ...secrets, codeVerifier } };
}
export type Attempt = ReturnType<typeof createAttempt>;

/** Returns the callback parameters after the user has granted everything immediately. */
export async function authoriseAs(startedProvider: StartedProvider, email: string, attempt: Attempt, query: Record<string, string> = {}) {
  const url = new URL((await startedProvider.client.authorizeUrl(attempt.question)).url);
  for (const [name, value] of Object.entries({ sandbox_user: email, ...query })) url.searchParams.set(name, value);
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`no redirect: ${response.status} ${await response.text()}`);
  return new URL(location).searchParams;
}

/** Completes a sign-in. */
export async function signInAs(
  startedProvider: StartedProvider,
  email: string,
  extraScopes: readonly string[] = [],
  change: Partial<SignInCallback> = {},
) {
  const attempt = createAttempt(extraScopes);
  const params = await authoriseAs(startedProvider, email, attempt);
  return startedProvider.client.completeSignIn({ ...attempt.stored, params, ...change });
}

/** Returns the failure, such as "refused access_denied". Fails the test if the call succeeds or fails in another way. */
export async function describeFailure(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw new Error('expected a ProviderError', { cause: error });
  return [error.failure, error.facts.code].filter((part) => part !== undefined).join(' ');
}

/** Creates a browser that stores cookies and doesn't follow redirects. */
export function openBrowser() {
  let cookie = '';
  return async (address: string | URL, form?: Record<string, string> | URLSearchParams) => {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    const location = response.headers.get('location');
    return {
      status: response.status,
      location: location === null ? undefined : new URL(location, address),
      text: await response.text(),
    };
  };
}

/** Signs in on the pages with a new account and opens the consent page. */
export async function openConsent(startedProvider: StartedProvider, attempt: Attempt, person: { email: string; full_name: string }) {
  const browse = openBrowser();
  const { url } = await startedProvider.client.authorizeUrl(attempt.question);
  const start = await browse(url);
  const signIn = await browse(start.location ?? '');
  const signedIn = await browse(start.location ?? '', { ...person, email_verified: 'yes' });
  const consentUrl = signedIn.location ?? new URL('about:blank');
  const consent = signedIn.location === undefined ? signedIn : await browse(consentUrl);
  return { browse, signInPage: signIn.text, consentUrl, consent };
}
