/** Tests Microsoft's special rules (docs/reference/providers.md section 5) over real HTTP against the simulator. */
import { describe, expect, it } from 'vitest';
import { checkSignIn } from '../oidc/testing/check-sign-in.ts';
import { createAttempt, describeFailure, signInAs, startProvider } from '../oidc/testing/start-provider.ts';
import { createMicrosoftSignIn } from '@portal/providers/microsoft/microsoft-client.ts';
import { createMicrosoftSimulator, MICROSOFT_BASE_PATH, SANDBOX_MICROSOFT } from './microsoft-simulator.ts';
import { CONSUMER_TENANT } from '@portal/providers/microsoft/microsoft-wire.ts';

const microsoft = {
  basePath: MICROSOFT_BASE_PATH,
  credentials: SANDBOX_MICROSOFT,
  createSimulator: createMicrosoftSimulator,
  createClient: createMicrosoftSignIn,
};
const TENANT_ID = '4b1f2f0e-1111-4c1d-a111-0123456789ab';
const OTHER_TENANT_ID = '9d0c2f0e-2222-4c1d-a222-0123456789ab';
const TESSA = { email: 'tessa@brightwell.example', fullName: 'Tessa Bright', tenantId: TENANT_ID };
const PENNY = { email: 'penny@outlook.com', fullName: 'Penny Personal' };

async function start() {
  const startedProvider = await startProvider(microsoft);
  startedProvider.controls.seedPerson(TESSA);
  startedProvider.controls.seedPerson(PENNY);
  return startedProvider;
}

checkSignIn('Microsoft', microsoft, {
  codeMinutes: 10,
  wrongSecret: 'refused invalid_client',
  hasNonce: true,
  hasPkce: true,
  // Email addresses from Microsoft are never trusted.
  emailVerified: false,
});

describe('Microsoft’s issuer', () => {
  it('is published with {tenantid} and identified by the token’s tenant', async () => {
    const startedProvider = await start();
    const publishedConfiguration = (await (
      await fetch(`${startedProvider.publicUrl}/common/v2.0/.well-known/openid-configuration`)
    ).json()) as object;
    expect(publishedConfiguration).toMatchObject({ issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' });
    expect((await signInAs(startedProvider, TESSA.email)).issuer).toBe(`https://login.microsoftonline.com/${TENANT_ID}/v2.0`);
    expect((await signInAs(startedProvider, PENNY.email)).issuer).toBe(`https://login.microsoftonline.com/${CONSUMER_TENANT}/v2.0`);
    // Our client never calls a URL that ends in a slash, has another host or contains the braces.
    expect(new Set(startedProvider.requests.map(({ url }) => url.pathname))).toEqual(
      new Set([
        '/microsoft/common/v2.0/.well-known/openid-configuration',
        '/microsoft/common/oauth2/v2.0/token',
        '/microsoft/common/discovery/v2.0/keys',
      ]),
    );
  });

  it.each([
    ['an issuer that is not the one of its tenant', { tid: OTHER_TENANT_ID }],
    ['an issuer with the braces left in', { iss: 'https://login.microsoftonline.com/{tenantid}/v2.0', tid: '{tenantid}' }],
    ['a tid that isn’t a GUID', { iss: 'https://login.microsoftonline.com/common/v2.0', tid: 'common' }],
    ['a tid that leads to another address', { iss: 'https://login.microsoftonline.com/x/../evil/v2.0', tid: 'x/../evil' }],
    ['an issuer of another host', { iss: `https://evil.example/${TENANT_ID}/v2.0` }],
  ])('rejects an ID token with %s', async (_name, change) => {
    const startedProvider = await start();
    await signInAs(startedProvider, TESSA.email);
    startedProvider.forgeIdTokens((claims) => ({ claims: { ...claims, ...change }, keyName: 'work' }));
    expect(await describeFailure(signInAs(startedProvider, TESSA.email))).toBe('refused id_token_invalid');
  });

  it.each([['tid'], ['oid']])('rejects an ID token without %s', async (claim) => {
    const startedProvider = await start();
    await signInAs(startedProvider, TESSA.email);
    startedProvider.forgeIdTokens((claims) => ({ claims: Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim)) }));
    expect(await describeFailure(signInAs(startedProvider, TESSA.email))).toBe('refused id_token_invalid');
  });

  it('accepts the key of personal accounts only for personal accounts', async () => {
    const startedProvider = await start();
    await signInAs(startedProvider, PENNY.email);
    startedProvider.forgeIdTokens((claims) => ({ claims, keyName: 'consumer' }));
    expect((await signInAs(startedProvider, PENNY.email)).fullName).toBe('Penny Personal');
    expect(await describeFailure(signInAs(startedProvider, TESSA.email))).toBe('refused id_token_invalid');
  });

  it('accepts the organisations’ key for any tenant', async () => {
    const startedProvider = await start();
    await signInAs(startedProvider, PENNY.email);
    startedProvider.forgeIdTokens((claims) => ({ claims, keyName: 'work' }));
    expect((await signInAs(startedProvider, PENNY.email)).fullName).toBe('Penny Personal');
  });
});

