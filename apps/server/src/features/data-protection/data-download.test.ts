/** Tests downloading the data of a user, a company or a practice. */
import { randomBytes, randomUUID } from 'node:crypto';
import { auditEntries, clientFiles, clientPosts, clients, sessions, users } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createTraderWithFiledReturn } from '../../testing/take-advance.ts';
import { createBridgingTrader, createOperatorAccount, signUp, type Trader } from '../../testing/test-trader.ts';
import { unzip } from '../../testing/unzip.ts';

let portal: TestPortal;
let trader: Trader;
let otherTrader: Trader;
let practice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal();
  trader = await createTraderWithFiledReturn(portal, 'tess@data.example', 900);
  otherTrader = await createBridgingTrader(portal, 'olive@data.example');
  practice = await addPractice(portal);
});
afterAll(() => portal.close());

async function download(path: string, cookie: string, query: Record<string, string> = {}) {
  const response = await portal.app.inject({ url: `/portal/v2/data/${path}`, query, headers: { cookie } });
  const files = response.statusCode === 200 ? unzip(response.rawPayload) : new Map<string, string>();
  const read = (name: string) => JSON.parse(files.get(`data/${name}.json`) ?? 'null') as Record<string, unknown>[];
  return { status: response.statusCode, headers: response.headers, files, read, text: [...files.values()].join('\n') };
}

const getUserId = async (email: string): Promise<string> =>
  (await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email)))[0]?.id ?? '';
const listDownloads = (companyId: string) =>
  portal.deps.database.db
    .select({ actor: auditEntries.actor })
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, companyId), eq(auditEntries.action, 'data.downloaded')));

/** Adds the clients in one statement, without their client list rows. */
async function addClients(companyId: string, count: number, createTags = (): string[] => []): Promise<void> {
  const at = portal.deps.clock.now();
  const rows = Array.from({ length: count }, (_, index) => ({
    companyId,
    id: randomUUID(),
    name: `Client ${index} Ltd`,
    kind: 'company' as const,
    status: 'active' as const,
    hasVat: true,
    hasPaye: false,
    hasCt: false,
    hasSa: false,
    tags: createTags(),
    createdAt: at,
    updatedAt: at,
  }));
  await portal.deps.database.db.insert(clients).values(rows);
}

