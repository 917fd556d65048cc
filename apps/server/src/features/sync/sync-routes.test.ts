import { randomUUID } from 'node:crypto';
import { sessions } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken, startSession } from '../../http/session.ts';
import { assignClient } from '../../testing/add-practice.ts';
import { createOaklinePractice, type OaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { rebuildPositions } from '../positions/rebuild-position.ts';
import { formatProgress } from './refresh-progress.ts';

let portal: TestPortal;
let practice: OaklinePractice;
/** The client assigned to the team member. */
let ownClientId: string;
let otherClientId: string;

beforeAll(async () => {
  portal = await openTestPortal();
  practice = await createOaklinePractice(portal, { clients: 30, isIncluded: ({ situation }) => situation !== 'no_data' });
  ownClientId = practice.getClientId('overdue_payment');
  otherClientId = practice.getClientId('refund_coming');
  await assignClient(portal, practice.companyId, ownClientId, practice.memberId);
  const { clock, database } = portal.deps;
  for (const tax of ['paye', 'ct', 'sa'] as const) {
    const clientIds = practice.list.map(({ id }) => id);
    await database.db.transaction((tx) =>
      rebuildPositions(tx, { companyId: practice.companyId, tax, clientIds, today: clock.today(), now: clock.now() }),
    );
  }
  await practice.admin.post('/open-tax/sync', { company_id: practice.companyId, tax_type: 'vat' });
  await portal.runJobs();
});
afterAll(() => portal.close());

const buildQuery = (extra: Record<string, string> = {}) => ({ company_id: practice.companyId, ...extra });
const getVatCounts = async () =>
  ((await practice.admin.get('/open-tax/refreshing-clients', buildQuery({ tax_type: 'vat' }))).body['run'] as { counts: unknown }).counts;
type Items = readonly { readonly client_id: string; readonly due_on: string; readonly key: string }[];

it.each([
  [{ total: 118, done: 96, failed: 3, waiting: 0 }, 'Refreshing VAT for 118 clients: 96 done, 3 failed, 19 queued'],
  [{ total: 1, done: 0, failed: 0, waiting: 0 }, 'Refreshing VAT for 1 client: 0 done, 0 failed, 1 queued'],
  [
    { total: 7021, done: 6012, failed: 0, waiting: 12 },
    'Refreshing VAT for 7,021 clients: 6,012 done, 0 failed, 1,009 queued (12 will be retried)',
  ],
  [
    { total: 1000, done: 40, failed: 1, waiting: 0, not_authorised: 58 },
    'Refreshing VAT for 1,000 clients: 40 done, 1 failed, 58 not authorised, 901 queued',
  ],
])('the sentence for %j is as documented', (counts, sentence) => {
  expect(formatProgress('vat', { not_authorised: 0, ...counts })).toBe(sentence);
});

describe('a refresh', () => {
  it('reports counts, a sentence while it runs, and reasons with example clients', async () => {
    await practice.admin.post('/open-tax/sync', { ...buildQuery(), tax_type: 'vat' });
    await portal.runJobs();
    const vat = practice.list.filter(({ client }) => client.taxes.includes('vat')).length;
    const { body } = await practice.admin.get('/open-tax/sync-data', buildQuery({ tax_type: 'vat' }));
    expect(body).toMatchObject({ clients: vat, run: { state: 'completed', counts: { total: vat, queued: 0, reading: 0 } } });
    const failures = body['failures'] as { code: string; clients: number; examples: unknown[] }[];
    expect(failures.map(({ code }) => code).toSorted()).toEqual(['insolvent']);
    // Clients that haven't authorised the practice aren't failures. Every client has exactly one status.
    const statuses = body['authorisations'] as { status: string; clients: number }[];
    expect(statuses.map(({ status }) => status)).toEqual(['authorised', 'not_started', 'suspended']);
    expect(statuses.reduce((sum, item) => sum + item.clients, 0)).toBe(vat);
    expect(await practice.admin.get('/open-tax/refreshing-clients', buildQuery({ tax_type: 'vat' }))).toMatchObject({
      body: { is_refreshing: false, sentence: null },
    });
  });

  it('counts exactly the clients in the lists that its numbers link to, without archived ones', async () => {
    const count = async (tax: 'vat' | 'sa', filters: Record<string, string>) =>
      (await practice.admin.get('/open-tax/client-companies/count', buildQuery({ status: 'in_hand', tax, ...filters }))).body['count'];
    const setStatus = (ids: string[], status: string) =>
      practice.admin.post('/open-tax/client-companies/status', { company_id: practice.companyId, client_ids: ids, status });
    const archivedClientIds = [ownClientId, practice.getClientId('insolvent')];
    for (const [ids, status] of [
      [[], 'inactive'],
      [archivedClientIds, 'inactive'],
      [archivedClientIds, 'active'],
    ] as const) {
      if (ids.length > 0) await setStatus([...ids], status);
      for (const tax of ['vat', 'sa'] as const) {
        const { body } = await practice.admin.get('/open-tax/sync-data', buildQuery({ tax_type: tax }));
        const failures = (body['failures'] as { clients: number }[]).reduce((sum, { clients }) => sum + clients, 0);
        const foundStatus = { clients: body['clients'], never_read: body['never_read'], never_asked: body['never_asked'], failures };
        expect(foundStatus).toEqual({
          clients: await count(tax, {}),
          never_read: await count(tax, { figures: 'unread' }),
          never_asked: tax === 'sa' ? await count(tax, { refresh: 'without_nino' }) : 0,
          failures: await count(tax, { refresh: 'failed' }),
        });
        for (const [list, refresh] of [
          ['failures', 'failed'],
          ['waits', 'waiting'],
        ] as const)
          for (const { code, clients } of body[list] as { code: string; clients: number }[])
            expect([code, await count(tax, { refresh, refresh_reason: code })]).toEqual([code, clients]);
        // A client that has been read must not hide one that hasn't.
        if (tax === 'vat')
          expect(foundStatus).toMatchObject({ never_read: expect.any(Number), failures: ids.length > 0 && status === 'inactive' ? 0 : 1 });
      }
    }
  });

  it('counts exactly the clients in the lists that a run’s numbers link to', async () => {
    const check = async (browser: typeof practice.admin) => {
      const { body } = await browser.get('/open-tax/refreshing-clients', buildQuery({ tax_type: 'vat' }));
      const counts = (body['run'] as { counts: Record<string, number> }).counts;
      const { total = 0, done = 0, failed = 0, not_authorised: refusedCount = 0 } = counts;
      const groups = {
        run: total,
        run_done: done,
        run_failed: failed,
        run_not_authorised: refusedCount,
        run_queued: total - done - failed - refusedCount,
      };
      for (const [refresh, clients] of Object.entries(groups)) {
        const response = await browser.get('/open-tax/client-companies/count', buildQuery({ tax: 'vat', refresh }));
        expect([refresh, response.body['count']]).toEqual([refresh, clients]);
      }
      return groups;
    };
    await practice.admin.post('/open-tax/sync', { ...buildQuery(), tax_type: 'vat' });
    expect(await check(practice.admin)).toMatchObject({ run_done: 0, run_queued: expect.not.toBeOneOf([0]) });
    await portal.runJobs();
    const endedCounts = await check(practice.admin);
    expect([endedCounts.run_queued, endedCounts.run_failed, endedCounts.run_done > 0, endedCounts.run_not_authorised > 0]).toEqual([
      0,
      1,
      true,
      true,
    ]);
    expect(await check(practice.member)).toMatchObject({ run: 1 });
  });

  it('shows a sentence while it runs, until it is cancelled', async () => {
    await practice.admin.post('/open-tax/sync', { ...buildQuery(), tax_type: 'vat', client_ids: [ownClientId, otherClientId] });
    expect(await practice.admin.get('/open-tax/refreshing-clients', buildQuery({ tax_type: 'vat' }))).toMatchObject({
      body: { is_refreshing: true, sentence: 'Refreshing VAT for 2 clients: 0 done, 0 failed, 2 queued' },
    });
    // A team member sees only their own clients in a run.
    expect(await practice.member.get('/open-tax/refreshing-clients', buildQuery({ tax_type: 'vat' }))).toMatchObject({
      body: { sentence: 'Refreshing VAT for 1 client: 0 done, 0 failed, 1 queued' },
    });
    expect((await practice.member.post('/open-tax/sync/cancel', { ...buildQuery(), tax_type: 'vat' })).status).toBe(404);
    expect((await practice.admin.post('/open-tax/sync/cancel', { ...buildQuery(), tax_type: 'vat' })).body).toEqual({ cancelled: true });
    // Both have been read before, but not yet in this run.
    expect(await getVatCounts()).toMatchObject({ total: 2, queued: 2, done: 0, failed: 0 });
  });

  it('by filter requires the number of clients that the user saw', async () => {
    const startByFilter = (browser: typeof practice.admin, filters: object, count: number) =>
      browser.post('/open-tax/sync', { ...buildQuery(), tax_type: 'vat', matching: { filters, count } });
    expect(await startByFilter(practice.member, { tax: 'vat' }, 2)).toMatchObject({ status: 409, body: { details: { found: 1 } } });
    expect(await startByFilter(practice.member, { tax: 'vat' }, 1)).toMatchObject({ status: 200, body: { queued: 1 } });
    const vat = practice.list.filter(({ client }) => client.taxes.includes('vat')).length;
    // Joins the run, which already includes one of the clients.
    expect(await startByFilter(practice.admin, { tax: 'vat' }, vat)).toMatchObject({
      status: 200,
      body: { queued: vat - 1, joined: true },
    });
    await practice.admin.post('/open-tax/sync/cancel', { ...buildQuery(), tax_type: 'vat' });
  });

  it('is rejected for a tax that HMRC does not offer, because a statement is needed', async () => {
    expect(await practice.admin.post('/open-tax/sync', { ...buildQuery(), tax_type: 'ct' })).toMatchObject({
      status: 409,
      body: { code: 'sync.no_source' },
    });
    expect(await practice.admin.get('/open-tax/connection-status', buildQuery({ tax_type: 'paye' }))).toMatchObject({
      body: { source: 'statement', can_refresh: false, connection: { status: 'connected' } },
    });
    expect((await practice.admin.get('/open-tax/accountant-connections', buildQuery())).body).toMatchObject({
      connections: [{ provider: 'hmrc', status: 'connected' }],
    });
  });

  it('with "retry" covers only the failed clients', async () => {
    const { body } = await practice.admin.post('/open-tax/sync/retry', { ...buildQuery(), tax_type: 'vat' });
    const failedClients = practice.list.filter(
      ({ client }) => client.taxes.includes('vat') && /authori|link_sent|insolvent/.test(client.situation),
    ).length;
    expect(body['queued']).toBe(failedClients);
    await portal.runJobs();
  });
});

describe('a team member', () => {
  const TAX_YEAR = { tax_year: '2026-27' };
  const CLIENT_PATHS = [
    '/client/sync-data',
    '/client/vat-summary',
    '/client/paye-summary',
    '/client/corp-tax-summary',
    '/client/self-assessment-summary',
    '/open-tax/vat-return-and-refund-list',
    '/open-tax/paye-summary',
    '/open-tax/corp-summary/tax-periods',
    '/open-tax/self-assessment-summary/tax-periods',
    '/open-tax/self-assessment-summary/payments',
    '/open-tax/get-vat-return-period-end-date',
  ];

  it.each(CLIENT_PATHS)('gets %s for an assigned client and 404 for any other', async (path) => {
    expect((await practice.member.get(path, buildQuery({ client_id: ownClientId, ...TAX_YEAR }))).status).toBe(200);
    expect((await practice.member.get(path, buildQuery({ client_id: otherClientId, ...TAX_YEAR }))).status).toBe(404);
    expect((await practice.member.get(path, buildQuery({ client_id: randomUUID(), ...TAX_YEAR }))).status).toBe(404);
    expect((await practice.admin.get(path, buildQuery({ client_id: otherClientId, ...TAX_YEAR }))).status).toBe(200);
  });

  it('gets the taxes of an assigned client only', async () => {
    expect((await practice.member.get('/open-tax/client-taxes', buildQuery({ client_company_id: otherClientId }))).status).toBe(404);
    const { body } = await practice.member.get('/open-tax/client-taxes', buildQuery({ client_company_id: ownClientId }));
    expect(body['taxes']).toContainEqual(expect.objectContaining({ tax: 'vat', authorisation: 'authorised' }));
  });

  it.each(['upcoming-vat-amounts', 'corp-summary/upcoming-amounts', 'upcoming-paye-amounts', 'self-assessment-summary/upcoming-amounts'])(
    'sees only assigned clients in %s, an admin pages through all',
    async (name) => {
      const memberItems = (await practice.member.get(`/open-tax/${name}`, buildQuery())).body['items'] as Items;
      expect(memberItems.filter(({ client_id }) => client_id !== ownClientId)).toEqual([]);
      expect((await practice.member.get(`/open-tax/${name}`, buildQuery({ client_id: otherClientId }))).body['items']).toEqual([]);
      const allItems = (await practice.admin.get(`/open-tax/${name}`, buildQuery({ limit: '200' }))).body['items'] as Items;
      expect(allItems.length).toBeGreaterThan(memberItems.length);
      const pagedItems: Items[number][] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body } = await practice.admin.get(`/open-tax/${name}`, buildQuery({ limit: '7', ...(cursor ? { cursor } : {}) }));
        pagedItems.push(...(body['items'] as Items));
        cursor = body['next_cursor'] as string | null;
      }
      expect(pagedItems.slice(0, 200)).toEqual(allItems);
      expect(pagedItems.map(({ due_on }) => due_on)).toEqual(pagedItems.map(({ due_on }) => due_on).toSorted());
    },
  );

  it('gets counts of assigned clients only', async () => {
    const { body } = await practice.member.get('/open-tax/sync-data', buildQuery({ tax_type: 'vat' }));
    expect(body).toMatchObject({ clients: 1, states: { completed: 1, failed: 0 }, failures: [] });
    const statusResponse = await practice.member.get('/open-tax/connection-status', buildQuery({ tax_type: 'vat' }));
    expect(statusResponse.body['authorisations']).toEqual([{ status: 'authorised', clients: 1 }]);
    const peopleResponse = await practice.member.get('/open-tax/self-assessment/clients', buildQuery());
    expect(peopleResponse.body['clients']).toEqual([]);
  });

  it('refreshes assigned clients only', async () => {
    const { body } = await practice.member.post('/open-tax/sync', { ...buildQuery(), tax_type: 'vat' });
    expect(body['queued']).toBe(1);
    expect(
      (await practice.member.post('/open-tax/sync', { ...buildQuery(), tax_type: 'vat', client_ids: [otherClientId] })).body['queued'],
    ).toBe(0);
    await portal.runJobs();
  });
});

