/** Tests Intuit's special rules (docs/reference/providers.md section 2) over real HTTP against the simulator. */
import { describe, expect, it } from 'vitest';
import { checkSignIn } from '../oidc/testing/check-sign-in.ts';
import { describeFailure, authoriseAs, createAttempt, openConsent, signInAs, startProvider } from '../oidc/testing/start-provider.ts';
import { createIntuitSignIn } from '@portal/providers/intuit/intuit-client.ts';
import { createIntuitSimulator, INTUIT_BASE_PATH, SANDBOX_INTUIT } from './intuit-simulator.ts';
import { INTUIT_ACCOUNTING_SCOPE } from '@portal/providers/intuit/intuit-wire.ts';

const intuit = {
  basePath: INTUIT_BASE_PATH,
  credentials: SANDBOX_INTUIT,
  createSimulator: createIntuitSimulator,
  createClient: createIntuitSignIn,
};
const TESSA = {
  email: 'tessa@brightwell.example',
  fullName: 'Tessa Bright',
  companies: [
    { realmId: '9341452000000001', name: 'Brightwell Exports Ltd' },
    { realmId: '9341452000000002', name: 'Brightwell Imports Ltd' },
  ],
};

async function start() {
  const startedProvider = await startProvider(intuit);
  startedProvider.controls.seedPerson(TESSA);
  return startedProvider;
}

checkSignIn('Intuit', intuit, {
  codeMinutes: 10,
  wrongSecret: 'refused invalid_client',
  hasNonce: false,
  hasPkce: false,
  emailVerified: true,
});

describe('Intuit', () => {
  it('is used without discovery, because its document is not at the issuer', async () => {
    const startedProvider = await start();
    expect((await signInAs(startedProvider, TESSA.email)).issuer).toBe('https://oauth.platform.intuit.com/op/v1');
    expect(startedProvider.requests.map(({ url }) => url.pathname)).toEqual([
      '/intuit/oauth2/v1/tokens/bearer',
      '/intuit/op/v1/jwks',
      '/intuit/v1/openid_connect/userinfo',
    ]);
    expect((await fetch(`${startedProvider.publicUrl}/op/v1/.well-known/openid-configuration`)).status).toBe(404);
    const document = (await (await fetch(`${startedProvider.publicUrl}/.well-known/openid_configuration`)).json()) as object;
    expect(document).toMatchObject({ issuer: 'https://oauth.platform.intuit.com/op/v1' });
  });

  it('signs in without nonce and PKCE', async () => {
    const startedProvider = await start();
    const { url } = await startedProvider.client.authorizeUrl(createAttempt().question);
    expect([...new URL(url).searchParams.keys()]).toEqual(['redirect_uri', 'scope', 'state', 'client_id', 'response_type']);
    expect((await signInAs(startedProvider, TESSA.email)).fullName).toBe('Tessa Bright');
  });

  it('has an audience array that must contain this application', async () => {
    const startedProvider = await start();
    await signInAs(startedProvider, TESSA.email);
    startedProvider.forgeIdTokens((claims) => ({ claims: { ...claims, aud: [SANDBOX_INTUIT.clientId] } }));
    expect((await signInAs(startedProvider, TESSA.email)).email).toBe(TESSA.email);
    for (const aud of [['another-application'], []]) {
      startedProvider.forgeIdTokens((claims) => ({ claims: { ...claims, aud } }));
      expect(await describeFailure(signInAs(startedProvider, TESSA.email))).toBe('refused id_token_invalid');
    }
  });

  it('returns name, email address and its verification in a camelCase userinfo', async () => {
    const startedProvider = await start();
    startedProvider.controls.seedPerson({ email: 'unsure@people.example', fullName: 'Una van Unsure', emailVerified: false });
    expect(await signInAs(startedProvider, 'unsure@people.example')).toMatchObject({
      email: 'unsure@people.example',
      emailVerified: false,
      fullName: 'Una van Unsure',
    });
  });

  it('is not trusted when the userinfo belongs to another subject', async () => {
    const startedProvider = await start();
    const client = startedProvider.clientWith({
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (!new URL(input instanceof Request ? input.url : input).pathname.endsWith('/userinfo')) return response;
        return Response.json({ ...((await response.json()) as object), sub: 'another' });
      },
    });
    const attempt = createAttempt();
    const params = await authoriseAs(startedProvider, TESSA.email, attempt);
    expect(await describeFailure(client.completeSignIn({ ...attempt.stored, params }))).toBe('refused id_token_invalid');
  });

  it('is unavailable when the userinfo fails', async () => {
    const startedProvider = await start();
    startedProvider.faults.set({ operation: 'intuit.userinfo', kind: 'server_error', times: 1 });
    expect(await describeFailure(signInAs(startedProvider, TESSA.email))).toBe('unavailable');
  });
});

