/** Tests the client list, its count and its changes on a real database. */
import { randomUUID } from 'node:crypto';
import type { ClientRow } from '@portal/contract/clients.ts';
import { auditEntries, clientMembers, clientRows, dueItems, taxPositions } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import type { Browser } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
let otherPractice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
  otherPractice = await addPractice(portal);
});
afterAll(() => portal.close());

const LIST_PATH = '/open-tax/client-companies';

async function list(browser: Browser, query: Record<string, string> = {}, companyId = practice.companyId): Promise<ClientRow[]> {
  const { status, body } = await browser.get(LIST_PATH, { company_id: companyId, ...query });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body['clients'] as ClientRow[];
}

async function listAll(browser: Browser, query: Record<string, string>, betweenPages?: () => Promise<void>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await browser.get(LIST_PATH, { company_id: practice.companyId, ...query, ...(cursor ? { cursor } : {}) });
    ids.push(...(body['clients'] as ClientRow[]).map((row) => row.client_id));
    cursor = (body['next_cursor'] as string | null) ?? undefined;
    if (cursor) await betweenPages?.();
  } while (cursor);
  return ids;
}

async function getCount(browser: Browser, query: Record<string, string> = {}): Promise<unknown> {
  return (await browser.get(`${LIST_PATH}/count`, { company_id: practice.companyId, ...query })).body;
}

function change(clientId: string, set: Partial<typeof clientRows.$inferInsert>) {
  return portal.deps.database.db
    .update(clientRows)
    .set(set)
    .where(and(eq(clientRows.companyId, practice.companyId), eq(clientRows.clientId, clientId)));
}

