/** Creating authorisation requests for many clients at the HMRC simulator (docs/reference/hmrc.md section 5). */
import { auditEntries, clients, hmrcConnections, practices } from '@portal/db/schema/schema.ts';
import { AGENT_SCOPES } from '@portal/providers/hmrc-agent/agent-scopes.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { PortfolioClient } from '@portal/sandbox/portfolio/portfolio-client.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addHmrcConnection, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let portfolio: readonly PortfolioClient[];

beforeAll(async () => {
  portal = await openTestPortal();
  portfolio = portal.agents.loadPortfolio({ clients: 900, seed: 7, today: portal.deps.clock.today() }).list;
});
afterAll(() => portal.close());

const used = new Set<string>();

/** A connected practice with VAT clients: some to request, one authorised, one without a VAT registration date, one without VAT. */
async function addPracticeWithClients(count: number) {
  const practice = await addPractice(portal);
  const { companyId } = practice;
  await portal.deps.database.db.update(practices).set({ arn: OAKLINE.arn }).where(eq(practices.companyId, companyId));
  const url = portal.deps.hmrc.authorizeUrl({ state: 'a-state', scopes: AGENT_SCOPES });
  const answer = await fetch(`${url}&sandbox_user=${OAKLINE.hmrcUserId}`, { redirect: 'manual' });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  await addHmrcConnection(portal, companyId, await portal.deps.hmrc.exchangeCode({ code }));
  const take = (situation: PortfolioClient['situation']): PortfolioClient => {
    const found = portfolio.find((one) => one.situation === situation && one.vat !== undefined && !used.has(one.code));
    if (!found) throw new Error(`no further client is ${situation}`);
    used.add(found.code);
    return found;
  };
  const add = async ({ name, kind, vat }: PortfolioClient, registeredOn = vat?.registeredOn ?? null): Promise<string> => {
    const id = await addClient(portal, companyId, { name, kind, taxes: ['vat'], ...(vat ? { vrn: vat.vrn } : {}) });
    await portal.deps.database.db.update(clients).set({ vatRegisteredOn: registeredOn }).where(eq(clients.id, id));
    return id;
  };
  const seeded = Array.from({ length: count }, () => take('never_authorised'));
  const ids: string[] = [];
  for (const one of seeded) ids.push(await add(one));
  const query = { company_id: companyId, tax: 'vat' };
  const load = async () => (await practice.admin.get('/open-tax/authorisation-requests', query)).body['run'] as Run | null;
  return { practice, ids, seeded, add, take, query, load };
}

type Run = {
  run_id: string;
  total: number;
  queued: number;
  ended_at: string | null;
  reason: string | null;
  outcomes: { outcome: string; clients: number }[];
};
const all = (filters: object, count: number) => ({ matching: { filters, count } });
const post = (practice: TestPractice, path: string, body: object) => practice.admin.post(`/open-tax/authorisation-requests${path}`, body);
const countOutcomes = (run: Run | null) => Object.fromEntries(run?.outcomes.map(({ outcome, clients: found }) => [outcome, found]) ?? []);

