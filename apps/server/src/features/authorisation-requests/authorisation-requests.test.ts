/** Tests creating authorisation requests for many clients at the HMRC simulator (docs/reference/hmrc.md section 5). */
import { auditEntries, clientAuthorisations, clientRows, clients, hmrcConnections } from '@portal/db/schema/schema.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { PortfolioClient } from '@portal/sandbox/portfolio/portfolio-client.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addKnownClient, connectAsAgent } from '../../testing/agent-steps.ts';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let portfolio: readonly PortfolioClient[];

beforeAll(async () => {
  portal = await openTestPortal();
  portfolio = portal.agents.loadPortfolio({ clients: 900, seed: 7, today: portal.deps.clock.today() }).list;
});
afterAll(() => portal.close());

const usedReferences = new Set<string>();

/**
 * Adds a connected practice with VAT clients: some without a request, one authorised, one without a VAT registration date, one without VAT.
 */
async function addPracticeWithClients(count: number) {
  const practice = await addPractice(portal);
  const { companyId } = practice;
  await connectAsAgent(portal, companyId);
  const take = (situation: PortfolioClient['situation']): PortfolioClient => {
    const foundClient = portfolio.find((item) => item.situation === situation && item.vat !== undefined && !usedReferences.has(item.code));
    if (!foundClient) throw new Error(`no further client is ${situation}`);
    usedReferences.add(foundClient.code);
    return foundClient;
  };
  const add = async (item: PortfolioClient, registeredOn?: PlainDate): Promise<string> => {
    const id = await addKnownClient(portal, companyId, item);
    if (registeredOn !== undefined) {
      await portal.deps.database.db.update(clients).set({ vatRegisteredOn: registeredOn }).where(eq(clients.id, id));
    }
    return id;
  };
  const seededClients = Array.from({ length: count }, () => take('never_authorised'));
  const ids: string[] = [];
  for (const client of seededClients) ids.push(await add(client));
  const query = { company_id: companyId, tax: 'vat' };
  const load = async () => (await practice.admin.get('/open-tax/authorisation-requests', query)).body['run'] as Run | null;
  return { practice, ids, seeded: seededClients, add, take, query, load };
}

type Run = {
  run_id: string;
  total: number;
  queued: number;
  ended_at: string | null;
  reason: string | null;
  outcomes: { outcome: string; clients: number }[];
};
const matchAll = (filters: object, count: number) => ({ matching: { filters, count } });
const post = (practice: TestPractice, path: string, body: object) => practice.admin.post(`/open-tax/authorisation-requests${path}`, body);
const countOutcomes = (run: Run | null) => Object.fromEntries(run?.outcomes.map(({ outcome, clients: found }) => [outcome, found]) ?? []);

type Group = { clients: number; sample: { client_id: string }[] };

/** Checks that each number in a preview links to exactly its clients. */
async function expectListsOfPreview(practice: TestPractice, tax: 'vat' | 'sa', count: number) {
  const listedResponse = await practice.admin.get('/open-tax/client-companies', { company_id: practice.companyId, limit: '200' });
  const ids = (listedResponse.body['clients'] as { client_id: string }[]).map(({ client_id: id }) => id);
  const { body: previewBody } = await post(practice, '/preview', { company_id: practice.companyId, tax, client_ids: ids });
  const { body: matchingBody } = await post(practice, '/preview', { company_id: practice.companyId, tax, ...matchAll({}, count) });
  expect(matchingBody['skipped']).toMatchObject((previewBody['skipped'] as Group[]).map(({ clients: found }) => ({ clients: found })));
  const skippedGroups = previewBody['skipped'] as (Group & { reason: string })[];
  const groups = [
    { reason: 'ready', clients: previewBody['ready'] as number, sample: previewBody['sample'] as Group['sample'] },
    ...skippedGroups,
  ];
  expect(groups.reduce((sum, group) => sum + group.clients, 0)).toBe(count);
  for (const { reason, clients: found, sample } of groups) {
    const query = { company_id: practice.companyId, request_plan: `${tax}:${reason}` };
    const { body } = await practice.admin.get('/open-tax/client-companies', { ...query, limit: '200' });
    const shownIds = (body['clients'] as { client_id: string }[]).map(({ client_id: id }) => id);
    expect([reason, shownIds.toSorted()]).toEqual([reason, sample.map(({ client_id: id }) => id).toSorted()]);
    expect(shownIds).toHaveLength(found);
  }
  return groups.map(({ reason }) => reason);
}

