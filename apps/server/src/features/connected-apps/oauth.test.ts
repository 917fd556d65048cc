/** Tests connecting an app with OAuth, as a user would. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UnauthorizedError } from '@modelcontextprotocol/client';
import { auditEntries, connectedAppTokens, users } from '@portal/db/schema/schema.ts';
import { asc, eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { consentAs, openMcpPortal, type McpPortal } from '../../testing/mcp-portal.ts';
import { createOauthCalls, type OauthCalls } from '../../testing/oauth-calls.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openTestBrowser } from '../../testing/test-browser.ts';
import { connectApp, type TestApp } from '../../testing/test-app.ts';
import { type Browser, createBrowser } from '../../testing/test-trader.ts';

let portal: TestPortal;
let mcp: McpPortal;
let oauth: OauthCalls;
let practice: TestPractice;
let admin: Browser;
const openedApps: TestApp[] = [];

beforeAll(async () => {
  portal = await openTestPortal();
  mcp = await openMcpPortal(portal);
  oauth = createOauthCalls(mcp);
});
afterAll(async () => {
  await Promise.all(openedApps.map((testApp) => testApp.close()));
  await mcp?.instance.close();
  await portal.close();
});
beforeEach(async () => {
  practice = await addPractice(portal);
  admin = createBrowser(mcp.instance, practice.cookies.admin);
});

type ListedApp = { readonly program_id: string; readonly status: string };

async function connect(narrowScopes?: (requestedScopes: string[]) => string[], options = {}): Promise<TestApp> {
  const testApp = await connectApp(mcp.mcpUrl, consentAs(admin, practice.companyId, narrowScopes), options);
  openedApps.push(testApp);
  return testApp;
}

describe('a connected app', () => {
  it('learns from the 401 response where to sign in', async () => {
    const refusedResponse = await fetch(mcp.mcpUrl, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(refusedResponse.headers.get('www-authenticate') ?? '')?.[1] ?? '';
    expect([refusedResponse.status, metadataUrl]).toEqual([401, `${mcp.url}/.well-known/oauth-protected-resource/portal/mcp`]);
    const resource = (await (await fetch(metadataUrl)).json()) as Record<string, unknown>;
    expect(resource).toMatchObject({ resource: mcp.mcpUrl, authorization_servers: [mcp.url] });
    expect(await (await fetch(`${mcp.url}/.well-known/oauth-protected-resource`)).json()).toEqual(resource);
    const server = await (await fetch(`${mcp.url}/.well-known/oauth-authorization-server`)).json();
    expect(server).toMatchObject({
      issuer: mcp.url,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('registers, gets consent and tokens that are stored as hashes, and the person gets an email', async () => {
    const testApp = await connect();
    expect((await testApp.call('search_clients')).error).toBeUndefined();
    const { access_token: accessToken = '', refresh_token: next = '' } = testApp.provider.issued ?? {};
    const { rows } = await portal.deps.database.db.execute(
      sql`select * from ${connectedAppTokens} where company_id = ${practice.companyId}::uuid`,
    );
    expect([rows.length, JSON.stringify(rows).includes(accessToken.slice(11)), JSON.stringify(rows).includes(next)]).toEqual([
      3,
      false,
      false,
    ]);
    const listedResponse = await admin.get('/open-tax/programs', { company_id: practice.companyId });
    expect(listedResponse.body['programs']).toMatchObject([
      { name: 'Test assistant', redirect_host: 'localhost:33418', status: 'active', is_yours: true, last_used_at: expect.any(String) },
    ]);
    await portal.runJobs();
    expect(portal.sentEmails.findLast(({ subject }) => subject === 'An app now acts for you')?.text).toContain('Test assistant');
  });

  it('describes itself in a document at its client id, which must name itself', async () => {
    let text: object = {};
    const server: Server = createServer((_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(text)),
    );
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    const clientId = `http://127.0.0.1:${(server.address() as AddressInfo).port}/program.json`;
    const document = { client_id: clientId, client_name: 'Described program', redirect_uris: ['http://localhost/callback'] };
    text = { ...document, client_id: 'https://claude.ai/program.json' };
    expect((await admin.get('/open-tax/programs/request', oauth.toRequest(clientId))).body['code']).toBe('program.unknown');
    text = document;
    const readResponse = await admin.get('/open-tax/programs/request', oauth.toRequest(clientId));
    expect(readResponse.body['consent']).toMatchObject({
      program: { name: 'Described program', described_by: new URL(clientId).host, is_local: true },
    });
    const tokensResponse = await oauth.exchange(clientId, await oauth.getCode(admin, practice.companyId, clientId));
    expect([tokensResponse.status, await oauth.callTools(tokensResponse.body['access_token'] ?? '')]).toEqual([200, 200]);
    server.close();
  });

  it('gets only the scopes that the user allowed, asks for the rest, and the rejection is recorded', async () => {
    const testApp = await connect((requestedScopes) => requestedScopes.filter((scope) => scope === 'clients.read'));
    expect(testApp.provider.issued?.scope).toBe('clients.read');
    expect((await testApp.call('search_clients')).error).toBeUndefined();
    testApp.provider.asked = undefined;
    await expect(testApp.call('export_clients')).rejects.toThrow(UnauthorizedError);
    expect((testApp.provider.asked as URL | undefined)?.searchParams.get('scope')?.split(' ').toSorted()).toEqual([
      'clients.read',
      'exports.read',
    ]);
    const entries = await portal.deps.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.companyId, practice.companyId))
      .orderBy(asc(auditEntries.sequence));
    expect(entries.at(-1)).toMatchObject({ action: 'program.tool_called', after: { tool: 'export_clients', outcome: 'scope_missing' } });
  });

  it('refreshes with the same scopes or fewer, never with more', async () => {
    const testApp = await connect((requestedScopes) => requestedScopes.filter((scope) => scope.endsWith('.read')));
    const clientId = testApp.provider.information?.client_id ?? '';
    const firstResponse = await oauth.refresh(clientId, testApp.provider.issued?.refresh_token ?? '', { scope: 'clients.read' });
    expect([firstResponse.status, firstResponse.body['scope']]).toEqual([200, 'clients.read']);
    const widerScopeResponse = await oauth.refresh(clientId, firstResponse.body['refresh_token'] ?? '', { scope: 'tasks.write' });
    expect([widerScopeResponse.status, widerScopeResponse.body['error']]).toEqual([400, 'invalid_scope']);
    expect((await oauth.refresh(clientId, firstResponse.body['refresh_token'] ?? '')).body['scope']).toBe(
      'clients.read figures.read tasks.read exports.read',
    );
  });

  it('loses access at once when its user or an admin removes it, or it revokes its token', async () => {
    const [removedApp, revokedApp] = [await connect(), await connect()];
    const [{ program_id: id }] = (await admin.get('/open-tax/programs', { company_id: practice.companyId })).body['programs'] as [
      { program_id: string },
    ];
    const member = createBrowser(mcp.instance, practice.cookies.member);
    const removal = { company_id: practice.companyId, program_id: id };
    expect((await member.get('/open-tax/programs', { company_id: practice.companyId })).body['programs']).toEqual([]);
    expect((await member.post('/open-tax/programs/remove', removal)).status).toBe(404);
    expect((await oauth.post('revoke', { token: revokedApp.provider.issued?.access_token ?? '' })).status).toBe(200);
    expect(await oauth.callTools(revokedApp.provider.issued?.access_token ?? '')).toBe(401);
    const remainingRows = (await admin.get('/open-tax/programs', { company_id: practice.companyId })).body['programs'] as ListedApp[];
    const last = remainingRows.find(({ status }) => status === 'active')?.program_id;
    expect((await admin.post('/open-tax/programs/remove', { ...removal, program_id: last })).status).toBe(200);
    await expect(removedApp.call('search_clients')).rejects.toThrow(UnauthorizedError);
    expect(
      (await oauth.refresh(removedApp.provider.information?.client_id ?? '', removedApp.provider.issued?.refresh_token ?? '')).status,
    ).toBe(400);
  });

  it('loses access with its user’s membership, and with a new password', async () => {
    const email = `${randomUUID()}@oakline.example`;
    await portal.deps.database.db.update(users).set({ email }).where(eq(users.id, practice.adminId));
    const token = (await connect()).provider.issued?.access_token ?? '';
    admin = createBrowser(mcp.instance, practice.cookies.member);
    const members = (await connect()).provider.issued?.access_token ?? '';
    const leaver = { company_id: practice.companyId, user_id: practice.memberId };
    expect((await practice.admin.post('/open-tax/team-members/deactivate', { ...leaver, successors: {} })).status).toBe(200);
    expect([await oauth.callTools(token), await oauth.callTools(members)]).toEqual([200, 401]);
    const visitor = openTestBrowser(portal);
    await visitor.post('/password-reset-request', { email });
    expect(
      (await visitor.post('/password-reset', { token: await visitor.findEmailedToken(email), password: 'a long enough one' })).status,
    ).toBe(200);
    expect(await oauth.callTools(token)).toBe(401);
    await portal.runJobs();
    expect(portal.sentEmails.findLast(({ to }) => to === email)?.text).toContain('connected apps have stopped working');
  });
});