describe('the client list', () => {
  let ids: string[];
  beforeAll(async () => {
    ids = [];
    for (let index = 0; index < 23; index += 1) {
      const id = await addClient(portal, practice.companyId, { name: `Paged ${String(index).padStart(2, '0')} Ltd` });
      ids.push(id);
      // Several clients share a date and an amount, so that only the ID orders them.
      await change(id, {
        nextDueOn: plainDate(`2026-12-${String(1 + (index % 3)).padStart(2, '0')}`),
        owedPence: pence(100 * (index % 4)),
      });
    }
  });

  it.each(['next_due', 'name', 'overdue', 'owed', 'refund'])(
    'sorted by %s returns every client once while paging, in both directions',
    async (sort) => {
      for (const direction of ['asc', 'desc']) {
        const foundClients = await listAll(practice.admin, { sort, direction, limit: '5', q: 'paged' });
        expect(foundClients.toSorted()).toEqual(ids.toSorted());
      }
      const fullList = await list(practice.admin, { sort, limit: '200', q: 'paged' });
      expect(await listAll(practice.admin, { sort, limit: '4', q: 'paged' })).toEqual(fullList.map((row) => row.client_id));
    },
  );

  it.each(['overdue', 'owed', 'refund'])('of one tax sorted by %s has that tax’s amounts in order, and every client once', async (sort) => {
    const { db } = portal.deps.database;
    for (const [index, clientId] of ids.entries()) {
      // Some clients have no position, some nothing for the tax, and some only an amount for another tax.
      const amount = pence(index % 3 === 0 ? 100 * (index % 7) : 0);
      await change(clientId, {
        hasVat: true,
        overduePence: pence(amount + 5),
        owedPence: pence(amount + 5),
        refundPence: pence(amount + 5),
      });
      if (index % 5 === 0) continue;
      const set = { overduePence: amount, owedPence: amount, refundPence: amount };
      const position = {
        companyId: practice.companyId,
        clientId,
        tax: 'vat' as const,
        overdueReturns: 0,
        penaltyPence: pence(0),
        asOf: toInstant(Date.parse('2026-11-10T08:00:00Z')),
      };
      await db
        .insert(taxPositions)
        .values({
          ...position,
          ...set,
          interestPence: pence(0),
          computedOn: plainDate('2026-11-10'),
          isEstimate: false,
          source: 'hmrc',
          detail: {},
        })
        .onConflictDoNothing();
    }
    for (const direction of ['asc', 'desc']) {
      const query = { sort, direction, tax: 'vat', q: 'paged' };
      const all = await list(practice.admin, { ...query, limit: '200' });
      expect(all).toHaveLength(ids.length);
      const amounts = all.map((row) => row[`${sort as 'overdue'}_pence`] ?? 0);
      expect(amounts).toEqual(amounts.toSorted((a, b) => (direction === 'asc' ? a - b : b - a)));
      expect(await listAll(practice.admin, { ...query, limit: '4' })).toEqual(all.map((row) => row.client_id));
    }
  });

  it('returns every unchanged client exactly once while others change position', async () => {
    const movingIds = ids.slice(0, 6);
    const stableIds = ids.slice(6);
    let round = 0;
    const foundClients = await listAll(practice.admin, { sort: 'next_due', limit: '3' }, async () => {
      round += 1;
      for (const id of movingIds) await change(id, { nextDueOn: plainDate(round % 2 === 0 ? '2026-11-20' : '2027-05-01') });
    });
    for (const id of stableIds) expect([id, foundClients.filter((foundId) => foundId === id).length]).toEqual([id, 1]);
  });

  it('rejects a cursor for another order, an invalid cursor and an invalid limit', async () => {
    const { body } = await practice.admin.get(LIST_PATH, { company_id: practice.companyId, limit: '2' });
    const cursor = String(body['next_cursor']);
    const forgedCursor = Buffer.from(
      JSON.stringify({ sort: 'next_due', direction: 'asc', value: '2026-02-31x', client_id: randomUUID() }),
    ).toString('base64url');
    for (const query of [
      { cursor, sort: 'name' },
      { cursor, direction: 'desc' },
      { cursor: 'x' },
      { cursor: forgedCursor },
      { limit: '201' },
      { limit: '0' },
    ]) {
      const response = await practice.admin.get(LIST_PATH, { company_id: practice.companyId, ...query });
      expect([query, response.status]).toEqual([query, 400]);
    }
  });

  it('returns 404 to another practice and never shows it these clients', async () => {
    for (const path of [LIST_PATH, `${LIST_PATH}/count`, `${LIST_PATH}/members`, '/open-tax/saved-views', `${LIST_PATH}/facts`]) {
      const response = await otherPractice.admin.get(path, { company_id: practice.companyId, client_id: ids[0] ?? '' });
      expect([path, response.status]).toEqual([path, 404]);
    }
    const otherPracticeList = await list(otherPractice.admin, { limit: '200' }, otherPractice.companyId);
    expect(otherPracticeList.filter((row) => ids.includes(row.client_id))).toEqual([]);
  });
});

