/** Tests Google's special rules (docs/reference/providers.md section 4) over real HTTP against the simulator. */
import { describe, expect, it } from 'vitest';
import { checkSignIn } from '../oidc/testing/check-sign-in.ts';
import {
  toUrl,
  describeFailure,
  authoriseAs,
  createAttempt,
  openConsent,
  signInAs,
  startProvider,
} from '../oidc/testing/start-provider.ts';
import { createGoogleSignIn } from '@portal/providers/google/google-client.ts';
import { createGoogleSimulator, GOOGLE_BASE_PATH, SANDBOX_GOOGLE } from './google-simulator.ts';

const google = {
  basePath: GOOGLE_BASE_PATH,
  credentials: SANDBOX_GOOGLE,
  createSimulator: createGoogleSimulator,
  createClient: createGoogleSignIn,
};
const SEND_SCOPE = 'https://www.googleapis.com/auth/gmail.send';
const TESSA = { email: 'tessa@brightwell.example', fullName: 'Tessa Bright' };

async function start() {
  const startedProvider = await startProvider(google);
  startedProvider.controls.seedPerson(TESSA);
  return startedProvider;
}

checkSignIn('Google', google, {
  codeMinutes: 10,
  wrongSecret: 'refused invalid_client',
  hasNonce: true,
  hasPkce: true,
  emailVerified: true,
});

