/** Checks that apply to sign-in with every provider. Each provider's test runs them against its simulator and adds its own. */
import { describe, expect, it } from 'vitest';
import {
  describeFailure,
  authoriseAs,
  createAttempt,
  openConsent,
  REDIRECT_URI,
  signInAs,
  startProvider,
  type StartedProvider,
  type ProviderUnderTest,
} from './start-provider.ts';

export type Expectations = {
  readonly codeMinutes: number;
  /** The expected failure and code for a wrong client secret. */
  readonly wrongSecret: string;
  readonly hasNonce: boolean;
  readonly hasPkce: boolean;
  readonly emailVerified: boolean;
};

const TESSA = { email: 'tessa@brightwell.example', fullName: 'Tessa Bright' };

export function checkSignIn(name: string, providerUnderTest: ProviderUnderTest, expected: Expectations): void {
  const start = async () => {
    const startedProvider = await startProvider(providerUnderTest);
    startedProvider.controls.seedPerson(TESSA);
    return startedProvider;
  };
  describe(`sign-in with ${name}`, () => {
    checkPeople(start, expected);
    checkPages(start, name);
    checkCodes(start, expected);
    checkFailures(start, expected);
  });
}

type StartProvider = () => Promise<StartedProvider>;

function checkPeople(start: StartProvider, expected: Expectations): void {
  it('returns an issuer and a subject that stay the same when name and address change', async () => {
    const startedProvider = await start();
    const first = await signInAs(startedProvider, TESSA.email);
    expect(first).toMatchObject({ provider: startedProvider.client.provider, ...TESSA, emailVerified: expected.emailVerified });
    startedProvider.controls.changePerson(TESSA.email, { email: 'tessa@new.example', fullName: 'Tessa New' });
    const second = await signInAs(startedProvider, 'tessa@new.example');
    expect([second.issuer, second.subject, second.email]).toEqual([first.issuer, first.subject, 'tessa@new.example']);
  });

  it('treats the next owner of an email address as another user', async () => {
    const startedProvider = await start();
    const first = await signInAs(startedProvider, TESSA.email);
    startedProvider.controls.changePerson(TESSA.email, { email: 'elsewhere@brightwell.example' });
    startedProvider.controls.seedPerson({ ...TESSA, fullName: 'Tina Bright' });
    const second = await signInAs(startedProvider, TESSA.email);
    expect(second.fullName).toBe('Tina Bright');
    expect(second.subject).not.toBe(first.subject);
  });
}

function checkPages(start: StartProvider, name: string): void {
  it('passes sign-in page and consent page and returns to the portal, with a newly created account', async () => {
    const startedProvider = await start();
    const attempt = createAttempt();
    const { browse, signInPage, consent, consentUrl } = await openConsent(startedProvider, attempt, {
      email: 'new@people.example',
      full_name: 'Nora <New>',
    });
    expect(signInPage).toContain(`This is not ${name}`);
    expect(signInPage).toContain('Tessa Bright');
    expect(consent.text).toContain('Nora &lt;New&gt;');
    expect(consent.text).toContain('Tidewater');
    const redirectLocation = (await browse(consentUrl, { decision: 'grant' })).location;
    expect(`${redirectLocation?.origin}${redirectLocation?.pathname}`).toBe(REDIRECT_URI);
    const identity = await startedProvider.client.completeSignIn({
      ...attempt.stored,
      params: redirectLocation?.searchParams ?? new URLSearchParams(),
    });
    expect(identity).toMatchObject({ email: 'new@people.example', fullName: 'Nora <New>' });
  });

  it('reports a user who declines as access_denied', async () => {
    const startedProvider = await start();
    const attempt = createAttempt();
    const { browse, consentUrl } = await openConsent(startedProvider, attempt, { email: 'no@people.example', full_name: 'Nina No' });
    const params = (await browse(consentUrl, { decision: 'deny' })).location?.searchParams ?? new URLSearchParams();
    expect(params.get('state')).toBe(attempt.stored.state);
    expect(await describeFailure(startedProvider.client.completeSignIn({ ...attempt.stored, params }))).toBe('refused access_denied');
  });

  it('requires an email address and a name on the sign-in page', async () => {
    const startedProvider = await start();
    const { consent } = await openConsent(startedProvider, createAttempt(), { email: 'nonsense', full_name: 'Nora' });
    expect(consent.status).toBe(400);
    expect(consent.text).toContain('Enter an email address');
    expect(startedProvider.controls.listPeople()).toHaveLength(1);
  });

  it('does not sign in a visitor who only knows the address of the decision page', async () => {
    const startedProvider = await start();
    const { url } = await startedProvider.client.authorizeUrl(createAttempt().question);
    const consent = `${startedProvider.publicUrl}/sandbox/consent${new URL(url).search}`;
    const response = await fetch(consent, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ decision: 'grant' }) });
    expect(response.headers.get('location')).toContain('/sandbox/sign-in?');
  });

  it('redirects only to registered addresses', async () => {
    const startedProvider = await start();
    const url = new URL((await startedProvider.client.authorizeUrl(createAttempt().question)).url);
    for (const redirectUri of [`${REDIRECT_URI}/`, 'https://evil.example/callback', `${REDIRECT_URI}?a=1`]) {
      url.searchParams.set('redirect_uri', redirectUri);
      const response = await fetch(url, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    }
  });
}