describe('searching', () => {
  const HARLOW = {
    name: 'O’Brien & Söhne (Harlow) Ltd',
    kind: 'company',
    taxes: ['vat', 'paye', 'ct'],
    vrn: '980780684',
    utr: '1234567895',
    company_number: 'SC123456',
    paye_reference: '123/AB456',
    postcode: 'LS1 4DY',
    email: 'jo@obrien-sons.example',
    phone: '+44 7700 900456',
    client_code: 'HAR-001',
  };
  let id: string;
  beforeAll(async () => {
    const createResponse = await practice.admin.post(LIST_PATH, { company_id: practice.companyId, ...HARLOW });
    id = String(createResponse.body['client_id']);
    const person = { name: 'Jo Söhne', kind: 'individual', taxes: ['sa'], nino: 'AB123456C' };
    await practice.admin.post(LIST_PATH, { company_id: practice.companyId, ...person });
  });

  it.each([
    "o'brien",
    'OBRIEN',
    'obrien and sohne',
    'söhne & o’brien',
    'ltd harlow',
    'GB 980 7806 84',
    '980-780-684',
    '12345 67895',
    'sc 123456',
    '123 / ab456',
    'LS14DY',
    'ls1 4dy harlow',
    'jo@obrien-sons',
    '07700 900 456',
    '+44 7700 900456',
    'har001',
  ])('finds %s in the list, its count, the export and the palette', async (q) => {
    const company = { company_id: practice.companyId };
    expect((await list(practice.admin, { q })).map((row) => row.client_id)).toEqual([id]);
    expect(await getCount(practice.admin, { q })).toMatchObject({ count: 1 });
    const { body } = await practice.admin.get('/client/companies', { ...company, q });
    expect((body['companies'] as ClientRow[]).map((client) => client.client_id)).toEqual([id]);
    const fileResponse = await portal.app.inject({
      url: `/portal/open-tax/export-table?${new URLSearchParams({ ...company, q })}`,
      headers: { cookie: practice.cookies.admin },
    });
    expect(fileResponse.body.trimEnd().split('\r\n')).toHaveLength(2);
  });

  it('says which detail matched, and lists names that begin with the text first', async () => {
    const find = async (q: string) =>
      (await practice.admin.get('/client/companies', { company_id: practice.companyId, q })).body['companies'] as Record<string, unknown>[];
    expect(await find('har-001')).toMatchObject([{ name: HARLOW.name, matched: { field: 'client_code', value: 'HAR-001' } }]);
    expect(await find('123/AB456')).toMatchObject([{ name: HARLOW.name, matched: { field: 'paye_reference', value: '123/AB456' } }]);
    expect(await find('ab 12 34 56 c')).toMatchObject([{ name: 'Jo Söhne', matched: { field: 'nino', value: 'AB123456C' } }]);
    expect(await find('jo')).toMatchObject([
      { name: 'Jo Söhne', matched: null },
      { name: HARLOW.name, matched: { field: 'email' } },
    ]);
  });

  it('finds nothing for text without letters and digits, and never treats it as a pattern', async () => {
    for (const q of ['%', '_', '\\', 'no such client']) expect([q, await list(practice.admin, { q })]).toEqual([q, []]);
  });
});