describe('Google', () => {
  it('is found by discovery at the simulator and identified by its real issuer', async () => {
    const startedProvider = await start();
    const identity = await signInAs(startedProvider, TESSA.email);
    expect(identity.issuer).toBe('https://accounts.google.com');
    expect(identity.subject).toMatch(/^1\d{20}$/);
    expect(startedProvider.requests.map(({ url }) => url.pathname)).toEqual([
      '/google/.well-known/openid-configuration',
      '/google/token',
      '/google/oauth2/v3/certs',
    ]);
  });

  it('reports an email address as unverified when Google has not verified it', async () => {
    const startedProvider = await start();
    startedProvider.controls.seedPerson({ email: 'unsure@people.example', fullName: 'Una Unsure', emailVerified: false });
    expect(await signInAs(startedProvider, 'unsure@people.example')).toMatchObject({
      email: 'unsure@people.example',
      emailVerified: false,
    });
  });

  it('treats the email address as unverified when the ID token does not say', async () => {
    const startedProvider = await start();
    await signInAs(startedProvider, TESSA.email);
    startedProvider.forgeIdTokens(({ email_verified: _emailVerified, ...claims }) => ({ claims }));
    expect((await signInAs(startedProvider, TESSA.email)).emailVerified).toBe(false);
  });

  it.each([
    ['issuer', { iss: 'https://evil.example' }],
    ['audience', { aud: 'another-application' }],
    ['expiry', { exp: Date.parse('2027-03-03T09:00:00Z') / 1000 }],
  ])('rejects an ID token with a wrong %s', async (_name, change) => {
    const startedProvider = await start();
    await signInAs(startedProvider, TESSA.email);
    startedProvider.forgeIdTokens((claims) => ({ claims: { ...claims, ...change } }));
    expect(await describeFailure(signInAs(startedProvider, TESSA.email))).toBe('refused id_token_invalid');
  });

  it('rejects an ID token that none of Google’s keys has signed', async () => {
    const startedProvider = await start();
    const client = startedProvider.clientWith({
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (!toUrl(input).endsWith('/token')) return response;
        const body = (await response.json()) as { id_token: string };
        const [header, claims] = body.id_token.split('.');
        return Response.json({ ...body, id_token: `${header}.${claims}.${'A'.repeat(342)}` });
      },
    });
    const attempt = createAttempt();
    const params = await authoriseAs(startedProvider, TESSA.email, attempt);
    expect(await describeFailure(client.completeSignIn({ ...attempt.stored, params }))).toBe('refused id_token_invalid');
  });

  it('issues no refresh token for a plain sign-in', async () => {
    expect((await signInAs(await start(), TESSA.email)).tokens).toMatchObject({
      expiresAt: '2027-03-03T10:59:59.000Z',
      missingScopes: [],
    });
    expect((await signInAs(await start(), TESSA.email)).tokens?.refreshToken).toBeUndefined();
  });

  it('keeps the refresh token when a refresh does not repeat it', async () => {
    const startedProvider = await start();
    const { tokens } = await signInAs(startedProvider, TESSA.email, [SEND_SCOPE]);
    const before = tokens?.refreshToken ?? '';
    const renewedTokens = await startedProvider.client.refresh(before);
    expect(before).not.toBe('');
    expect(renewedTokens.refreshToken).toBe(before);
    expect(renewedTokens.accessToken).not.toBe(tokens?.accessToken);
    expect((await startedProvider.client.refresh(before)).refreshToken).toBe(before);
  });

  it('requests prompt=consent, because a second consent brings no refresh token without it', async () => {
    const startedProvider = await start();
    expect((await signInAs(startedProvider, TESSA.email, [SEND_SCOPE])).tokens?.refreshToken).toBeDefined();
    expect((await signInAs(startedProvider, TESSA.email, [SEND_SCOPE])).tokens?.refreshToken).toBeDefined();
    const attempt = createAttempt([SEND_SCOPE]);
    const params = await authoriseAs(startedProvider, TESSA.email, attempt, { prompt: 'select_account' });
    expect((await startedProvider.client.completeSignIn({ ...attempt.stored, params })).tokens?.refreshToken).toBeUndefined();
  });

  it('reports the scopes that the user has cleared', async () => {
    const startedProvider = await start();
    const attempt = createAttempt([SEND_SCOPE]);
    const { browse, consentUrl, consent } = await openConsent(startedProvider, attempt, {
      email: 'picky@people.example',
      full_name: 'Pia Picky',
    });
    expect(consent.text).toContain('send email on your behalf');
    const params = (await browse(consentUrl, { decision: 'grant' })).location?.searchParams ?? new URLSearchParams();
    expect((await startedProvider.client.completeSignIn({ ...attempt.stored, params })).tokens?.missingScopes).toEqual([SEND_SCOPE]);
    const secondAttempt = createAttempt([SEND_SCOPE]);
    const partialConsent = (await openConsent(startedProvider, secondAttempt, { email: 'picky@people.example', full_name: 'Pia Picky' }))
      .browse;
    const { url } = await startedProvider.client.authorizeUrl(secondAttempt.question);
    const redirectResponse = await partialConsent(`${startedProvider.publicUrl}/sandbox/consent${new URL(url).search}`, {
      decision: 'grant',
      scope: SEND_SCOPE,
    });
    const identity = await startedProvider.client.completeSignIn({
      ...secondAttempt.stored,
      params: redirectResponse.location?.searchParams ?? new URLSearchParams(),
    });
    expect(identity.tokens?.missingScopes).toEqual([]);
  });

  it('does not ask again for scopes that were granted before', async () => {
    const startedProvider = await start();
    const person = { email: 'often@people.example', full_name: 'Olaf Often' };
    const { browse, consentUrl } = await openConsent(startedProvider, createAttempt(), person);
    await browse(consentUrl, { decision: 'grant' });
    const secondConsent = await openConsent(startedProvider, createAttempt(), person);
    expect(secondConsent.consent.location?.searchParams.get('code')).toBeTruthy();
  });

  it('ends a refresh token after six unused months and when access is revoked', async () => {
    const startedProvider = await start();
    const token = (await signInAs(startedProvider, TESSA.email, [SEND_SCOPE])).tokens?.refreshToken ?? '';
    startedProvider.moveClockBy(181 * 86_400_000);
    await startedProvider.client.refresh(token);
    startedProvider.moveClockBy(181 * 86_400_000);
    await startedProvider.client.refresh(token);
    startedProvider.moveClockBy(183 * 86_400_000);
    expect(await describeFailure(startedProvider.client.refresh(token))).toBe('unauthorized invalid_grant');
    const second = (await signInAs(startedProvider, TESSA.email, [SEND_SCOPE])).tokens?.refreshToken ?? '';
    startedProvider.controls.revokeAccess(TESSA.email);
    expect(await describeFailure(startedProvider.client.refresh(second))).toBe('unauthorized invalid_grant');
  });

  it('never reaches the real Google when the simulator is in use', async () => {
    const startedProvider = await start();
    const client = startedProvider.clientWith({
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (!toUrl(input).includes('openid-configuration')) return response;
        return Response.json({ ...((await response.json()) as object), token_endpoint: 'https://elsewhere.example/token' });
      },
    });
    const attempt = createAttempt();
    const params = await authoriseAs(startedProvider, TESSA.email, attempt);
    expect(await describeFailure(client.completeSignIn({ ...attempt.stored, params }))).toBe('refused');
  });

  it('is unavailable when discovery fails, and tries again at the next attempt', async () => {
    const startedProvider = await start();
    startedProvider.faults.set({ operation: 'google.discovery', kind: 'server_error', times: 1 });
    expect(await describeFailure(startedProvider.client.authorizeUrl(createAttempt().question))).toBe('unavailable');
    expect((await startedProvider.client.authorizeUrl({ state: 's', loginHint: TESSA.email })).url).toContain('login_hint=tessa%40');
  });
});