describe('a person’s download', () => {
  it('contains their details, how they log in and what they did, and no one else’s values', async () => {
    const { status, headers, read, files, text } = await download('person', trader.cookie);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/zip', 'no-store']);
    expect(headers['content-disposition']).toContain('my data 2026-11-10.zip');
    expect(read('users')).toMatchObject([{ email: 'tess@data.example', full_name: trader.fullName }]);
    expect(read('memberships')).toMatchObject([{ company_id: trader.companyId, role: 'trader_owner' }]);
    expect(read('sessions')[0]).toMatchObject({ ip: '198.51.100.7' });
    expect(read('filings')).toMatchObject([{ company_id: trader.companyId, fraud_headers: expect.objectContaining({}) }]);
    expect(read('audit_entries').map(({ action }) => action)).toEqual(expect.arrayContaining(['company.saved', 'data.downloaded']));
    for (const secret of ['password', 'token', 'argon2', 'olive@data.example', otherTrader.companyId]) expect(text).not.toContain(secret);
    const index = files.get('index.html') ?? '';
    expect(index).toContain(`Downloaded by ${trader.fullName} (tess@data.example) on 10 November 2026`);
    expect(index).toContain('What isn’t in this download');
    expect(index).not.toContain('<script');
  });

  it('contains what they wrote, answered and sent as a practice’s client, and nothing that its team wrote', async () => {
    const { cookie } = await signUp(portal, 'carl@data.example');
    const userId = await getUserId('carl@data.example');
    const { db } = portal.deps.database;
    const at = portal.deps.clock.now();
    const clientId = await addClient(portal, practice.companyId);
    const post = { companyId: practice.companyId, clientId, authorId: userId, writtenAt: at };
    await db.insert(clientPosts).values([
      { ...post, id: randomUUID(), isFromClient: true, text: 'Written as a client' },
      { ...post, id: randomUUID(), isFromClient: false, text: 'Written by the team' },
    ]);
    const file = {
      companyId: practice.companyId,
      clientId,
      type: 'pdf',
      sizeBytes: 9,
      sha256: 'x',
      uploadedBy: userId,
      uploadedAt: at,
    } as const;
    await db.insert(clientFiles).values([
      { ...file, id: randomUUID(), name: 'receipt.pdf', isFromClient: true },
      { ...file, id: randomUUID(), name: 'papers.pdf', isFromClient: false },
    ]);
    const { read, text } = await download('person', cookie);
    expect(read('client_posts')).toEqual([{ client_id: clientId, text: 'Written as a client', written_at: expect.any(String) }]);
    expect(read('client_files')).toMatchObject([{ client_id: clientId, name: 'receipt.pdf' }]);
    for (const others of ['Written by the team', 'papers.pdf']) expect(text).not.toContain(others);
  });

  it('writes names that look like HTML as text', async () => {
    const { cookie } = await signUp(portal, 'markup@data.example');
    await portal.deps.database.db
      .update(users)
      .set({ fullName: '<img src=x onerror=alert(1)>' })
      .where(eq(users.email, 'markup@data.example'));
    const { files } = await download('person', cookie);
    expect(files.get('index.html')).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(files.get('index.html')).not.toContain('<img');
  });

  it('needs a factor that was confirmed in the last ten minutes, comes from this site, and is limited', async () => {
    const { cookie } = await signUp(portal, 'limits@data.example');
    const userId = await getUserId('limits@data.example');
    const confirmedAt = addMilliseconds(portal.deps.wallClock.now(), -11 * 60_000);
    await portal.deps.database.db.update(sessions).set({ confirmedAt }).where(eq(sessions.userId, userId));
    expect((await download('person', cookie)).status).toBe(403);
    await portal.deps.database.db.update(sessions).set({ confirmedAt: portal.deps.wallClock.now() }).where(eq(sessions.userId, userId));
    const crossSite = { cookie, 'sec-fetch-site': 'cross-site' };
    expect((await portal.app.inject({ url: '/portal/v2/data/person', headers: crossSite })).statusCode).toBe(403);
    const statuses = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await download('person', cookie)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('isn’t available to an operator who views the portal as the person', async () => {
    const cookie = await createOperatorAccount(portal, 'viewer@data.example');
    const viewedUserId = await getUserId('tess@data.example');
    await portal.deps.database.db
      .update(sessions)
      .set({
        viewAs: viewedUserId,
        viewUntil: addMilliseconds(portal.deps.wallClock.now(), 600_000),
        confirmedAt: portal.deps.wallClock.now(),
      })
      .where(eq(sessions.userId, await getUserId('viewer@data.example')));
    expect((await download('person', cookie)).status).toBe(403);
    expect((await download('company', cookie, { company_id: trader.companyId })).status).toBe(403);
  });
});

describe('a company’s download', () => {
  it('contains its returns, books and advances without secrets or our own notes, and is recorded', async () => {
    const { status, read, text, files } = await download('company', trader.cookie, { company_id: trader.companyId });
    expect(status).toBe(200);
    expect(read('companies')).toMatchObject([{ id: trader.companyId, name: 'Tess Exports Ltd' }]);
    expect(read('people')).toMatchObject([{ full_name: trader.fullName, email: 'tess@data.example', role: 'trader_owner' }]);
    expect(read('filings')).toMatchObject([{ state: 'accepted', boxes: expect.objectContaining({}) }]);
    expect(read('books_rows').length).toBeGreaterThan(0);
    expect(read('advances')).toMatchObject([{ refund_pence: 90_000 }]);
    expect(read('bank_accounts')).toMatchObject([{ account_number: '55779911' }]);
    expect(Object.keys(read('hmrc_connections')[0] ?? {})).not.toContain('access_token');
    expect(
      read('audit_entries')
        .map(({ action }) => String(action))
        .filter((action) => action.startsWith('company.')),
    ).toContain('company.saved');
    expect(read('audit_entries').map(({ action }) => action)).not.toContain('company.screened');
    expect(text).not.toContain(otherTrader.companyId);
    expect([...files.keys()].filter((name) => /screening|suspicion/.test(name))).toEqual([]);
    expect(files.get('index.html')).toContain('£900.00');
    expect(await listDownloads(trader.companyId)).toEqual([{ actor: await getUserId('tess@data.example') }]);
  });

  it('isn’t available to others', async () => {
    expect((await download('company', trader.cookie, { company_id: otherTrader.companyId })).status).toBe(404);
    expect((await download('company', '', { company_id: trader.companyId })).status).toBe(401);
    expect((await download('practice', trader.cookie, { company_id: trader.companyId })).status).toBe(404);
    expect((await download('practice', practice.cookies.member, { company_id: practice.companyId })).status).toBe(404);
  });
});

describe('a practice’s download', () => {
  it('contains every client, whatever their number', async () => {
    const largePractice = await addPractice(portal);
    await addClients(largePractice.companyId, 501);
    const clientId = await addClient(portal, largePractice.companyId, { name: 'Näher & Söhne Ltd' });
    await assignClient(portal, largePractice.companyId, clientId, largePractice.memberId);
    const { read } = await download('practice', largePractice.cookies.admin, { company_id: largePractice.companyId });
    expect(new Set(read('clients').map(({ id }) => id)).size).toBe(502);
    expect(read('clients').map(({ name }) => name)).toContain('Näher & Söhne Ltd');
    expect(read('client_members')).toMatchObject([{ client_id: clientId, user_id: largePractice.memberId, duty: 'manager' }]);
    expect(read('people')).toHaveLength(2);
    expect(await listDownloads(largePractice.companyId)).toEqual([{ actor: largePractice.adminId }]);
  });

  it('completes even if it is read slowly, over a real connection', async () => {
    const slow = await addPractice(portal);
    // Larger than a connection's buffer, and incompressible.
    await addClients(slow.companyId, 600, () => [randomBytes(15_000).toString('base64')]);
    const url = `${portal.url}/portal/v2/data/practice?company_id=${slow.companyId}`;
    const response = await fetch(url, { headers: { cookie: slow.cookies.admin } });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk as Uint8Array);
      await portal.deps.database.db.select({ id: clients.id }).from(clients).limit(1);
    }
    const files = unzip(Buffer.concat(chunks));
    expect((JSON.parse(files.get('data/clients.json') ?? '[]') as unknown[]).length).toBe(600);
    expect(files.has('index.html')).toBe(true);
  });
});
