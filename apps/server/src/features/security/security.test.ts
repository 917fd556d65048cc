/**
 * Tests likely first attacks: registered addresses, cookies, headers, session fixation and stored secrets (docs/product/decisions.md
 * sections 6, 7 and 11).
 */
import { createCipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { authenticators, users, webhookEndpoints } from '@portal/db/schema/schema.ts';
import { eq, sql } from '@portal/db/sql.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../build-app.ts';
import { listKeyUses } from '../../secrets/sealed-values.ts';
import { createTokenCipher } from '../../secrets/token-cipher.ts';
import { resealSecrets } from '../../secrets/reseal-secrets.ts';
import { addPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openAccount, openTestBrowser } from '../../testing/test-browser.ts';
import { NO_JOBS } from '../../testing/no-jobs.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const PASSWORD = 'a long enough one';

describe('whether an address is registered', () => {
  type RunQuery = (...args: unknown[]) => Promise<unknown>;

  /** Returns the SQL statements that `work` sends to the database, in order. */
  async function recordStatements(work: () => Promise<unknown>): Promise<string[]> {
    const client = (portal.deps.database.db as unknown as { $client: { query: RunQuery } }).$client;
    const original = client.query;
    const queries: string[] = [];
    client.query = function record(this: unknown, ...args: unknown[]) {
      queries.push(typeof args[0] === 'string' ? args[0] : JSON.stringify(args[0]));
      return original.apply(client, args);
    };
    await work();
    client.query = original;
    return queries;
  }

  it.each([
    ['password reset', 'POST', '/password-reset-request', {}],
    ['emailed link', 'GET', '/send-auth-magic-link', {}],
    ['sign-up', 'POST', '/v2/sign-up', { full_name: 'Pat', password: PASSWORD }],
    ['wrong password', 'POST', '/v2/login', { password: 'not the right one' }],
  ] as const)('is revealed by neither the response nor the work of: %s', async (situation, method, path, extraFields) => {
    const registeredEmail = `known-${situation.replaceAll(' ', '-')}@people.example`;
    const unknownEmail = `unknown-${situation.replaceAll(' ', '-')}@people.example`;
    await openAccount(openTestBrowser(portal), registeredEmail, PASSWORD);
    await portal.runJobs();
    const send = async (email: string) => {
      const browser = openTestBrowser(portal, { ip: '203.0.113.40' });
      const { status, body } = method === 'GET' ? await browser.get(path, { email }) : await browser.post(path, { email, ...extraFields });
      const { request_id: _, ...otherFields } = body;
      return JSON.stringify([status, otherFields]).replaceAll(email, 'ADDRESS');
    };
    const responses: string[] = [];
    const work = [];
    for (const email of [registeredEmail, unknownEmail]) work.push(await recordStatements(async () => responses.push(await send(email))));
    expect(responses[1]).toBe(responses[0]);
    expect(work[1]).toEqual(work[0]);
  });
});

describe('over https', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    const site = { ...portal.deps.site, publicUrl: 'https://portal.example' };
    app = await buildApp(
      { ...portal.deps, site },
      { trustProxy: false, validateOutputs: true, distDir: '/nowhere', checkReady: async () => ({}), ...NO_JOBS },
    );
  });
  afterAll(() => app.close());

  it('uses a session cookie bound to this host and accepts no other cookie name', async () => {
    const email = 'https@people.example';
    await openAccount(openTestBrowser(portal), email, PASSWORD);
    const loginResponse = await app.inject({ method: 'POST', url: '/portal/v2/login', payload: { email, password: PASSWORD } });
    const [cookie] = loginResponse.cookies.filter(({ name }) => name.includes('session'));
    expect(cookie).toMatchObject({ name: '__Host-portal_session', path: '/', httpOnly: true, secure: true, sameSite: 'Lax' });
    expect(cookie).not.toHaveProperty('domain');
    const getEmailFor = async (name: string) => {
      const response = await app.inject({ url: '/portal/v2/check-login', headers: { cookie: `${name}=${cookie?.value}` } });
      return (response.json() as { email?: string }).email;
    };
    expect(await getEmailFor('__Host-portal_session')).toBe(email);
    expect(await getEmailFor('portal_session')).toBeUndefined();
  });

  it('serves pages that allow only our scripts and the chat’s, no inline scripts and no framing', async () => {
    const pageResponse = await app.inject({ url: '/portal/v2/auth/login', headers: { accept: 'text/html' } });
    const policy = String(pageResponse.headers['content-security-policy']);
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
    expect(scripts[0]).toBe("'self'");
    // Apart from 'self', only whole origins are allowed: keywords, schemes and wildcards would let injected scripts run.
    for (const source of scripts.slice(1)) expect(source).toMatch(/^https?:\/\/[\w.-]+(:\d+)?$/);
    expect(policy).toContain("script-src-attr 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(pageResponse.headers['strict-transport-security']).toContain('max-age=');
  });
});

describe('a session', () => {
  it('planted by an attacker is worthless after the victim signs in', async () => {
    const [email, victim, attacker] = ['planted@people.example', openTestBrowser(portal), openTestBrowser(portal)];
    await openAccount(attacker, 'attacker@people.example', PASSWORD);
    const plantedCookie = attacker.cookies.get('portal_session') ?? '';
    (victim.cookies as Map<string, string>).set('portal_session', plantedCookie);
    await openAccount(victim, email, PASSWORD);
    expect(victim.cookies.get('portal_session')).not.toBe(plantedCookie);
    expect((await attacker.get('/v2/check-login')).body).toEqual({});
  });
});

