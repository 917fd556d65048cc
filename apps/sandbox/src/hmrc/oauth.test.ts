/** Tests OAuth at HMRC: the browser flow, every token endpoint error and token lifetimes. See docs/reference/hmrc.md section 2. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createHmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import { expectProviderError } from './testing/filing.ts';
import {
  connectTrader,
  createOrganisation,
  requestCode,
  REDIRECT_URI,
  requestToken,
  startHmrc,
  type StartedHmrc,
} from './testing/start-hmrc.ts';

const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-0';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

function buildAuthorizeUrl(hmrc: StartedHmrc, change: Record<string, string | undefined> = {}): URL {
  const url = new URL(hmrc.client.authorizeUrl({ state: 'a state', scopes: ['read:vat', 'write:vat'] }));
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url;
}

/** Creates a browser that stores cookies and doesn't follow redirects. */
function openBrowser() {
  let cookie = '';
  return async (address: string | URL, form?: Record<string, string>) => {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
  };
}

function readAttribute(html: string, pattern: RegExp): string {
  return (pattern.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
}

describe('authorising in the browser', () => {
  it('leads through start page, sign-in and decision back to the application, with a code', async () => {
    const hmrc = await startHmrc();
    const user = await createOrganisation(hmrc);
    const browse = openBrowser();
    const start = await browse(buildAuthorizeUrl(hmrc));
    expect(start.text).toContain('This is not HMRC');
    const signInRedirect = await browse(readAttribute(start.text, /class="button" href="([^"]+)"/));
    expect(signInRedirect.status).toBe(303);
    const signIn = await browse(signInRedirect.location);
    expect(signIn.text).toContain(user.vrn);
    const action = readAttribute(signIn.text, /form method="post" action="([^"]+)"/);
    expect((await browse(action, { userId: user.userId, password: 'wrong' })).status).toBe(400);
    const signedIn = await browse(action, { userId: user.userId, password: user.password });
    const decision = await browse(new URL(signedIn.location, hmrc.wwwUrl));
    expect(decision.text).toContain('Give permission');
    const decide = readAttribute(decision.text, /form method="post" action="([^"]+)"/);
    const deniedRedirect = new URL((await browse(decide, { decision: 'deny' })).location);
    expect(`${deniedRedirect.origin}${deniedRedirect.pathname}`).toBe(REDIRECT_URI);
    expect(Object.fromEntries(deniedRedirect.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'user denied the authorization',
      error_code: 'USER_DENIED_AUTHORIZATION',
      state: 'a state',
    });
    const grantedUrl = new URL((await browse(decide, { decision: 'grant' })).location);
    expect(grantedUrl.searchParams.get('state')).toBe('a state');
    const tokens = await hmrc.client.exchangeCode({ code: grantedUrl.searchParams.get('code') ?? '' });
    expect(tokens).toMatchObject({ scopes: ['read:vat', 'write:vat'], expiresAt: '2026-11-18T14:00:00.000Z' });
  });

  it('does not sign in a visitor who only knows the address of the decision page', async () => {
    const hmrc = await startHmrc();
    const address = buildAuthorizeUrl(hmrc);
    address.pathname = '/hmrc-www/oauth/grant';
    const consentResponse = await openBrowser()(address, { decision: 'grant' });
    expect(consentResponse.location).toContain('/sign-in?continue=');
  });

  it.each([
    [{ client_id: undefined }, 'invalid_request'],
    [{ client_id: 'someone-else' }, 'invalid_request'],
    [{ redirect_uri: undefined }, 'invalid_request'],
    [{ redirect_uri: `${REDIRECT_URI}/` }, 'invalid_request'],
    [{ redirect_uri: 'https://evil.example/callback' }, 'invalid_request'],
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ scope: undefined }, 'invalid_request'],
    [{ scope: 'read:vat read:everything' }, 'invalid_scope'],
    [{ client_secret: 'sandbox-client-secret' }, 'invalid_request'],
    [{ code_challenge: CHALLENGE }, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge: CHALLENGE, code_challenge_method: 'plain' }, 'invalid_request'],
  ])('rejects %j in the browser and never redirects', async (change, error) => {
    const hmrc = await startHmrc();
    const response = await fetch(buildAuthorizeUrl(hmrc, change), { redirect: 'manual' });
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ error })]);
    const pageResponse = await fetch(buildAuthorizeUrl(hmrc, change), { redirect: 'manual', headers: { accept: 'text/html' } });
    expect([pageResponse.status, pageResponse.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  });
});