describe('filters', () => {
  it.each([
    { filter: { status: 'closed' }, row: { status: 'closed' as const } },
    { filter: { attention: 'overdue_return' }, row: { attention: 'overdue_return' as const } },
    { filter: { kind: 'trust' }, row: { kind: 'trust' as const } },
    { filter: { tax: 'sa' }, row: { hasSa: true } },
    { filter: { has: 'refund' }, row: { refundPence: pence(1) } },
    { filter: { has: 'overdue' }, row: { overduePence: pence(1) } },
  ])('returns and counts only the clients that match $filter', async ({ filter, row }) => {
    const id = await addClient(portal, practice.companyId, { name: `Filtered ${JSON.stringify(filter)}` });
    await change(id, row);
    const query = { ...filter, q: 'filtered' } as Record<string, string>;
    expect((await list(practice.admin, query)).map((client) => client.client_id)).toEqual([id]);
    expect(await getCount(practice.admin, query)).toMatchObject({ count: 1 });
    await change(id, { name: 'done', search: 'done' });
  });

  it('find clients with any overdue payment or return, and clients without an owner', async () => {
    const [lateClients, missingClients, assignedClients] = await Promise.all(
      ['Late', 'Missing', 'Fine'].map((name) => addClient(portal, practice.companyId, { name: `Views ${name} Ltd` })),
    );
    const position = {
      companyId: practice.companyId,
      tax: 'vat' as const,
      owedPence: pence(0),
      refundPence: pence(0),
      penaltyPence: pence(0),
      interestPence: pence(0),
      computedOn: plainDate('2026-11-10'),
      isEstimate: false,
      source: 'hmrc' as const,
      detail: {},
    };
    await portal.deps.database.db.insert(taxPositions).values([
      { ...position, clientId: lateClients ?? '', overduePence: pence(500), overdueReturns: 0 },
      { ...position, clientId: missingClients ?? '', overduePence: pence(0), overdueReturns: 2 },
      { ...position, clientId: assignedClients ?? '', overduePence: pence(0), overdueReturns: 0 },
    ]);
    await assignClient(portal, practice.companyId, assignedClients ?? '', practice.memberId);
    const listNames = async (query: Record<string, string>) =>
      (await list(practice.admin, { q: 'views', sort: 'name', ...query })).map((row) => row.name);
    expect(await listNames({ has: 'overdue_any' })).toEqual(['Views Late Ltd', 'Views Missing Ltd']);
    expect(await listNames({ has: 'overdue_any', tax: 'vat' })).toEqual(['Views Late Ltd', 'Views Missing Ltd']);
    expect(await getCount(practice.admin, { q: 'views', has: 'overdue_any' })).toMatchObject({
      count: 2,
      matched: { items: 2, amount_pence: 500 },
    });
    expect(await listNames({ member: 'none' })).toEqual(['Views Late Ltd', 'Views Missing Ltd']);
    expect(await list(practice.member, { q: 'views', member: 'none' })).toEqual([]);
    await portal.deps.database.db.delete(clientMembers).where(eq(clientMembers.clientId, assignedClients ?? ''));
    for (const id of [lateClients, missingClients, assignedClients]) await change(id ?? '', { name: 'done', search: 'done' });
  });

  it('look only at the given tax', async () => {
    const id = await addClient(portal, practice.companyId, { name: 'One tax Ltd', taxes: ['vat', 'paye'] });
    const position = {
      companyId: practice.companyId,
      clientId: id,
      owedPence: pence(0),
      refundPence: pence(0),
      overdueReturns: 0,
      penaltyPence: pence(0),
      interestPence: pence(0),
      computedOn: plainDate('2026-11-10'),
      isEstimate: false,
      source: 'hmrc' as const,
      detail: {},
    };
    const { db } = portal.deps.database;
    await db.insert(taxPositions).values([
      { ...position, tax: 'vat', overduePence: pence(5) },
      { ...position, tax: 'paye', overduePence: pence(0) },
    ]);
    const item = {
      companyId: practice.companyId,
      clientId: id,
      what: 'payment' as const,
      title: '',
      source: 'hmrc' as const,
      asOf: portal.deps.clock.now(),
    };
    await db.insert(dueItems).values({ ...item, tax: 'paye', key: '1', dueOn: plainDate('2026-11-22') });
    const listNames = async (query: Record<string, string>) =>
      (await list(practice.admin, { q: 'one tax', ...query })).map((row) => row.name);
    expect(await listNames({ has: 'overdue', tax: 'vat' })).toEqual(['One tax Ltd']);
    expect(await listNames({ has: 'overdue', tax: 'paye' })).toEqual([]);
    expect(await listNames({ due_before: '2026-11-22', tax: 'paye' })).toEqual(['One tax Ltd']);
    expect(await listNames({ due_before: '2026-11-21', tax: 'paye' })).toEqual([]);
    expect(await listNames({ due_before: '2026-11-22', tax: 'vat' })).toEqual([]);
  });
});

describe('a team member', () => {
  it('lists, counts, finds and opens only assigned clients', async () => {
    const assignedClientId = await addClient(portal, practice.companyId, { name: 'Mine Ltd' });
    const unassignedClientId = await addClient(portal, practice.companyId, { name: 'Not mine Ltd' });
    expect(await list(practice.member)).toEqual([]);
    await assignClient(portal, practice.companyId, assignedClientId, practice.memberId);
    expect((await list(practice.member)).map((row) => row.client_id)).toEqual([assignedClientId]);
    expect((await list(practice.member, { q: 'mine', sort: 'name' })).map((row) => row.client_id)).toEqual([assignedClientId]);
    // Filtering by another member shows only the user's own clients that this member also has.
    expect(await list(practice.member, { member: practice.adminId })).toEqual([]);
    expect(await getCount(practice.member)).toEqual({ count: 1, all: 1, matched: null, today: '2026-11-10' });
    const readFacts = async (clientId: string) =>
      (await practice.member.get(`${LIST_PATH}/facts`, { company_id: practice.companyId, client_id: clientId })).status;
    expect([await readFacts(assignedClientId), await readFacts(unassignedClientId)]).toEqual([200, 404]);
    const body = { company_id: practice.companyId, client_ids: [assignedClientId], status: 'closed' };
    expect((await practice.member.post(`${LIST_PATH}/status`, body)).status).toBe(404);
  });
});