/** The format used before values were bound to their rows: AES-256-GCM without additional data. */
function sealAsEarlierVersion(key: string, plainText: string): string {
  const [bytes, nonce] = [Buffer.from(key, 'base64'), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce);
  const body = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  return [id, ...[nonce, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join('.');
}

describe('stored secrets', () => {
  it('are re-encrypted when the key is replaced, so that the old key can be removed', async () => {
    const [email, browser] = ['keys@people.example', openTestBrowser(portal)];
    await openAccount(browser, email, PASSWORD);
    const [oldKey, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const { db } = portal.deps.database;
    const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
    const owner = eq(authenticators.userId, user?.id ?? '');
    await browser.post('/v2/security/authenticator/begin');
    await db
      .update(authenticators)
      .set({ secret: createTokenCipher([oldKey]).seal('SECRET', `authenticator:${user?.id ?? ''}`) })
      .where(owner);
    await resealSecrets({ ...portal.deps, tokenCipher: createTokenCipher([newKey, oldKey]) });
    const [row] = await db.select().from(authenticators).where(owner);
    expect(createTokenCipher([newKey]).open(row?.secret ?? '', `authenticator:${user?.id ?? ''}`)).toBe('SECRET');
  });

  it('are re-encrypted although another can’t be opened, and the doctor counts every kind', async () => {
    const [email, browser] = ['broken@people.example', openTestBrowser(portal)];
    await openAccount(browser, email, PASSWORD);
    const [oldKey, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const { db } = portal.deps.database;
    const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
    const userId = user?.id ?? '';
    await browser.post('/v2/security/authenticator/begin');
    const ofAnother = createTokenCipher([oldKey]).seal('SECRET', 'authenticator:another');
    await db.update(authenticators).set({ secret: ofAnother }).where(eq(authenticators.userId, userId));
    const { companyId } = await addPractice(portal);
    const id = randomUUID();
    const place = `webhook_secret:${companyId}:${id}` as const;
    await db.insert(webhookEndpoints).values({
      companyId,
      id,
      url: 'https://receiver.example',
      events: [],
      secret: createTokenCipher([oldKey]).seal('SIGNING', place),
      createdAt: portal.deps.clock.now(),
      createdBy: userId,
    });
    const tokenCipher = createTokenCipher([newKey, oldKey]);
    const [newKeyId, oldKeyId] = tokenCipher.keyIds;
    expect(await listKeyUses(db, tokenCipher)).toContainEqual({ keyId: oldKeyId, values: 2, isConfigured: true });
    await expect(resealSecrets({ ...portal.deps, tokenCipher })).rejects.toThrow('1 of 8 failed');
    const [endpoint] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
    expect(createTokenCipher([newKey]).open(endpoint?.secret ?? '', place)).toBe('SIGNING');
    expect((await listKeyUses(db, tokenCipher)).filter(({ keyId }) => keyId === newKeyId || keyId === oldKeyId)).toEqual(
      expect.arrayContaining([
        { keyId: newKeyId, values: expect.any(Number), isConfigured: true },
        { keyId: oldKeyId, values: 1, isConfigured: true },
      ]),
    );
    await db.delete(authenticators).where(eq(authenticators.userId, userId));
    await db.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  });

  it('open only in their own row, and values of earlier versions are bound to it', () => {
    const [key, context, otherContext] = [randomBytes(32).toString('base64'), 'authenticator:1', 'authenticator:2'] as const;
    const cipher = createTokenCipher([key]);
    const sealedValue = cipher.seal('SECRET', context);
    expect(cipher.open(sealedValue, context)).toBe('SECRET');
    expect(() => cipher.open(sealedValue, otherContext)).toThrow('authenticate');
    // Nor without the marker that says it is bound.
    expect(() => cipher.open(sealedValue.replace('.bound', ''), context)).toThrow('authenticate');
    // Nor with a truncated tag, whose remaining bytes could be guessed.
    const [id, nonce, tag = '', body] = sealedValue.split('.');
    const shortenedTag = [id, nonce, Buffer.from(tag, 'base64url').subarray(0, 4).toString('base64url'), body].join('.');
    expect(() => cipher.open(`${shortenedTag}.bound`, context)).toThrow('authentication tag');
    const earlierSecret = sealAsEarlierVersion(key, 'SECRET');
    expect([cipher.open(earlierSecret, context), cipher.isNewest(earlierSecret), cipher.isNewest(sealedValue)]).toEqual([
      'SECRET',
      false,
      true,
    ]);
  });

  it('include queued emails, whose links sign people in', async () => {
    const email = 'queued@people.example';
    await openAccount(openTestBrowser(portal), email, PASSWORD);
    const { rows } = await portal.deps.database.db.execute<{ data: string }>(sql`select data::text as data from pgboss.job`);
    expect(rows.some(({ data }) => data.includes('"sealed"'))).toBe(true);
    expect(rows.filter(({ data }) => /token=|link\/|queued@people/i.test(data))).toEqual([]);
  });
});

describe('hostile input', () => {
  it.each(["' or 1=1 --", '<script>alert(1)</script>', '\u0000', '../../etc/passwd', 'a'.repeat(100_000), '{"$ne": null}', '%00'])(
    'is rejected or stored as text, and never causes a server error: %j',
    async (text) => {
      const browser = openTestBrowser(portal, { ip: '203.0.113.77' });
      const responses = [
        await browser.post('/v2/login', { email: text, password: text }),
        await browser.post('/v2/auth/use-link', { token: text }),
        await browser.post('/password-reset', { token: text, password: text }),
        await browser.post('/v2/auth/second-factor', { challenge: text, code: text }),
        await browser.post('/v2/auth/passkey', {
          challenge_id: text,
          response: { id: text, rawId: text, type: 'public-key', response: {} },
        }),
        await browser.get('/v2/auth/provider/google', { next: text, partner: text }),
        await browser.get('/v2/auth/callback/google', { state: text, code: text }),
      ];
      expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    },
  );
});