function checkCodes(start: StartProvider, expected: Expectations): void {
  it('exchanges a code only for the address to which it was sent', async () => {
    const startedProvider = await start();
    const attempt = createAttempt();
    const params = await authoriseAs(startedProvider, TESSA.email, attempt);
    const clientWithOtherUri = startedProvider.clientWith({ redirectUri: 'http://localhost:3999/elsewhere' });
    expect(await describeFailure(clientWithOtherUri.completeSignIn({ ...attempt.stored, params }))).toMatch(
      /invalid_grant|redirect_uri_mismatch/,
    );
  });

  it('works once for each code', async () => {
    const startedProvider = await start();
    const attempt = createAttempt();
    const params = await authoriseAs(startedProvider, TESSA.email, attempt);
    await startedProvider.client.completeSignIn({ ...attempt.stored, params });
    expect(await describeFailure(startedProvider.client.completeSignIn({ ...attempt.stored, params }))).toBe('unauthorized invalid_grant');
  });

  it(`accepts a code for ${expected.codeMinutes} minutes`, async () => {
    const startedProvider = await start();
    const attempt = createAttempt();
    const params = await authoriseAs(startedProvider, TESSA.email, attempt);
    const lateAttempt = createAttempt();
    const lateParams = await authoriseAs(startedProvider, TESSA.email, lateAttempt);
    startedProvider.moveClockBy(expected.codeMinutes * 60_000 - 1);
    await startedProvider.client.completeSignIn({ ...attempt.stored, params });
    startedProvider.moveClockBy(1);
    expect(await describeFailure(startedProvider.client.completeSignIn({ ...lateAttempt.stored, params: lateParams }))).toBe(
      'unauthorized invalid_grant',
    );
  });

  it.each([
    ['another state', (params: URLSearchParams) => params.set('state', 'somebody-else')],
    ['no state', (params: URLSearchParams) => params.delete('state')],
    ['two states', (params: URLSearchParams) => params.append('state', 'a second one')],
  ])('rejects a callback with %s before the code is used', async (_name, change) => {
    const startedProvider = await start();
    const attempt = createAttempt();
    const params = await authoriseAs(startedProvider, TESSA.email, attempt);
    const changedParams = new URLSearchParams(params);
    change(changedParams);
    expect(await describeFailure(startedProvider.client.completeSignIn({ ...attempt.stored, params: changedParams }))).toBe(
      'refused state_mismatch',
    );
    expect((await startedProvider.client.completeSignIn({ ...attempt.stored, params })).email).toBe(TESSA.email);
  });

  if (expected.hasNonce) {
    it('rejects an ID token from another attempt', async () => {
      const startedProvider = await start();
      expect(await describeFailure(signInAs(startedProvider, TESSA.email, [], { nonce: 'another' }))).toBe('refused nonce_mismatch');
    });
  }

  if (expected.hasPkce) {
    it('rejects a code with a wrong verifier', async () => {
      const startedProvider = await start();
      const otherVerifier = 'a-verifier-of-at-least-forty-three-characters-0';
      expect(await describeFailure(signInAs(startedProvider, TESSA.email, [], { codeVerifier: otherVerifier }))).toBe(
        'unauthorized invalid_grant',
      );
    });
  }
}

function checkFailures(start: StartProvider, expected: Expectations): void {
  it('reports a wrong client secret as a configuration error', async () => {
    const startedProvider = await start();
    const attempt = createAttempt();
    const params = await authoriseAs(startedProvider, TESSA.email, attempt);
    const client = startedProvider.clientWith({ clientSecret: 'wrong' });
    expect(await describeFailure(client.completeSignIn({ ...attempt.stored, params }))).toBe(expected.wrongSecret);
  });

  it('says whether a lost or unusable response may have used up the code', async () => {
    const startedProvider = await start();
    const operation = `${startedProvider.client.provider}.token`;
    const attempt = async (kind: 'too_many' | 'server_error' | 'malformed_body' | 'timeout_after_work') => {
      startedProvider.faults.set({ operation, kind, times: 1 });
      return describeFailure(signInAs(startedProvider, TESSA.email));
    };
    expect(await attempt('too_many')).toBe('throttled');
    expect(await attempt('server_error')).toBe('unknown');
    expect(await attempt('malformed_body')).toBe('unknown');
    expect(await attempt('timeout_after_work')).toBe('unknown');
    await signInAs(startedProvider, TESSA.email);
  });

  it('has no secrets in errors', async () => {
    const startedProvider = await start();
    const attempt = createAttempt();
    const params = await authoriseAs(startedProvider, TESSA.email, attempt);
    const error = await startedProvider
      .clientWith({ clientSecret: 'a-secret-never-shown' })
      .completeSignIn({ ...attempt.stored, params })
      .catch((thrown: unknown) => thrown);
    const errorText = JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error instanceof Error ? error.cause : '');
    for (const secret of ['a-secret-never-shown', params.get('code') ?? '?', attempt.stored.codeVerifier])
      expect(errorText).not.toContain(secret);
  });
}
