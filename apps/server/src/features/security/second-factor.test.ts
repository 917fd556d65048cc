/** Tests authenticator codes, recovery codes, passkeys and sessions (docs/product/decisions.md section 6). */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { auditEntries, authenticators, recoveryCodes, sessions, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '../../http/session.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openAccount, openTestBrowser, type TestBrowser } from '../../testing/test-browser.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const PASSWORD = 'a long enough one';
let count = 0;
const createEmailAddress = (): string => `factor-${(count += 1)}@ways.example`;
const getSignedInEmail = async (browser: TestBrowser) => (await browser.get('/v2/check-login')).body['email'];

/** Returns the app's code for the current 30-second step plus `steps`. */
/**
 * The current code sets up the app, and the next one is used: each is accepted for 30 seconds before and after its own step, so slow tests
 * don't fail.
 */
const getAppCode = (secret: string, steps: 0 | 1): Promise<string> =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });

async function withAuthenticator() {
  const [email, browser] = [createEmailAddress(), openTestBrowser(portal)];
  await openAccount(browser, email, PASSWORD);
  const secret = String((await browser.post('/v2/security/authenticator/begin')).body['secret']);
  const confirmedResponse = await browser.post('/v2/security/authenticator/confirm', { code: await getAppCode(secret, 0) });
  return { email, person: browser, secret, recoveryCodeList: confirmedResponse.body['recovery_codes'] as string[] };
}

async function startChallenge(browser: TestBrowser, email: string): Promise<string> {
  const { body } = await browser.post('/v2/login', { email, password: PASSWORD });
  expect(body).toMatchObject({ type: 'second_factor' });
  return String(body['challenge']);
}

