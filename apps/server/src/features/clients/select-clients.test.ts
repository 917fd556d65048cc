/**
 * Tests bulk actions on all clients that match a filter: only with the count that the user saw, only on visible clients, all or nothing.
 */
import { randomUUID } from 'node:crypto';
import type { RowResults } from '@portal/contract/clients.ts';
import { auditEntries, clientMembers, clientRows, clients } from '@portal/db/schema/schema.ts';
import { getTestServerUrl } from '@portal/db/testing/test-postgres.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
let otherPractice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

/** Three clients with VAT, and two without. */
let vat: string[];
let paye: string[];
beforeEach(async () => {
  [practice, otherPractice] = [await addPractice(portal), await addPractice(portal)];
  const add = (taxes: readonly ('vat' | 'paye')[]) => addClient(portal, practice.companyId, { taxes });
  vat = [await add(['vat']), await add(['vat', 'paye']), await add(['vat'])];
  paye = [await add(['paye']), await add(['paye'])];
  await addClient(portal, otherPractice.companyId, { taxes: ['vat'] });
});

const LIST_PATH = '/open-tax/client-companies';
const setStatus = (selection: object) =>
  practice.admin.post(`${LIST_PATH}/status`, { company_id: practice.companyId, status: 'closed', ...selection });
const VAT = { matching: { filters: { tax: 'vat' }, count: 3 } };

async function listClosedIds(table: typeof clients | typeof clientRows): Promise<string[]> {
  const { db } = portal.deps.database;
  const id = table === clients ? clients.id : clientRows.clientId;
  const rows = await db.select({ id }).from(table).where(eq(table.status, 'closed'));
  return rows.map((row) => row.id).toSorted();
}