describe('authorisation requests for many clients', () => {
  it('are counted with a sample first, created at HMRC, and their links can be copied and downloaded', async () => {
    const { practice, ids, add, take, query, load } = await addPracticeWithClients(4);
    const authorisedId = await add(take('up_to_date'));
    await practice.admin.post('/open-tax/authorisations/check', { company_id: practice.companyId, client_id: authorisedId, tax: 'vat' });
    await addClient(portal, practice.companyId, { name: 'Without registration date', vrn: '482193730', taxes: ['vat'] });
    await addClient(portal, practice.companyId, { name: 'PAYE only', taxes: ['paye'] });
    const selection = all({}, 7);
    const preview = await post(practice, '/preview', { ...query, ...selection });
    expect(preview.body).toMatchObject({
      ready: 4,
      minutes: 1,
      skipped: [
        { reason: 'no_tax', clients: 1 },
        { reason: 'authorised', clients: 1 },
        { reason: 'no_fact', clients: 1 },
      ],
    });
    expect(preview.body['sample']).toHaveLength(4);
    expect(await load()).toBeNull();
    expect((await post(practice, '', { ...query, ...selection, count: 4 })).body).toMatchObject({ queued: 4 });
    const again = await post(practice, '', { ...query, ...selection, count: 4 });
    expect([again.status, again.body['code']]).toEqual([409, 'requests.running']);
    expect(await load()).toMatchObject({ total: 4, queued: 4, ended_at: null });
    await portal.runJobs();
    const run = await load();
    expect(run).toMatchObject({ total: 4, queued: 0, ended_at: expect.any(String), reason: null });
    const outcomes = countOutcomes(run);
    for (const [kind, clients] of [
      ['requests', 4] as const,
      ...Object.entries(outcomes).map(([outcome, found]) => [`requests_${outcome}`, found] as const),
    ]) {
      const listed = await practice.admin.get('/open-tax/client-companies/count', {
        company_id: practice.companyId,
        action: `${kind}:${run?.run_id}`,
      });
      expect([kind, listed.body['count']]).toEqual([kind, clients]);
    }
    // Some of these clients already have a request, created on HMRC's website. It is found, not duplicated.
    expect((outcomes['created'] ?? 0) + (outcomes['pending'] ?? 0)).toBe(4);
    const { body } = await practice.admin.get('/open-tax/authorisation-requests/links', query);
    const links = body['links'] as { client_id: string; url: string; expires_on: string }[];
    expect(links.map(({ client_id }) => client_id).toSorted()).toEqual(ids.toSorted());
    for (const { url } of links) expect(url).toMatch(/^https?:/);
    const counted = await practice.admin.get('/open-tax/client-companies/count', {
      company_id: practice.companyId,
      tax: 'vat',
      authorisation: 'pending',
    });
    expect(counted.body).toMatchObject({ count: 4 });
    const file = await portal.app.inject({
      url: '/portal/open-tax/authorisation-requests/links-file',
      query,
      headers: { cookie: practice.cookies.admin },
    });
    expect(file.headers['content-disposition']).toBe('attachment; filename="authorisation-links-vat-2026-11-10.csv"');
    expect(file.body.trimEnd().split('\r\n')).toHaveLength(5);
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
    const answer = await post(practice, '', { ...query, client_ids: ids, count: 3 });
    expect([answer.status, answer.body['code']]).toEqual([409, 'requests.count_changed']);
    expect(await load()).toBeNull();
  });

  it('continue after HMRC’s rate limit, and name what HMRC rejects', async () => {
    const { practice, ids, add, take, query, load } = await addPracticeWithClients(2);
    const wrongId = await add(take('never_authorised'), '1999-01-01' as never);
    portal.faults.set({ operation: 'hmrc.send_invitation', kind: 'too_many', times: 1 });
    await post(practice, '', { ...query, client_ids: [...ids, wrongId], count: 3 });
    await portal.runJobs();
    const outcomes = countOutcomes(await load());
    expect(outcomes['wrong_fact']).toBe(1);
    expect((outcomes['created'] ?? 0) + (outcomes['pending'] ?? 0)).toBe(2);
  });

  it('stop when the connection ends or the person cancels', async () => {
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
    const answer = await post(practice, '', { ...query, client_ids: ids, count: 2 });
    expect([answer.status, answer.body['code']]).toEqual([409, 'hmrc.not_connected']);
  });

  it('of a team member reach only assigned clients', async () => {
    const { practice, ids, query } = await addPracticeWithClients(2);
    await assignClient(portal, practice.companyId, ids[0] ?? '', practice.memberId);
    const body = { ...query, client_ids: ids };
    expect((await practice.member.post('/open-tax/authorisation-requests/preview', body)).body).toMatchObject({ ready: 1 });
    expect((await practice.member.post('/open-tax/authorisation-requests', { ...body, count: 1 })).body).toMatchObject({ queued: 1 });
    const stranger = await addPractice(portal);
    expect((await stranger.admin.post('/open-tax/authorisation-requests/preview', body)).status).toBe(404);
    expect((await stranger.admin.get('/open-tax/authorisation-requests/links', query)).status).toBe(404);
    const stored = await portal.deps.database.db
      .select({ id: clients.id })
      .from(clients)
      .where(and(eq(clients.companyId, practice.companyId)));
    expect(stored).toHaveLength(2);
  });
});