describe('an authenticator app', () => {
  it('requires a code after the password, and each code works once', async () => {
    const { email, secret } = await withAuthenticator();
    const browser = openTestBrowser(portal);
    const challenge = await startChallenge(browser, email);
    expect(await getSignedInEmail(browser)).toBeUndefined();
    const code = await getAppCode(secret, 1);
    expect((await browser.post('/v2/auth/second-factor', { challenge, code })).status).toBe(200);
    expect(await getSignedInEmail(browser)).toBe(email);
    const next = await startChallenge(openTestBrowser(portal), email);
    expect((await browser.post('/v2/auth/second-factor', { challenge: next, code })).body['message']).toHaveProperty('code');
  });

  it('invalidates a challenge after five wrong codes and after its use', async () => {
    const { email, secret } = await withAuthenticator();
    const browser = openTestBrowser(portal);
    const challenge = await startChallenge(browser, email);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await browser.post('/v2/auth/second-factor', { challenge, code: 'wrong-codes' })).status).toBe(400);
    }
    const lateResponse = await browser.post('/v2/auth/second-factor', { challenge, code: await getAppCode(secret, 1) });
    expect(lateResponse.body['code']).toBe('identity.challenge_expired');
  });

  it('can be replaced by each of ten recovery codes once', async () => {
    const { email, recoveryCodeList, person: owner } = await withAuthenticator();
    expect(new Set(recoveryCodeList).size).toBe(10);
    const [code = ''] = recoveryCodeList;
    const browser = openTestBrowser(portal);
    expect(
      (await browser.post('/v2/auth/second-factor', { challenge: await startChallenge(browser, email), code: code.toUpperCase() })).status,
    ).toBe(200);
    const secondResponse = await browser.post('/v2/auth/second-factor', { challenge: await startChallenge(browser, email), code });
    expect(secondResponse.status).toBe(400);
    expect((await owner.get('/v2/security')).body['authenticator']).toMatchObject({ recovery_codes_left: 9 });
  });

  it('stores recovery codes of 20 letters as argon2id, and still accepts one that an earlier version stored', async () => {
    const { email, recoveryCodeList } = await withAuthenticator();
    for (const code of recoveryCodeList) expect(code).toMatch(/^[a-hj-kmnp-z2-9]{5}(-[a-hj-kmnp-z2-9]{5}){3}$/);
    const { db } = portal.deps.database;
    const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
    const userId = user?.id ?? '';
    const storedCodes = await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    expect(storedCodes).toHaveLength(10);
    for (const { codeHash } of storedCodes) expect(codeHash).toMatch(/^\$argon2id\$/);
    await db.insert(recoveryCodes).values({ userId, codeHash: hashToken(`${userId}:abcdeabcde`) });
    const responses = [];
    for (const _attempt of [1, 2]) {
      const browser = openTestBrowser(portal);
      const challenge = await startChallenge(browser, email);
      responses.push((await browser.post('/v2/auth/second-factor', { challenge, code: 'abcde-abcde' })).status);
    }
    expect(responses).toEqual([200, 400]);
  });

  it('requires a code after an emailed link too', async () => {
    const { email } = await withAuthenticator();
    const browser = openTestBrowser(portal);
    await browser.get('/send-auth-magic-link', { email });
    const { body } = await browser.post('/v2/auth/use-link', { token: await browser.findEmailedToken(email) });
    expect(body).toMatchObject({ type: 'second_factor' });
    expect(await getSignedInEmail(browser)).toBeUndefined();
  });

  it('can be removed only with a code, and its secret is stored encrypted', async () => {
    const { person, email, secret } = await withAuthenticator();
    const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
    const [row] = await portal.deps.database.db
      .select()
      .from(authenticators)
      .where(eq(authenticators.userId, user?.id ?? ''));
    expect(row?.secret).not.toContain(secret);
    expect((await person.post('/v2/security/authenticator/remove', { code: '000000' })).status).toBe(400);
    expect((await person.post('/v2/security/authenticator/remove', { code: await getAppCode(secret, 1) })).status).toBe(200);
    expect((await person.get('/v2/security')).body['authenticator']).toBeNull();
  });

  it('is recorded in the session, for HMRC’s fraud prevention header', async () => {
    const { person, email } = await withAuthenticator();
    const [row] = await portal.deps.database.db
      .select({ type: sessions.secondFactorType, at: sessions.secondFactorAt })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(users.email, email));
    expect(row?.type).toBe('TOTP');
    expect(row?.at).not.toBeNull();
    expect(await getSignedInEmail(person)).toBe(email);
  });
});

