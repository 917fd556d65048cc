/** Tests FreeAgent's special rules (docs/reference/providers.md section 3) over real HTTP against the simulator. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { checkSignIn } from '../oidc/testing/check-sign-in.ts';
import { createAttempt, describeFailure, openConsent, signInAs, startProvider } from '../oidc/testing/start-provider.ts';
import type { SignInDeps } from '@portal/providers/oidc/sign-in-port.ts';
import { createFreeAgentSignIn } from '@portal/providers/freeagent/freeagent-client.ts';
import { createFreeAgentSimulator, FREEAGENT_BASE_PATH, SANDBOX_FREEAGENT } from './freeagent-simulator.ts';

const freeAgent = {
  basePath: FREEAGENT_BASE_PATH,
  credentials: SANDBOX_FREEAGENT,
  createSimulator: createFreeAgentSimulator,
  createClient: (deps: SignInDeps) => createFreeAgentSignIn({ ...deps, userAgent: 'Tidewater portal (support@portal.example)' }),
};
const TESSA = { email: 'tessa@brightwell.example', fullName: 'Tessa Bright' };

async function start() {
  const startedProvider = await startProvider(freeAgent);
  startedProvider.controls.seedPerson(TESSA);
  return startedProvider;
}

checkSignIn('FreeAgent', freeAgent, {
  codeMinutes: 15,
  wrongSecret: 'refused invalid_client',
  hasNonce: false,
  hasPkce: false,
  // FreeAgent's API doesn't say whether the email address is verified.
  emailVerified: false,
});

describe('FreeAgent', () => {
  it('has no OpenID Connect: the user’s API URL identifies the user', async () => {
    const identity = await signInAs(await start(), TESSA.email);
    expect(identity.issuer).toBe('https://api.freeagent.com/v2');
    expect(identity.subject).toMatch(/^https:\/\/api\.freeagent\.com\/v2\/users\/\d+$/);
  });

  it('is sent no scope', async () => {
    const { url } = await (await start()).client.authorizeUrl(createAttempt(['everything']).question);
    expect([...new URL(url).searchParams.keys()]).toEqual(['client_id', 'response_type', 'redirect_uri', 'state']);
  });

  it('receives a User-Agent with each call and accepts the client only by HTTP Basic', async () => {
    const startedProvider = await start();
    await signInAs(startedProvider, TESSA.email);
    expect(startedProvider.requests.map(({ url, headers }) => [url.pathname, headers.get('user-agent')])).toEqual([
      ['/freeagent/v2/token_endpoint', 'Tidewater portal (support@portal.example)'],
      ['/freeagent/v2/users/me', 'Tidewater portal (support@portal.example)'],
    ]);
    const [token] = startedProvider.requests;
    expect(token?.headers.get('authorization')).toBe(`Basic ${btoa(`${SANDBOX_FREEAGENT.clientId}:${SANDBOX_FREEAGENT.clientSecret}`)}`);
    expect(token?.body).not.toContain('client_secret');
    const bodyCredentialsResponse = await fetch(`${startedProvider.publicUrl}/v2/token_endpoint`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: 'x',
        client_id: SANDBOX_FREEAGENT.clientId,
        client_secret: SANDBOX_FREEAGENT.clientSecret,
      }),
    });
    expect(bodyCredentialsResponse.status).toBe(401);
  });

  it('rejects calls without a User-Agent', async () => {
    const startedProvider = await start();
    const status = await new Promise((resolve, reject) => {
      request(`${startedProvider.publicUrl}/v2/users/me`, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(400);
  });

  it('returns no user without a valid access token', async () => {
    const startedProvider = await start();
    const { tokens } = await signInAs(startedProvider, TESSA.email);
    const getUser = () =>
      fetch(`${startedProvider.publicUrl}/v2/users/me`, { headers: { authorization: `Bearer ${tokens?.accessToken}` } });
    expect((await getUser()).status).toBe(200);
    startedProvider.moveClockBy(3_600_000);
    expect((await getUser()).status).toBe(401);
  });

  it('is not trusted when it names a user outside its API', async () => {
    const startedProvider = await start();
    startedProvider.controls.seedPerson({ email: 'odd@people.example', fullName: 'Odd', subject: 'https://evil.example/v2/users/1' });
    expect(await describeFailure(signInAs(startedProvider, 'odd@people.example'))).toBe('unavailable');
  });

  it('issues a new refresh token with each refresh, valid for about twenty years', async () => {
    const startedProvider = await start();
    const { tokens } = await signInAs(startedProvider, TESSA.email);
    const first = tokens?.refreshToken ?? '';
    expect(tokens?.expiresAt).toBe('2027-03-03T11:00:00.000Z');
    expect(tokens?.refreshExpiresAt).toMatch(/^2047-/);
    const second = (await startedProvider.client.refresh(first)).refreshToken ?? '';
    expect(second).not.toBe(first);
    expect(await describeFailure(startedProvider.client.refresh(first))).toBe('unauthorized invalid_grant');
    startedProvider.moveClockBy(19 * 365 * 86_400_000);
    expect((await startedProvider.client.refresh(second)).refreshToken).toBeDefined();
  });

  it('asks for approval each time', async () => {
    const startedProvider = await start();
    const person = { email: 'often@people.example', full_name: 'Olaf Often' };
    const { browse, consentUrl } = await openConsent(startedProvider, createAttempt(), person);
    await browse(consentUrl, { decision: 'grant' });
    expect((await openConsent(startedProvider, createAttempt(), person)).consent.text).toContain('Allow Tidewater?');
  });
});