describe('the token endpoint', () => {
  it('requires the PKCE verifier when a challenge was sent, and only then', async () => {
    const hmrc = await startHmrc();
    const { userId } = await createOrganisation(hmrc);
    const exchange = async (challenge: Record<string, string>, verifier?: string) => {
      const code = await requestCode(hmrc, userId, challenge);
      const form = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code };
      const reply = await requestToken(hmrc, { ...form, ...(verifier === undefined ? {} : { code_verifier: verifier }) });
      return `${reply.status} ${((await reply.json()) as { error?: string }).error ?? ''}`.trim();
    };
    const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };
    expect(await exchange(pkce, VERIFIER)).toBe('200');
    expect(await exchange(pkce)).toBe('400 invalid_request');
    expect(await exchange(pkce, 'short')).toBe('400 invalid_request');
    expect(await exchange(pkce, `${VERIFIER}x`)).toBe('400 invalid_grant');
    expect(await exchange({}, VERIFIER)).toBe('400 invalid_request');
  });

  it('accepts a code once, within ten minutes and for the same redirect address', async () => {
    const hmrc = await startHmrc();
    const { userId } = await createOrganisation(hmrc);
    const buildForm = async (change: Record<string, string> = {}) => ({
      grant_type: 'authorization_code',
      redirect_uri: REDIRECT_URI,
      code: await requestCode(hmrc, userId),
      ...change,
    });
    const singleUseForm = await buildForm();
    expect((await requestToken(hmrc, singleUseForm)).status).toBe(200);
    expect(await (await requestToken(hmrc, singleUseForm)).json()).toMatchObject({ error: 'invalid_request' });
    expect((await requestToken(hmrc, await buildForm({ redirect_uri: 'http://localhost:3999/other' }))).status).toBe(400);
    const lateForm = await buildForm();
    hmrc.moveClock('2026-11-18T10:10:01Z');
    expect((await requestToken(hmrc, lateForm)).status).toBe(400);
  });

  it.each([
    [{ client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ client_id: 'wrong' }, 401, 'invalid_client'],
    [{ client_secret: '' }, 400, 'invalid_request'],
    [{ grant_type: '' }, 400, 'invalid_request'],
    [{ grant_type: 'password' }, 400, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 400, 'invalid_request'],
    [{ grant_type: 'refresh_token', refresh_token: 'none' }, 400, 'invalid_grant'],
    [{ grant_type: 'authorization_code', code: 'none', redirect_uri: REDIRECT_URI }, 400, 'invalid_request'],
  ])('rejects %j with %s %s', async (form, status, error) => {
    const reply = await requestToken(await startHmrc(), { grant_type: 'client_credentials', ...form });
    expect([reply.status, await reply.json()]).toEqual([status, expect.objectContaining({ error })]);
  });

  it('reads credentials only from the form', async () => {
    const hmrc = await startHmrc();
    const reply = await fetch(`${hmrc.apiUrl}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('sandbox-client-id:sandbox-client-secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(reply.status).toBe(400);
  });
});

describe('the lifetime of tokens', () => {
  it('is four hours; a refresh works once, issues new tokens and ends the old access token at once', async () => {
    const hmrc = await startHmrc();
    const { user, call, refreshToken } = await connectTrader(hmrc);
    const newTokens = await hmrc.client.refresh(refreshToken);
    const oldTokenError = await expectProviderError(hmrc.client.listObligations(call, user.vrn, { status: 'open' }));
    expect([oldTokenError.failure, oldTokenError.facts.code]).toEqual(['unauthorized', 'INVALID_CREDENTIALS']);
    const freshCall = { ...call, accessToken: newTokens.accessToken };
    expect(await hmrc.client.listObligations(freshCall, user.vrn, { status: 'open' })).toHaveLength(2);
    expect((await expectProviderError(hmrc.client.refresh(refreshToken))).failure).toBe('unauthorized');
    hmrc.moveClock('2026-11-18T14:00:00Z');
    expect((await expectProviderError(hmrc.client.listObligations(freshCall, user.vrn, { status: 'open' }))).facts.code).toBe(
      'INVALID_CREDENTIALS',
    );
    expect((await hmrc.client.refresh(newTokens.refreshToken)).expiresAt).toBe('2026-11-18T18:00:00.000Z');
  });

  it('allows exactly one of two simultaneous refreshes', async () => {
    const hmrc = await startHmrc();
    const { refreshToken } = await connectTrader(hmrc);
    const outcomes = await Promise.allSettled([hmrc.client.refresh(refreshToken), hmrc.client.refresh(refreshToken)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(hmrc.controls.readStatistics()).toMatchObject({ refreshed: 1, refreshRefused: 1, throttled: 0 });
  });

  it('ends with the authorisation: 18 months after consent, or when the user revokes it', async () => {
    const hmrc = await startHmrc();
    const { refreshToken } = await connectTrader(hmrc);
    hmrc.moveClock('2028-05-18T09:59:00Z');
    const newTokens = await hmrc.client.refresh(refreshToken);
    hmrc.moveClock('2028-05-18T10:01:00Z');
    const endedError = await expectProviderError(hmrc.client.refresh(newTokens.refreshToken));
    expect([endedError.failure, endedError.facts.code]).toEqual(['unauthorized', 'invalid_grant']);

    const { user, call, refreshToken: otherRefreshToken } = await connectTrader(hmrc);
    expect(hmrc.controls.revokeGrant(user.userId)).toBe(1);
    expect((await expectProviderError(hmrc.client.findVatInformation(call, user.vrn))).failure).toBe('unauthorized');
    expect((await expectProviderError(hmrc.client.refresh(otherRefreshToken))).failure).toBe('unauthorized');
  });

  it('distinguishes a wrong client secret from an ended authorisation', async () => {
    const hmrc = await startHmrc();
    const client = createHmrcClient({ ...hmrc.clientDeps, clientSecret: 'wrong' });
    const error = await expectProviderError(client.refresh('any'));
    expect([error.failure, error.facts.code]).toEqual(['refused', 'invalid_client']);
  });
});