describe('a Microsoft user', () => {
  it('is tenant and object, so the same address in another tenant is another user', async () => {
    const startedProvider = await start();
    const first = await signInAs(startedProvider, TESSA.email);
    const impostor = startedProvider.controls.seedPerson({
      ...TESSA,
      subject: 'aaaaaaaa-0000-4000-a000-00000000000a',
      tenantId: OTHER_TENANT_ID,
    });
    const second = await signInAs(startedProvider, impostor.email);
    expect(second.email).toBe(first.email);
    expect([second.issuer, second.subject]).toEqual([first.issuer, first.subject]);
    const third = await signInAs(startedProvider, impostor.subject);
    expect(third.email).toBe(first.email);
    expect(third.issuer).not.toBe(first.issuer);
    expect(third.subject).not.toBe(first.subject);
  });

  it('never has a verified address, even if the token says so', async () => {
    const startedProvider = await start();
    await signInAs(startedProvider, TESSA.email);
    startedProvider.forgeIdTokens((claims) => ({ claims: { ...claims, email_verified: true, xms_edov: true } }));
    expect((await signInAs(startedProvider, TESSA.email)).emailVerified).toBe(false);
  });

  it('may have no email address; the sign-in name isn’t one', async () => {
    const startedProvider = await start();
    await signInAs(startedProvider, TESSA.email);
    startedProvider.forgeIdTokens(({ email: _email, ...claims }) => ({ claims }));
    const identity = await signInAs(startedProvider, TESSA.email);
    expect(identity.email).toBeUndefined();
    expect(identity.fullName).toBe('Tessa Bright');
  });
});

describe('Microsoft’s tokens', () => {
  it('last between 60 and 90 minutes, with a refresh token only for offline_access', async () => {
    const startedProvider = await start();
    const plainTokens = (await signInAs(startedProvider, TESSA.email)).tokens;
    const minutes = (Date.parse(plainTokens?.expiresAt ?? '') - Date.parse('2027-03-03T10:00:00Z')) / 60_000;
    expect(minutes).toBeGreaterThanOrEqual(60);
    expect(minutes).toBeLessThanOrEqual(90);
    expect(plainTokens?.refreshToken).toBeUndefined();
    expect((await startedProvider.client.authorizeUrl(createAttempt().question)).url).not.toContain('offline_access');
  });

  it('have scopes with long names, which count as the requested ones', async () => {
    const startedProvider = await start();
    const { tokens } = await signInAs(startedProvider, TESSA.email, ['User.Read', 'Mail.Send']);
    expect(tokens?.missingScopes).toEqual([]);
    expect(tokens?.refreshToken).toBeDefined();
  });

  it('get a new refresh token each time, while the old one stays valid for its 90 days', async () => {
    const startedProvider = await start();
    const first = (await signInAs(startedProvider, TESSA.email, ['Mail.Send'])).tokens?.refreshToken ?? '';
    startedProvider.moveClockBy(60 * 86_400_000);
    const second = (await startedProvider.client.refresh(first)).refreshToken ?? '';
    expect(second).not.toBe(first);
    expect((await startedProvider.client.refresh(first)).refreshToken).not.toBe(second);
    startedProvider.moveClockBy(30 * 86_400_000);
    expect(await describeFailure(startedProvider.client.refresh(first))).toBe('unauthorized invalid_grant');
    expect((await startedProvider.client.refresh(second)).refreshToken).toBeDefined();
  });

  it('are rejected with AADSTS messages', async () => {
    const startedProvider = await start();
    const error = await startedProvider.client.refresh('unknown').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ facts: { status: 400, code: 'invalid_grant', detail: expect.stringContaining('AADSTS700082') } });
  });
});