describe('an admin', () => {
  const FACTS = { name: 'By Hand Ltd', kind: 'company', taxes: ['vat', 'ct'], vrn: 'GB 999 0000 23' };

  it('adds a client with computed due dates and edits it; both actions are audited', async () => {
    const company = { company_id: practice.companyId };
    const createdResponse = await practice.admin.post(LIST_PATH, {
      ...company,
      ...FACTS,
      vrn: '',
      company_number: '1234567',
      year_end: '2026-03-31',
    });
    expect([createdResponse.status, createdResponse.body]).toEqual([200, { client_id: expect.any(String) }]);
    const clientId = String(createdResponse.body['client_id']);
    const [row] = await list(practice.admin, { q: '01234567' });
    expect(row).toMatchObject({
      client_id: clientId,
      name: 'By Hand Ltd',
      status: 'active',
      taxes: ['vat', 'ct'],
      company_number: '01234567',
    });
    expect(row?.next_due_tax).toBe('ct');
    const editedResponse = await practice.admin.post(`${LIST_PATH}/facts`, {
      ...company,
      client_id: clientId,
      ...FACTS,
      vrn: '',
      name: 'Renamed Ltd',
      taxes: ['vat'],
    });
    expect(editedResponse.status).toBe(200);
    const [renamedClient] = await list(practice.admin, { q: 'renamed' });
    expect(renamedClient).toMatchObject({ client_id: clientId, taxes: ['vat'], company_number: null, next_due_on: null });
    const auditTrail = await portal.deps.database.db
      .select({ action: auditEntries.action })
      .from(auditEntries)
      .where(eq(auditEntries.subject, clientId))
      .orderBy(asc(auditEntries.sequence));
    expect(auditTrail.map(({ action }) => action)).toEqual(['client.created', 'client.edited']);
  });

  it('cannot overwrite a newer change, and sees who made it', async () => {
    const id = await addClient(portal, practice.companyId, { name: 'Twice Ltd' });
    const clientParams = { company_id: practice.companyId, client_id: id };
    const clientFacts = (await practice.admin.get(`${LIST_PATH}/facts`, clientParams)).body;
    const { status: _status, version, ...facts } = clientFacts;
    const firstResponse = await practice.admin.post(`${LIST_PATH}/facts`, { ...clientParams, ...facts, version, phone: '07700 900123' });
    expect(firstResponse.status).toBe(200);
    const secondResponse = await practice.admin.post(`${LIST_PATH}/facts`, {
      ...clientParams,
      ...facts,
      version,
      email: 'late@twice.example',
    });
    expect([secondResponse.status, secondResponse.body['code']]).toEqual([409, 'client.changed_since']);
    expect(secondResponse.body['message']).toContain('practice_admin changed this client');
    const now = (await practice.admin.get(`${LIST_PATH}/facts`, clientParams)).body;
    expect(now).toMatchObject({ phone: '07700 900123', email: '' });
    // The status is not part of the form, so it does not change the version.
    await practice.admin.post(`${LIST_PATH}/status`, { company_id: practice.companyId, client_ids: [id], status: 'inactive' });
    const thirdResponse = await practice.admin.post(`${LIST_PATH}/facts`, {
      ...clientParams,
      ...facts,
      version: now['version'],
      phone: '07700 900123',
      utr: '',
    });
    expect(thirdResponse.status).toBe(200);
    await practice.admin.post(`${LIST_PATH}/status`, { company_id: practice.companyId, client_ids: [id], status: 'active' });
    const { body } = await practice.admin.get('/client/timeline', clientParams);
    expect((body['entries'] as { detail: string | null }[]).map(({ detail }) => detail)).toContain('phone from none to 07700 900123');
  });

  it('sees which field is invalid and which client already has a reference', async () => {
    const post = (facts: object) => practice.admin.post(LIST_PATH, { company_id: practice.companyId, ...FACTS, ...facts });
    const invalidResponse = await post({ vrn: '123' });
    expect([invalidResponse.status, Object.keys(invalidResponse.body['message'] as object)]).toEqual([400, ['vrn']]);
    const references = { vrn: '', company_number: '07654321' };
    expect((await post({ ...references, name: 'First Ltd' })).status).toBe(200);
    const secondResponse = await post({ ...references, name: 'Second Ltd' });
    expect([secondResponse.status, secondResponse.body['code']]).toEqual([409, 'client.reference_taken']);
    expect(secondResponse.body['message']).toEqual({ company_number: expect.stringContaining('First Ltd') });
    expect((await post({ name: 'Holdings Ltd', vrn: 'GB 246 8135 51' })).status).toBe(200);
    expect((await post({ name: 'Member Ltd', vrn: 'GB 246 8135 51' })).body['message']).toEqual({
      vrn: expect.stringMatching(/Holdings Ltd already has this VAT number.*leave the VAT number and VAT out here/),
    });
  });

  it('sets the status of several clients and gets an outcome for each; clients of another practice are not found', async () => {
    const [firstId, secondId] = [await addClient(portal, practice.companyId), await addClient(portal, practice.companyId)];
    const otherPracticeClient = await addClient(portal, otherPractice.companyId, { name: 'Theirs Ltd' });
    const body = { company_id: practice.companyId, client_ids: [firstId, secondId, otherPracticeClient], status: 'inactive' };
    await practice.admin.post(`${LIST_PATH}/status`, { ...body, client_ids: [secondId] });
    const response = await practice.admin.post(`${LIST_PATH}/status`, body);
    expect(response.body['results']).toEqual([
      { client_id: firstId, outcome: 'changed' },
      { client_id: secondId, outcome: 'unchanged' },
      { client_id: otherPracticeClient, outcome: 'not_found' },
    ]);
    expect((await list(practice.admin, { status: 'inactive' })).map((row) => row.client_id).toSorted()).toEqual(
      [firstId, secondId].toSorted(),
    );
    expect(await list(otherPractice.admin, {}, otherPractice.companyId)).toMatchObject([{ status: 'active' }]);
    const editedResponse = await practice.admin.post(`${LIST_PATH}/facts`, {
      company_id: practice.companyId,
      client_id: otherPracticeClient,
      ...FACTS,
      vrn: '',
    });
    expect(editedResponse.status).toBe(404);
  });

  it('assigns clients to a colleague and unassigns them; the list shows the assignment', async () => {
    const id = await addClient(portal, practice.companyId, { name: 'Cared Ltd' });
    const body = { company_id: practice.companyId, client_ids: [id], user_id: practice.memberId, duty: 'payroll' };
    const post = (extra: object) => practice.admin.post(`${LIST_PATH}/assign`, { ...body, ...extra });
    expect((await post({ action: 'add' })).body['results']).toEqual([{ client_id: id, outcome: 'changed' }]);
    expect((await post({ action: 'add' })).body['results']).toEqual([{ client_id: id, outcome: 'unchanged' }]);
    const [row] = await list(practice.member, { q: 'cared' });
    expect(row?.members).toEqual([{ user_id: practice.memberId, full_name: 'team_member', duty: 'payroll' }]);
    expect((await list(practice.admin, { member: practice.memberId, q: 'cared' })).length).toBe(1);
    expect((await post({ action: 'remove' })).body['results']).toEqual([{ client_id: id, outcome: 'changed' }]);
    expect(await list(practice.member, { q: 'cared' })).toEqual([]);
    expect((await post({ action: 'add', user_id: otherPractice.adminId })).status).toBe(400);
  });
});

