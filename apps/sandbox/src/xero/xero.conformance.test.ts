/** Tests Xero's special rules (docs/reference/providers.md section 1) over real HTTP against the simulator. */
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { checkSignIn } from '../oidc/testing/check-sign-in.ts';
import { toUrl, describeFailure, authoriseAs, createAttempt, signInAs, startProvider } from '../oidc/testing/start-provider.ts';
import { createXeroSignIn, XERO_BROWSER_URL } from '@portal/providers/xero/xero-client.ts';
import { createXeroSimulator, SANDBOX_XERO, XERO_BASE_PATH } from './xero-simulator.ts';

const xero = { basePath: XERO_BASE_PATH, credentials: SANDBOX_XERO, createSimulator: createXeroSimulator, createClient: createXeroSignIn };
const READ_SCOPE = 'accounting.invoices.read';
const TESSA = { email: 'tessa@brightwell.example', fullName: 'Tessa Bright' };

async function start() {
  const startedProvider = await startProvider(xero);
  startedProvider.controls.seedPerson(TESSA);
  return startedProvider;
}

checkSignIn('Xero', xero, {
  codeMinutes: 5,
  wrongSecret: 'refused invalid_client',
  hasNonce: true,
  hasPkce: true,
  // Xero's ID token doesn't say whether the email address is verified.
  emailVerified: false,
});

describe('Xero', () => {
  it('sends the browser to login.xero.com and all other calls to identity.xero.com', async () => {
    const startedProvider = await start();
    const { url } = await startedProvider.clientWith({ browserUrl: XERO_BROWSER_URL }).authorizeUrl(createAttempt().question);
    expect(url).toMatch(/^https:\/\/login\.xero\.com\/identity\/connect\/authorize\?/);
    const requestedUrls: string[] = [];
    const { serverUrl: _simulator, ...production } = startedProvider.clientDeps;
    const realClient = createXeroSignIn({
      ...production,
      fetch: async (input) => {
        requestedUrls.push(toUrl(input));
        return new Response(null, { status: 503 });
      },
    });
    expect(await describeFailure(realClient.authorizeUrl(createAttempt().question))).toBe('unavailable');
    expect(requestedUrls).toEqual(['https://identity.xero.com/.well-known/openid-configuration']);
  });

  it('requests only openid, profile and email for a plain sign-in', async () => {
    const startedProvider = await start();
    const { url } = await startedProvider.client.authorizeUrl(createAttempt().question);
    expect(new URL(url).searchParams.get('scope')).toBe('openid profile email');
    const { tokens } = await signInAs(startedProvider, TESSA.email);
    expect(tokens?.refreshToken).toBeUndefined();
    expect(decodeJwt(tokens?.accessToken ?? '')).toMatchObject({ scope: ['openid', 'profile', 'email'] });
  });

  it('accepts only the granular scopes', async () => {
    const startedProvider = await start();
    const attempt = createAttempt(['accounting.transactions']);
    const params = await authoriseAs(startedProvider, TESSA.email, attempt);
    expect(await describeFailure(startedProvider.client.completeSignIn({ ...attempt.stored, params }))).toBe('refused invalid_scope');
  });

  it.each(['http://127.0.0.1:3999/callback', 'http://portal.example/callback', 'http://[::1]:3999/callback'])(
    'rejects the registered redirect URI %s',
    async (redirectUri) => {
      const startedProvider = await startProvider(xero, redirectUri);
      startedProvider.controls.seedPerson(TESSA);
      await expect(authoriseAs(startedProvider, TESSA.email, createAttempt())).rejects.toThrow('invalid_redirect_uri');
    },
  );

  it('accepts an https redirect URI', async () => {
    const startedProvider = await startProvider(xero, 'https://portal.example/portal/xero/callback');
    startedProvider.controls.seedPerson(TESSA);
    expect((await signInAs(startedProvider, TESSA.email)).email).toBe(TESSA.email);
  });

  it('authenticates the client by HTTP Basic only, with any characters in the secret', async () => {
    const startedProvider = await start();
    await signInAs(startedProvider, TESSA.email);
    const token = startedProvider.requests.find(({ url }) => url.pathname === '/xero/connect/token');
    expect(token?.headers.get('authorization')).toBe(`Basic ${btoa(`${SANDBOX_XERO.clientId}:${SANDBOX_XERO.clientSecret}`)}`);
    expect(token?.body).not.toContain('client_secret');
  });

  it('issues an ID token that is valid for five minutes by the portal’s clock', async () => {
    const startedProvider = await start();
    const attempt = createAttempt();
    const params = await authoriseAs(startedProvider, TESSA.email, attempt);
    await signInAs(startedProvider, TESSA.email);
    startedProvider.forgeIdTokens((claims) => ({ claims: { ...claims, iat: (claims.iat ?? 0) - 400, exp: (claims.exp ?? 0) - 400 } }));
    expect(await describeFailure(startedProvider.client.completeSignIn({ ...attempt.stored, params }))).toBe('refused id_token_invalid');
  });

  it('notices immediately when the sandbox clock is moved', async () => {
    const startedProvider = await start();
    await signInAs(startedProvider, TESSA.email);
    startedProvider.moveClockBy(400 * 86_400_000);
    expect((await signInAs(startedProvider, TESSA.email)).email).toBe(TESSA.email);
    startedProvider.moveClockBy(-800 * 86_400_000);
    expect((await signInAs(startedProvider, TESSA.email)).email).toBe(TESSA.email);
  });

  it('issues a new refresh token each time, and the old one works for another 30 minutes', async () => {
    const startedProvider = await start();
    const { tokens } = await signInAs(startedProvider, TESSA.email, [READ_SCOPE]);
    const first = tokens?.refreshToken ?? '';
    expect(tokens?.refreshExpiresAt).toBe('2027-05-02T10:00:00.000Z');
    const second = (await startedProvider.client.refresh(first)).refreshToken ?? '';
    expect(second).not.toBe(first);
    startedProvider.moveClockBy(29 * 60_000);
    const third = (await startedProvider.client.refresh(first)).refreshToken ?? '';
    expect([first, second]).not.toContain(third);
    startedProvider.moveClockBy(60_000);
    expect(await describeFailure(startedProvider.client.refresh(first))).toBe('unauthorized invalid_grant');
    expect((await startedProvider.client.refresh(second)).refreshToken).toBeDefined();
    expect((await startedProvider.client.refresh(third)).expiresAt).toBe('2027-03-03T11:00:00.000Z');
  });

  it('ends a refresh token 60 days after it was issued', async () => {
    const startedProvider = await start();
    const token = (await signInAs(startedProvider, TESSA.email, [READ_SCOPE])).tokens?.refreshToken ?? '';
    startedProvider.moveClockBy(60 * 86_400_000);
    expect(await describeFailure(startedProvider.client.refresh(token))).toBe('unauthorized invalid_grant');
  });
});