describe('sessions', () => {
  it('are listed and ended by a public ID, and only by their owner', async () => {
    const [email, thisBrowser, otherBrowser, outsiderBrowser] = [
      createEmailAddress(),
      openTestBrowser(portal),
      openTestBrowser(portal),
      openTestBrowser(portal),
    ];
    await openAccount(thisBrowser, email, PASSWORD);
    await otherBrowser.post('/v2/login', { email, password: PASSWORD });
    await openAccount(outsiderBrowser, createEmailAddress(), PASSWORD);
    const listedSessions = (await thisBrowser.get('/v2/security')).body['sessions'] as {
      session_id: string;
      is_this_one: boolean;
      device: string;
    }[];
    expect(listedSessions.map(({ device }) => device)).toEqual(['Firefox on Windows', 'Firefox on Windows']);
    expect(listedSessions.filter(({ is_this_one }) => is_this_one)).toHaveLength(1);
    const session_id = listedSessions.find(({ is_this_one }) => !is_this_one)?.session_id ?? '';
    expect((await outsiderBrowser.post('/v2/security/sessions/end', { session_id })).status).toBe(404);
    expect(await getSignedInEmail(otherBrowser)).toBe(email);
    expect((await thisBrowser.post('/v2/security/sessions/end', { session_id })).status).toBe(200);
    expect(await getSignedInEmail(otherBrowser)).toBeUndefined();
    expect(await getSignedInEmail(thisBrowser)).toBe(email);
  });

  it('get a new cookie at every change of rights, and the old one stops working', async () => {
    const [email, browser] = [createEmailAddress(), openTestBrowser(portal)];
    await openAccount(browser, email, PASSWORD);
    const otherBrowser = openTestBrowser(portal);
    await otherBrowser.post('/v2/login', { email, password: PASSWORD });
    const oldCookie = browser.cookies.get('portal_session');
    expect((await browser.post('/v2/security/password', { current_password: 'not it', new_password: 'another long one' })).status).toBe(
      400,
    );
    expect((await browser.post('/v2/security/password', { current_password: PASSWORD, new_password: 'another long one' })).status).toBe(
      200,
    );
    expect(browser.cookies.get('portal_session')).not.toBe(oldCookie);
    expect(await getSignedInEmail(browser)).toBe(email);
    expect(await getSignedInEmail(otherBrowser)).toBeUndefined();
    const response = await portal.app.inject({ url: '/portal/v2/check-login', headers: { cookie: `portal_session=${oldCookie}` } });
    expect(response.json()).toEqual({});
  });

  it('in a new browser are emailed to the owner, and every sign-in is audited', async () => {
    const [email, browser] = [createEmailAddress(), openTestBrowser(portal)];
    await openAccount(browser, email, PASSWORD);
    await browser.post('/v2/login', { email, password: PASSWORD });
    await portal.runJobs();
    const countSignInEmails = () => portal.sentEmails.filter(({ to, subject }) => to === email && subject.startsWith('New sign-in')).length;
    expect(countSignInEmails()).toBe(0);
    await openTestBrowser(portal, { userAgent: 'Chrome/150 (Android)' }).post('/v2/login', { email, password: PASSWORD });
    await portal.runJobs();
    expect(countSignInEmails()).toBe(1);
    const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
    const entries = await portal.deps.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, user?.id ?? ''));
    expect(entries.filter(({ action }) => action === 'identity.signed_in')).toHaveLength(3);
  });
});

describe('guessing passwords', () => {
  it('is blocked after ten attempts, but never locks the owner out of a known browser', async () => {
    const [email, owner, attacker] = [
      createEmailAddress(),
      openTestBrowser(portal),
      openTestBrowser(portal, { ip: '203.0.113.9', userAgent: 'curl/8' }),
    ];
    await openAccount(owner, email, PASSWORD);
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt += 1)
      statuses.push((await attacker.post('/v2/login', { email, password: `guess ${attempt}` })).status);
    expect([...new Set(statuses.slice(0, 10)), statuses[10]]).toEqual([401, 429]);
    expect((await attacker.post('/v2/login', { email, password: PASSWORD })).status).toBe(429);
    expect((await owner.post('/v2/login', { email, password: PASSWORD })).status).toBe(200);
  });
});

/** A passkey as a device stores it: an ES256 key for one site and a signature counter. */
type Device = { readonly id: Buffer; readonly privateKey: KeyObject; counter: number };
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url');
const encodeClientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin }));

/** Flags of authenticator data (WebAuthn section 6.1): user present 1, user verified 4, attested credential data 64. */
function encodeAuthenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const counterBytes = Buffer.alloc(4);
  counterBytes.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), counterBytes]);
}

function makeCredential(challenge: string, origin = 'http://localhost'): { device: Device; response: object } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053 section 7.1.1).
  const coseKey = Buffer.concat([
    Buffer.from('a501020326200121', 'hex'),
    Buffer.from('5820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  const authData = Buffer.concat([
    encodeAuthenticatorData('localhost', 1 + 4 + 64, 0),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    coseKey,
  ]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(authData.length);
  // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}.
  const attestation = Buffer.concat([Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'), length, authData]);
  const response = {
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64url(encodeClientData('webauthn.create', challenge, origin)),
      attestationObject: base64url(attestation),
      transports: ['internal'],
    },
  };
  return { device: { id, privateKey, counter: 0 }, response };
}

function signChallenge(device: Device, challenge: string, { origin = 'http://localhost', flags = 1 + 4 } = {}): object {
  device.counter += 1;
  const authData = encodeAuthenticatorData('localhost', flags, device.counter);
  const data = encodeClientData('webauthn.get', challenge, origin);
  const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), device.privateKey);
  return {
    id: base64url(device.id),
    rawId: base64url(device.id),
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: base64url(data), authenticatorData: base64url(authData), signature: base64url(signature) },
  };
}

