/** Tests connecting an app with OAuth, as an attacker would attempt it. */
import { randomUUID } from 'node:crypto';
import { auditEntries, connectedAppGrants, connectedAppTokens, registeredApps } from '@portal/db/schema/schema.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { UNUSED_CONNECTED_APP_TTL_MS } from '@portal/domain/developers/connected-apps.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '../../http/session.ts';
import { addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openMcpPortal, type McpPortal } from '../../testing/mcp-portal.ts';
import { createOauthCalls, VERIFIER, type OauthCalls } from '../../testing/oauth-calls.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createBrowser } from '../../testing/test-trader.ts';
import type { Browser } from '../../testing/test-trader.ts';
import { purgeApps } from './register-app.ts';

let portal: TestPortal;
let mcp: McpPortal;
let oauth: OauthCalls;
let practice: TestPractice;
let admin: Browser;

beforeAll(async () => {
  portal = await openTestPortal();
  mcp = await openMcpPortal(portal);
  oauth = createOauthCalls(mcp);
});
afterAll(async () => {
  await mcp?.instance.close();
  await portal.close();
});
beforeEach(async () => {
  practice = await addPractice(portal);
  admin = createBrowser(mcp.instance, practice.cookies.admin);
});

describe('an attacker', () => {
  it('can’t exchange a code without its verifier, for another app, redirect URI or resource, or after it expired', async () => {
    const [ownClientId, otherClientId] = [await oauth.registerId(), await oauth.registerId()];
    const code = await oauth.getCode(admin, practice.companyId, ownClientId);
    const attempts: [Record<string, string>, string][] = [
      [{ code_verifier: VERIFIER.replace('a', 'b') }, 'invalid_grant'],
      [{ code_verifier: 'short' }, 'invalid_request'],
      [{ client_id: otherClientId }, 'invalid_grant'],
      [{ redirect_uri: 'http://localhost:33418/other' }, 'invalid_grant'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
    ];
    for (const [change, error] of attempts)
      expect([change, (await oauth.exchange(ownClientId, code, change)).body['error']]).toEqual([change, error]);
    expect((await oauth.exchange(ownClientId, code, { resource: mcp.mcpUrl })).status).toBe(200);
    const lateCode = await oauth.getCode(admin, practice.companyId, ownClientId);
    await portal.deps.database.db.update(connectedAppTokens).set({ expiresAt: addMilliseconds(portal.deps.wallClock.now(), -1) });
    expect((await oauth.exchange(ownClientId, lateCode)).body['error']).toBe('invalid_grant');
  });

  it('that uses a code or a refresh token a second time ends the app’s access', async () => {
    const clientId = await oauth.registerId();
    for (const kind of ['code', 'refresh']) {
      const code = await oauth.getCode(admin, practice.companyId, clientId);
      const first = (await oauth.exchange(clientId, code)).body;
      const second = (await oauth.refresh(clientId, first['refresh_token'] ?? '')).body;
      expect(await oauth.callTools(second['access_token'] ?? '')).toBe(200);
      const repeatedResponse =
        kind === 'code' ? await oauth.exchange(clientId, code) : await oauth.refresh(clientId, first['refresh_token'] ?? '');
      expect([repeatedResponse.status, repeatedResponse.body['error']]).toEqual([400, 'invalid_grant']);
      expect(await oauth.callTools(second['access_token'] ?? '')).toBe(401);
      expect((await oauth.refresh(clientId, second['refresh_token'] ?? '')).status).toBe(400);
      const endedCondition = and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.action, 'program.ended'));
      expect(
        (await portal.deps.database.db.select().from(auditEntries).where(endedCondition).orderBy(asc(auditEntries.sequence))).at(-1)?.after,
      ).toMatchObject({
        reason: kind === 'code' ? 'code_reused' : 'refresh_token_reused',
      });
    }
  });

  it('gets tokens for only one of two simultaneous refreshes', async () => {
    const clientId = await oauth.registerId();
    const { refresh_token: token = '' } = (await oauth.exchange(clientId, await oauth.getCode(admin, practice.companyId, clientId))).body;
    const responses = await Promise.all([oauth.refresh(clientId, token), oauth.refresh(clientId, token)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it('can’t use an expired access token, or one for another address', async () => {
    const clientId = await oauth.registerId();
    const { access_token: token = '' } = (await oauth.exchange(clientId, await oauth.getCode(admin, practice.companyId, clientId))).body;
    const isToken = and(eq(connectedAppTokens.companyId, practice.companyId), eq(connectedAppTokens.kind, 'access'));
    const { db } = portal.deps.database;
    await db.update(connectedAppTokens).set({ resource: 'https://other.example/portal/mcp' }).where(isToken);
    expect(await oauth.callTools(token)).toBe(401);
    await db.update(connectedAppTokens).set({ resource: mcp.mcpUrl }).where(isToken);
    expect(await oauth.callTools(token)).toBe(200);
    await db
      .update(connectedAppTokens)
      .set({ expiresAt: addMilliseconds(portal.deps.wallClock.now(), -1) })
      .where(isToken);
    expect(await oauth.callTools(token)).toBe(401);
  });

  it('can’t redirect the user to another address, or skip PKCE', async () => {
    const clientId = await oauth.registerId();
    const read = (changes: Record<string, string>) => admin.get('/open-tax/programs/request', oauth.toRequest(clientId, changes));
    for (const uri of ['https://evil.example/callback', 'http://localhost:33418/other', 'javascript:alert(1)'])
      expect([uri, (await read({ redirect_uri: uri })).body['code']]).toEqual([uri, 'program.redirect_unknown']);
    expect((await read({ client_id: randomUUID() })).body['code']).toBe('program.unknown');
    for (const [changes, error] of [
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ scope: 'everything' }, 'invalid_scope'],
    ] as const) {
      const { body } = await read(changes);
      const url = new URL(String(body['reject_to']));
      expect([url.origin, url.searchParams.get('error'), url.searchParams.get('state'), url.searchParams.get('iss')]).toEqual([
        'http://localhost:33418',
        error,
        'xyz',
        mcp.url,
      ]);
    }
    for (const uris of [[], ['http://evil.example/'], ['cursor://callback'], ['https://a.example/#x']])
      expect([uris, (await oauth.register({ redirect_uris: uris })).status]).toEqual([uris, 400]);
  });

  it('can’t approve for a user who hasn’t just confirmed their identity, with more scopes than requested, or for another practice', async () => {
    const clientId = await oauth.registerId();
    const { database, wallClock } = portal.deps;
    const session = { userId: practice.adminId, signInMethod: 'link' as const, isConfirmed: false, ip: '', userAgent: '' };
    const staleBrowser = createBrowser(mcp.instance, `portal_session=${await startSession(database.db, wallClock, session)}`);
    const body = { ...oauth.toRequest(clientId, { scope: 'clients.read' }), company_id: practice.companyId, scopes: ['clients.read'] };
    const approve = (changes: object, actingBrowser = admin) => actingBrowser.post('/open-tax/programs/approve', { ...body, ...changes });
    expect((await approve({}, staleBrowser)).body['code']).toBe('identity.factor_needed');
    expect((await approve({ scopes: ['clients.read', 'exports.read'] })).body['code']).toBe('program.scope_not_asked');
    expect((await approve({ company_id: (await addPractice(portal)).companyId })).status).toBe(404);
    expect((await approve({}, createBrowser(mcp.instance))).status).toBe(401);
    expect(await database.db.select().from(connectedAppGrants).where(eq(connectedAppGrants.companyId, practice.companyId))).toEqual([]);
  });

  it('leaves only registrations that expire unless a user consents', async () => {
    const [unusedClientId, usedClientId] = [await oauth.registerId(), await oauth.registerId()];
    await oauth.getCode(admin, practice.companyId, usedClientId);
    const { database, wallClock } = portal.deps;
    const createdAt = addMilliseconds(wallClock.now(), -UNUSED_CONNECTED_APP_TTL_MS - 1);
    await database.db.update(registeredApps).set({ createdAt });
    await purgeApps(portal.deps);
    const remainingRows = (await database.db.select({ id: registeredApps.id }).from(registeredApps)).map(({ id }) => id);
    expect([remainingRows.includes(unusedClientId), remainingRows.includes(usedClientId)]).toEqual([false, true]);
  });
});