describe('a bulk change by filter', () => {
  it('changes the matching clients only, updates the list, returns the count and is audited with each ID', async () => {
    const before = await listClosedIds(clients);
    const response = await setStatus(VAT);
    expect([response.status, response.body]).toMatchObject([200, { counts: { changed: 3, unchanged: 0, not_found: 0 }, results: [] }]);
    for (const table of [clients, clientRows] as const) expect(await listClosedIds(table)).toEqual([...before, ...vat].toSorted());
    expect((await setStatus(VAT)).body).toMatchObject({ counts: { changed: 0, unchanged: 3, not_found: 0 } });
    const { db } = portal.deps.database;
    const auditTrail = await db.select().from(auditEntries).where(eq(auditEntries.companyId, practice.companyId));
    expect(auditTrail.map(({ action }) => action)).toEqual(['clients.status_set']);
    const auditedIds = z.object({ client_ids: z.array(z.string()) }).parse(auditTrail[0]?.after).client_ids;
    expect(auditedIds.toSorted()).toEqual(vat.toSorted());
  });

  it.each([2, 4, 1_000_000])('is rejected as a whole when the user saw %d clients and there are three', async (count) => {
    const before = await listClosedIds(clients);
    const response = await setStatus({ matching: { filters: { tax: 'vat' }, count } });
    expect(response).toMatchObject({ status: 409, body: { code: 'clients.count_changed', details: { found: 3 } } });
    expect(await listClosedIds(clients)).toEqual(before);
  });

  it.each([
    ['both ways of choosing', { client_ids: [randomUUID()], ...VAT }],
    ['neither', {}],
    ['a filter that does not exist', { matching: { filters: { tax: 'rates' }, count: 3 } }],
    ['no count', { matching: { filters: {} } }],
  ])('throws for %s', async (_case, selection) => {
    expect((await setStatus(selection)).status).toBe(400);
  });

  it('assigns all matching clients to a colleague, who then sees them, and unassigns them', async () => {
    const assign = (action: 'add' | 'remove') =>
      practice.admin.post(`${LIST_PATH}/assign`, {
        company_id: practice.companyId,
        user_id: practice.memberId,
        duty: 'vat',
        action,
        ...VAT,
      });
    const countVisibleClients = async () =>
      (await practice.member.get(`${LIST_PATH}/count`, { company_id: practice.companyId })).body['all'];
    expect((await assign('add')).body).toMatchObject({ counts: { changed: 3 } });
    expect(await countVisibleClients()).toBe(3);
    expect((await assign('add')).body).toMatchObject({ counts: { changed: 0, unchanged: 3 } });
    expect((await assign('remove')).body).toMatchObject({ counts: { changed: 3 } });
    expect(await countVisibleClients()).toBe(0);
  });

  it('is available only to admins of the practice', async () => {
    const body = { company_id: practice.companyId, status: 'closed', ...VAT };
    for (const browser of [practice.member, otherPractice.admin])
      expect((await browser.post(`${LIST_PATH}/status`, body)).status).toBe(404);
  });

  it('handles more clients than one statement can have parameters', async () => {
    const { db } = portal.deps.database;
    // Five parameters per client would exceed PostgreSQL's limit of 65,535. The embedded engine has the same limit, but so much data would
    // take half a minute.
    const count = getTestServerUrl() === undefined ? 1_000 : 14_000;
    await portal.deps.database.executeSql(`
      with made as (insert into clients (company_id, id, name, kind, status, has_vat, has_paye, has_ct, has_sa, created_at, updated_at)
        select '${practice.companyId}', gen_random_uuid(), 'Many ' || n, 'company', 'active', false, false, true, false, now(), now()
        from generate_series(1, ${count}) n returning *)
      insert into client_rows (company_id, client_id, name, sort_name, kind, status, has_vat, has_paye, has_ct, has_sa, next_due_on,
        owed_pence, overdue_pence, refund_pence, attention, members, search)
      select company_id, id, name, lower(name), kind, status, false, false, true, false, '9999-12-31', 0, 0, 0, 'no_data', '[]', lower(name) from made`);
    const matchingClients = { filters: { tax: 'ct' }, count };
    const assign = { user_id: practice.memberId, duty: 'deputy', action: 'add', matching: matchingClients };
    const assignedResponse = await practice.admin.post(`${LIST_PATH}/assign`, { company_id: practice.companyId, ...assign });
    expect((assignedResponse.body as RowResults).counts).toEqual({ changed: count, unchanged: 0, not_found: 0 });
    expect((await setStatus({ matching: matchingClients })).body).toMatchObject({ counts: { changed: count } });
    const isThisMember = and(eq(clientMembers.companyId, practice.companyId), eq(clientMembers.userId, practice.memberId));
    expect(await db.$count(clientMembers, isThisMember)).toBe(count);
  }, 90_000);
});

describe('an export of selected clients', () => {
  const listNames = async (cookie: string, ids: readonly string[], query: Record<string, string> = {}): Promise<string[]> => {
    const response = await portal.app.inject({
      method: 'POST',
      url: '/portal/open-tax/export-table',
      query: { company_id: practice.companyId, ...query },
      payload: { client_ids: ids },
      headers: { cookie },
    });
    expect(response.statusCode).toBe(200);
    return response.body.trimEnd().split('\r\n').slice(1);
  };

  it('contains the selected clients that match the filter and are visible to the user', async () => {
    const [vatClientId = ''] = vat;
    const [payeClientId = ''] = paye;
    expect(await listNames(practice.cookies.admin, [vatClientId, payeClientId, randomUUID()])).toHaveLength(2);
    expect(await listNames(practice.cookies.admin, [vatClientId, payeClientId], { tax: 'vat' })).toHaveLength(1);
    expect(await listNames(practice.cookies.member, [vatClientId, payeClientId])).toEqual([]);
    await assignClient(portal, practice.companyId, payeClientId, practice.memberId);
    expect(await listNames(practice.cookies.member, [vatClientId, payeClientId])).toHaveLength(1);
  });
});