describe('the company at Intuit', () => {
  const accountingScopes = [INTUIT_ACCOUNTING_SCOPE];

  it('is returned as realmId in the callback, chosen on the consent page', async () => {
    const startedProvider = await start();
    const attempt = createAttempt(accountingScopes);
    const { browse, consentUrl, consent } = await openConsent(startedProvider, attempt, { email: TESSA.email, full_name: 'x' });
    expect(consent.text).toContain('Brightwell Imports Ltd');
    const wrongRealmResponse = await browse(consentUrl, { decision: 'grant', realm_id: '1' });
    expect([wrongRealmResponse.status, wrongRealmResponse.text]).toEqual([400, expect.stringContaining('Choose a company')]);
    const redirectResponse = await browse(consentUrl, { decision: 'grant', realm_id: '9341452000000002' });
    const params = redirectResponse.location?.searchParams ?? new URLSearchParams();
    expect(params.get('realmId')).toBe('9341452000000002');
    expect((await startedProvider.client.completeSignIn({ ...attempt.stored, params })).realmId).toBe('9341452000000002');
  });

  it.each([
    ['another company’s', (params: URLSearchParams) => params.set('realmId', '9341452000000002')],
    ['a second', (params: URLSearchParams) => params.append('realmId', '9341452000000002')],
    ['an unusable', (params: URLSearchParams) => params.set('realmId', '../9341452000000001')],
  ])('is rejected when the callback has %s ID', async (_name, change) => {
    const startedProvider = await start();
    const attempt = createAttempt(accountingScopes);
    const params = new URLSearchParams(await authoriseAs(startedProvider, TESSA.email, attempt));
    change(params);
    expect(await describeFailure(startedProvider.client.completeSignIn({ ...attempt.stored, params }))).toBe('refused realm_mismatch');
  });

  it('is never read from a callback with the state of another attempt', async () => {
    const startedProvider = await start();
    const attempt = createAttempt(accountingScopes);
    const params = await authoriseAs(startedProvider, TESSA.email, createAttempt(accountingScopes));
    expect(await describeFailure(startedProvider.client.completeSignIn({ ...attempt.stored, params }))).toBe('refused state_mismatch');
  });

  it('is ignored in a plain sign-in', async () => {
    const startedProvider = await start();
    const attempt = createAttempt();
    const params = await authoriseAs(startedProvider, TESSA.email, attempt);
    expect(params.has('realmId')).toBe(false);
    params.set('realmId', '9341452000000002');
    expect((await startedProvider.client.completeSignIn({ ...attempt.stored, params })).realmId).toBeUndefined();
  });

  it('is chosen each time, because an authorisation is for one company', async () => {
    const startedProvider = await start();
    await signInAs(startedProvider, TESSA.email, accountingScopes);
    const { consent } = await openConsent(startedProvider, createAttempt(accountingScopes), { email: TESSA.email, full_name: 'x' });
    expect(consent.text).toContain('Company to connect');
  });
});

describe('Intuit’s tokens', () => {
  it('repeat the refresh token for a day and then change it, and the latest one must be stored', async () => {
    const startedProvider = await start();
    const { tokens } = await signInAs(startedProvider, TESSA.email);
    const first = tokens?.refreshToken ?? '';
    expect(tokens?.expiresAt).toBe('2027-03-03T11:00:00.000Z');
    startedProvider.moveClockBy(23 * 3_600_000);
    expect((await startedProvider.client.refresh(first)).refreshToken).toBe(first);
    startedProvider.moveClockBy(3_600_000);
    const second = (await startedProvider.client.refresh(first)).refreshToken ?? '';
    expect(second).not.toBe(first);
    expect(await describeFailure(startedProvider.client.refresh(first))).toBe('unauthorized invalid_grant');
    expect((await startedProvider.client.refresh(second)).refreshToken).toBe(second);
  });

  it('are extended to 101 days at each use, for up to five years', async () => {
    const startedProvider = await start();
    let { tokens } = await signInAs(startedProvider, TESSA.email);
    expect(tokens?.refreshExpiresAt).toBe('2027-06-12T10:00:00.000Z');
    let days = 0;
    for (; days + 100 < 5 * 365; days += 100) {
      startedProvider.moveClockBy(100 * 86_400_000);
      tokens = await startedProvider.client.refresh(tokens?.refreshToken ?? '');
    }
    // The token has only 25 of its 1,825 days left.
    expect(Date.parse(tokens?.refreshExpiresAt ?? '') - Date.parse('2027-03-03T10:00:00Z')).toBe(5 * 365 * 86_400_000);
    startedProvider.moveClockBy((5 * 365 - days) * 86_400_000);
    expect(await describeFailure(startedProvider.client.refresh(tokens?.refreshToken ?? ''))).toBe('unauthorized invalid_grant');
  });

  it('expire after 101 days without use', async () => {
    const startedProvider = await start();
    const token = (await signInAs(startedProvider, TESSA.email)).tokens?.refreshToken ?? '';
    startedProvider.moveClockBy(101 * 86_400_000);
    expect(await describeFailure(startedProvider.client.refresh(token))).toBe('unauthorized invalid_grant');
  });
});