describe("a client's VAT", () => {
  it('has the returns of a year, its earliest year and its next period end', async () => {
    const list = (
      await practice.admin.get('/open-tax/vat-return-and-refund-list', buildQuery({ client_id: ownClientId, tax_year: '2026-27' }))
    ).body;
    const periodEnds = (list['periods'] as { end: string }[]).map(({ end }) => end);
    expect(periodEnds.length).toBeGreaterThan(0);
    expect(periodEnds.every((end) => end >= '2026-04-01' && end <= '2027-03-31')).toBe(true);
    const { body } = await practice.admin.get('/open-tax/get-vat-minimum-year', buildQuery({ client_id: ownClientId }));
    expect(body['minimum_year']).toBeLessThanOrEqual(2026);
    const nextResponse = await practice.admin.get('/open-tax/get-vat-return-period-end-date', buildQuery({ client_id: ownClientId }));
    expect(nextResponse.body).toMatchObject({ source: 'hmrc', period_end: expect.stringMatching(/^2026-/) });
  });

  it('is rejected for an invalid tax year', async () => {
    expect((await practice.admin.get('/open-tax/paye-summary', buildQuery({ client_id: ownClientId, tax_year: 'now' }))).status).toBe(400);
  });
});

describe('the progress stream', () => {
  const openStream = async (cookie: string, signal: AbortSignal) =>
    fetch(`${portal.url}/portal/open-tax/sync-events?company_id=${practice.companyId}`, { headers: { cookie }, signal });

  it('sends the full state at once and every change; another practice gets 404', async () => {
    const stop = new AbortController();
    const response = await openStream(practice.cookies.admin, stop.signal);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const reader = response.body?.getReader();
    let receivedText = '';
    const waitForText = async (text: string) => {
      while (!receivedText.includes(text)) receivedText += new TextDecoder().decode((await reader?.read())?.value);
    };
    await waitForText('event: progress\ndata: [{"tax_type":"vat","is_refreshing":false');
    await waitForText('event: connections\ndata: {"arn":"AARN0000002"');
    await waitForText('event: fetching\ndata: {"state":null');
    await practice.admin.post('/open-tax/sync', { ...buildQuery(), tax_type: 'vat', client_ids: [ownClientId] });
    await waitForText('Refreshing VAT for 1 client: 0 done, 0 failed, 1 queued');
    await practice.admin.post('/open-tax/sync/cancel', { ...buildQuery(), tax_type: 'vat' });
    stop.abort();
    const outsiderResponse = await fetch(`${portal.url}/portal/open-tax/sync-events?company_id=${randomUUID()}`, {
      headers: { cookie: practice.cookies.admin },
    });
    expect(outsiderResponse.status).toBe(404);
    expect((await fetch(`${portal.url}/portal/open-tax/sync-events?company_id=${practice.companyId}`)).status).toBe(401);
  });

  it('sends a team member nothing about imports', async () => {
    const stop = new AbortController();
    const response = await openStream(practice.cookies.member, stop.signal);
    const reader = response.body?.getReader();
    let receivedText = '';
    while (!receivedText.includes('event: connections')) receivedText += new TextDecoder().decode((await reader?.read())?.value);
    const nextChunk = await Promise.race([
      reader?.read(),
      new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), 300)),
    ]);
    stop.abort();
    expect(receivedText + new TextDecoder().decode(nextChunk?.value)).not.toContain('fetching');
  });

  it('ends with the session', async () => {
    const { database, wallClock } = portal.deps;
    const token = await startSession(database.db, wallClock, { userId: practice.memberId, signInMethod: 'link', ip: '', userAgent: '' });
    const response = await openStream(`portal_session=${token}`, AbortSignal.timeout(30_000));
    await database.db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)));
    expect(await response.text()).toContain('event: signed_out');
  });
});