describe('authorisation requests for many clients', () => {
  it('show in the list exactly the clients that each number of the preview counts, for every reason', async () => {
    const practice = await addPractice(portal);
    const { db } = portal.deps.database;
    const today = portal.deps.clock.today();
    const add = async (facts: Partial<typeof clients.$inferInsert>, taxes: ('vat' | 'sa' | 'paye')[] = ['vat', 'sa']): Promise<string> => {
      const id = await addClient(portal, practice.companyId, { taxes });
      if (Object.keys(facts).length > 0) await db.update(clients).set(facts).where(eq(clients.id, id));
      return id;
    };
    const vrns = ['482193730', '482193731', '482193732', '482193733', '482193734', '482193735', '482193736', '482193737', '482193738'];
    const createCompleteFacts = () => ({ vrn: vrns.pop() ?? '', vatRegisteredOn: addDays(today, -900), postcode: 'M1 1AA' });
    const statuses = ['authorised', 'expiring', 'suspended', 'link_sent', 'link_sent', 'expired', 'revoked', 'unsupported'] as const;
    for (const [place, status] of statuses.entries()) {
      const clientId = await add(createCompleteFacts());
      for (const tax of ['vat', 'sa'] as const)
        await db.insert(clientAuthorisations).values({
          companyId: practice.companyId,
          clientId,
          tax,
          status,
          // The first request has a link. The second has none, so it is created again.
          clientActionUrl: place === 3 ? 'https://hmrc.example/1' : null,
          sentAt: portal.deps.clock.now(),
          expiresOn: addDays(today, 10),
          checkedAt: portal.deps.clock.now(),
        });
    }
    await add(createCompleteFacts());
    await add({ nino: 'AA123456A', vrn: '482193740' });
    await add({}, ['paye']);
    await add({ vatGroupRole: 'member' }, ['paye']);
    const closedId = await add({ status: 'closed' });
    await db.update(clientRows).set({ status: 'closed' }).where(eq(clientRows.clientId, closedId));
    const reasons = await expectListsOfPreview(practice, 'vat', 13);
    expect(reasons.toSorted()).toEqual(['authorised', 'in_vat_group', 'insolvent', 'no_fact', 'no_tax', 'not_current', 'pending', 'ready']);
    expect(await expectListsOfPreview(practice, 'sa', 13)).toEqual(expect.arrayContaining(['no_fact', 'no_reference']));
  });

  it('are counted with a sample first, created at HMRC, and their links can be copied and downloaded', async () => {
    const { practice, ids, add, take, query, load } = await addPracticeWithClients(4);
    const authorisedId = await add(take('up_to_date'));
    await practice.admin.post('/open-tax/authorisations/check', { company_id: practice.companyId, client_id: authorisedId, tax: 'vat' });
    await addClient(portal, practice.companyId, { name: 'Without registration date', vrn: '482193730', taxes: ['vat'] });
    await addClient(portal, practice.companyId, { name: 'PAYE only', taxes: ['paye'] });
    const selection = matchAll({}, 7);
    const previewResponse = await post(practice, '/preview', { ...query, ...selection });
    expect(previewResponse.body).toMatchObject({
      ready: 4,
      minutes: 1,
      skipped: [
        { reason: 'no_tax', clients: 1 },
        { reason: 'authorised', clients: 1 },
        { reason: 'no_fact', clients: 1 },
      ],
    });
    expect(previewResponse.body['sample']).toHaveLength(4);
    await expectListsOfPreview(practice, 'vat', 7);
    expect(await load()).toBeNull();
    expect((await post(practice, '', { ...query, ...selection, count: 4 })).body).toMatchObject({ queued: 4 });
    const repeatedResponse = await post(practice, '', { ...query, ...selection, count: 4 });
    expect([repeatedResponse.status, repeatedResponse.body['code']]).toEqual([409, 'requests.running']);
    expect(await load()).toMatchObject({ total: 4, queued: 4, ended_at: null });
    await portal.runJobs();
    const run = await load();
    expect(run).toMatchObject({ total: 4, queued: 0, ended_at: expect.any(String), reason: null });
    const outcomes = countOutcomes(run);
    for (const [kind, clients] of [
      ['requests', 4] as const,
      ...Object.entries(outcomes).map(([outcome, found]) => [`requests_${outcome}`, found] as const),
    ]) {
      const listedResponse = await practice.admin.get('/open-tax/client-companies/count', {
        company_id: practice.companyId,
        action: `${kind}:${run?.run_id}`,
      });
      expect([kind, listedResponse.body['count']]).toEqual([kind, clients]);
    }
    // Some of these clients already have a request, created on HMRC's website. It is found, not duplicated.
    expect((outcomes['created'] ?? 0) + (outcomes['pending'] ?? 0)).toBe(4);
    const { body } = await practice.admin.get('/open-tax/authorisation-requests/links', query);
    const links = body['links'] as { client_id: string; url: string; expires_on: string }[];
    expect(links.map(({ client_id }) => client_id).toSorted()).toEqual(ids.toSorted());
    for (const { url } of links) expect(url).toMatch(/^https?:/);
    const countedResponse = await practice.admin.get('/open-tax/client-companies/count', {
      company_id: practice.companyId,
      tax: 'vat',
      authorisation: 'pending',
    });
    expect(countedResponse.body).toMatchObject({ count: 4 });
    const fileResponse = await portal.app.inject({
      url: '/portal/open-tax/authorisation-requests/links-file',
      query,
      headers: { cookie: practice.cookies.admin },
    });
    expect(fileResponse.headers['content-disposition']).toBe('attachment; filename="authorisation-links-vat-2026-11-10.csv"');
    expect(fileResponse.body.trimEnd().split('\r\n')).toHaveLength(5);
    expect(fileResponse.body).toContain('No email address');
    const entries = await portal.deps.database.db
      .select({ action: auditEntries.action })
      .from(auditEntries)
      .where(eq(auditEntries.companyId, practice.companyId));
    const actions = entries.map(({ action }) => action);
    expect(actions.filter((action) => action === 'authorisation.requested')).toHaveLength(4);
    expect(actions).toEqual(expect.arrayContaining(['authorisation_requests.started', 'authorisation_requests.links_exported']));
  });

  it('are not created when the number has changed since it was shown', async () => {
    const { practice, ids, query, load } = await addPracticeWithClients(2);
    const response = await post(practice, '', { ...query, client_ids: ids, count: 3 });
    expect([response.status, response.body['code']]).toEqual([409, 'requests.count_changed']);
    expect(await load()).toBeNull();
  });

  it('continue after HMRC’s rate limit, and name what HMRC rejects', async () => {
    const { practice, ids, add, take, query, load } = await addPracticeWithClients(2);
    const wrongId = await add(take('never_authorised'), '1999-01-01' as PlainDate);
    portal.faults.set({ operation: 'hmrc.send_invitation', kind: 'too_many', times: 1 });
    await post(practice, '', { ...query, client_ids: [...ids, wrongId], count: 3 });
    await portal.runJobs();
    const outcomes = countOutcomes(await load());
    expect(outcomes['wrong_fact']).toBe(1);
    expect((outcomes['created'] ?? 0) + (outcomes['pending'] ?? 0)).toBe(2);
  });

  it('stop when the connection ends or the user cancels them', async () => {
    const { practice, ids, query, load } = await addPracticeWithClients(2);
    await post(practice, '', { ...query, client_ids: ids, count: 2 });
    expect((await post(practice, '/cancel', query)).body).toEqual({ cancelled: true });
    await portal.runJobs();
    expect(await load()).toMatchObject({ queued: 2, reason: 'cancelled' });
    await post(practice, '', { ...query, client_ids: ids, count: 2 });
    await portal.deps.database.db
      .update(hmrcConnections)
      .set({ status: 'lapsed' })
      .where(eq(hmrcConnections.companyId, practice.companyId));
    await portal.runJobs();
    expect(await load()).toMatchObject({ queued: 2, reason: 'connection_ended' });
    const response = await post(practice, '', { ...query, client_ids: ids, count: 2 });
    expect([response.status, response.body['code']]).toEqual([409, 'hmrc.not_connected']);
  });

  it('of a team member reach only assigned clients', async () => {
    const { practice, ids, query } = await addPracticeWithClients(2);
    await assignClient(portal, practice.companyId, ids[0] ?? '', practice.memberId);
    const body = { ...query, client_ids: ids };
    expect((await practice.member.post('/open-tax/authorisation-requests/preview', body)).body).toMatchObject({ ready: 1 });
    expect((await practice.member.post('/open-tax/authorisation-requests', { ...body, count: 1 })).body).toMatchObject({ queued: 1 });
    const otherPractice = await addPractice(portal);
    expect((await otherPractice.admin.post('/open-tax/authorisation-requests/preview', body)).status).toBe(404);
    expect((await otherPractice.admin.get('/open-tax/authorisation-requests/links', query)).status).toBe(404);
    const stored = await portal.deps.database.db
      .select({ id: clients.id })
      .from(clients)
      .where(and(eq(clients.companyId, practice.companyId)));
    expect(stored).toHaveLength(2);
  });
});