describe('a passkey', () => {
  const requestOptions = async (browser: TestBrowser, path: string) => {
    const { body } = await browser.post(path);
    return { id: String(body['challenge_id']), challenge: String((body['options'] as { challenge: string }).challenge) };
  };

  async function createPasskeyUser() {
    const [email, owner] = [createEmailAddress(), openTestBrowser(portal)];
    await openAccount(owner, email, PASSWORD);
    const { id, challenge } = await requestOptions(owner, '/v2/security/passkeys/begin');
    const { device, response } = makeCredential(challenge);
    expect((await owner.post('/v2/security/passkeys', { challenge_id: id, name: 'My phone', response })).status).toBe(200);
    return { email, owner, device };
  }

  it('signs in alone, even when the user has an authenticator app', async () => {
    const { email, owner, device } = await createPasskeyUser();
    const secret = String((await owner.post('/v2/security/authenticator/begin')).body['secret']);
    await owner.post('/v2/security/authenticator/confirm', { code: await getAppCode(secret, 0) });
    const browser = openTestBrowser(portal);
    const { id, challenge } = await requestOptions(browser, '/v2/auth/passkey/options');
    expect((await browser.post('/v2/auth/passkey', { challenge_id: id, response: signChallenge(device, challenge) })).status).toBe(200);
    expect(await getSignedInEmail(browser)).toBe(email);
  });

  it('is rejected for another site, without user verification, with a used challenge and with an old counter', async () => {
    const { device } = await createPasskeyUser();
    const browser = openTestBrowser(portal);
    const attempt = async (response: (challenge: string) => object) => {
      const { id, challenge } = await requestOptions(browser, '/v2/auth/passkey/options');
      return (await browser.post('/v2/auth/passkey', { challenge_id: id, response: response(challenge) })).body['code'];
    };
    expect(await attempt((challenge) => signChallenge(device, challenge, { origin: 'https://evil.example' }))).toBe(
      'identity.passkey_rejected',
    );
    expect(await attempt((challenge) => signChallenge(device, challenge, { flags: 1 }))).toBe('identity.passkey_rejected');
    expect(await attempt(() => signChallenge(device, 'anothers'))).toBe('identity.passkey_rejected');
    const { id, challenge } = await requestOptions(browser, '/v2/auth/passkey/options');
    const validAssertion = { challenge_id: id, response: signChallenge(device, challenge) };
    expect((await browser.post('/v2/auth/passkey', validAssertion)).status).toBe(200);
    expect((await browser.post('/v2/auth/passkey', validAssertion)).body['code']).toBe('identity.passkey_rejected');
    device.counter = 0;
    expect(await attempt((nextChallenge) => signChallenge(device, nextChallenge))).toBe('identity.passkey_rejected');
  });

  it('can be removed only by its owner, and then no longer signs in', async () => {
    const { owner, device } = await createPasskeyUser();
    const outsiderBrowser = openTestBrowser(portal);
    await openAccount(outsiderBrowser, createEmailAddress(), PASSWORD);
    const target = { passkey_id: base64url(device.id) };
    expect((await outsiderBrowser.post('/v2/security/passkeys/remove', target)).status).toBe(404);
    expect((await owner.post('/v2/security/passkeys/remove', target)).status).toBe(200);
    const browser = openTestBrowser(portal);
    const { id, challenge } = await requestOptions(browser, '/v2/auth/passkey/options');
    const response = await browser.post('/v2/auth/passkey', { challenge_id: id, response: signChallenge(device, challenge) });
    expect(response.body['code']).toBe('identity.passkey_rejected');
  });
});