describe('saved views', () => {
  it('belong to one user, are replaced under the same name and store no tenant', async () => {
    const company = { company_id: practice.companyId };
    const query = `company_id=${practice.companyId}&status=lead&sort=name`;
    const savedResponse = await practice.admin.post('/open-tax/saved-views', { ...company, name: 'Leads', query });
    expect(savedResponse.body).toMatchObject({ name: 'Leads', query: 'status=lead&sort=name' });
    const secondResponse = await practice.admin.post('/open-tax/saved-views', { ...company, name: 'leads', query: 'status=lead' });
    expect(secondResponse.body['view_id']).toBe(savedResponse.body['view_id']);
    expect((await practice.member.get('/open-tax/saved-views', company)).body).toEqual({ views: [] });
    const remove = (browser: Browser) =>
      browser.post('/open-tax/saved-views/remove', { ...company, view_id: savedResponse.body['view_id'] });
    expect([(await remove(practice.member)).status, (await remove(practice.admin)).status]).toEqual([404, 200]);
  });

  it('can be renamed and shared only by their owner, need a unique name and keep their query', async () => {
    const company = { company_id: practice.companyId };
    const save = async (name: string) =>
      (await practice.member.post('/open-tax/saved-views', { ...company, name, query: 'tax=sa' })).body['view_id'];
    const [ownView, otherView] = [await save('Mine'), await save('Another')];
    const change = (browser: Browser, name: string, is_shared: boolean) =>
      browser.post('/open-tax/saved-views/change', { ...company, view_id: ownView, name, is_shared });
    expect((await change(practice.member, 'Ours', true)).body).toMatchObject({
      view_id: ownView,
      name: 'Ours',
      is_shared: true,
      query: 'tax=sa',
    });
    expect((await change(practice.member, 'another', true)).body['code']).toBe('saved_view.name_taken');
    expect([(await change(practice.admin, 'Theirs', false)).status, (await change(practice.member, 'ours', false)).status]).toEqual([
      404, 200,
    ]);
    for (const view_id of [ownView, otherView]) await practice.member.post('/open-tax/saved-views/remove', { ...company, view_id });
  });

  it('are visible to the whole practice when shared, and can be removed by the owner or an admin', async () => {
    const company = { company_id: practice.companyId };
    const share = async (browser: Browser, name: string) =>
      (await browser.post('/open-tax/saved-views', { ...company, name, query: 'tax=vat', is_shared: true })).body['view_id'];
    const [adminView, memberView] = [await share(practice.admin, 'From the admin'), await share(practice.member, 'From the member')];
    const { body } = await practice.member.get('/open-tax/saved-views', company);
    expect(body['views']).toMatchObject([
      { name: 'From the admin', is_shared: true, is_yours: false, made_by: 'practice_admin', may_remove: false },
      { name: 'From the member', is_yours: true, may_remove: true },
    ]);
    const remove = async (browser: Browser, view_id: unknown) =>
      (await browser.post('/open-tax/saved-views/remove', { ...company, view_id })).status;
    expect([
      await remove(practice.member, adminView),
      await remove(practice.admin, memberView),
      await remove(practice.admin, adminView),
    ]).toEqual([404, 200, 200]);
    expect((await otherPractice.admin.get('/open-tax/saved-views', { company_id: otherPractice.companyId })).body).toEqual({ views: [] });
  });
});

it('the query plan of a page is a single index scan without a sort', async () => {
  // With so few rows, a planner may prefer to sort them. With alternatives disabled, the plan shows whether the index provides the order.
  const rows = await portal.deps.database.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    await tx.execute(sql`set local enable_bitmapscan = off`);
    await tx.execute(sql`set local enable_sort = off`);
    const queryPlan = await tx.execute<Record<string, string>>(
      sql`explain select client_id from client_rows where company_id = ${practice.companyId} and (next_due_on, client_id) > ('2026-12-01'::date, ${practice.companyId}::uuid) order by next_due_on, client_id limit 50`,
    );
    return queryPlan.rows;
  });
  const plan = rows.map((row) => Object.values(row).join(' ')).join('\n');
  expect(plan).toContain('client_rows_next_due');
  expect(plan).not.toContain('Sort');
});
