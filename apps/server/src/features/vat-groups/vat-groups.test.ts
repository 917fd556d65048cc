/** Tests a client's VAT group: set by a person, shown on its page, found by search, and counted once in every figure. */
import { randomUUID } from 'node:crypto';
import type { VatGroup } from '@portal/contract/vat-groups.ts';
import { clientRows, clients, dueItems, returnApprovals, taxPositions, type FiledBoxes } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { addPortfolio, type GeneratedClient } from '../../testing/add-portfolio.ts';
import { calculateTotals } from '../../testing/calculate-totals.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { loadFacts } from '../agent/load-facts.ts';

let portal: TestPortal;
let practice: TestPractice;

beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});

const GROUP = '193054661';
const OWN = '314159228';

const getDb = () => portal.deps.database.db;
const getClient = async (id: string) => {
  const [client] = await getDb().select().from(clients).where(eq(clients.id, id));
  return client;
};
const set = (clientId: string, body: object, browser = practice.admin) =>
  browser.post('/open-tax/client-companies/vat-group', { company_id: practice.companyId, client_id: clientId, ...body });
const join = async (clientId: string, representativeId: string) => {
  expect((await set(clientId, { role: 'member', representative_id: representativeId })).status).toBe(200);
};
const getProfile = async (clientId: string, browser = practice.admin) =>
  (await browser.get('/client/profile', { company_id: practice.companyId, client_id: clientId })).body;
const getGroup = async (clientId: string, browser = practice.admin) =>
  (await getProfile(clientId, browser))['vat_group'] as VatGroup | null;

const edit = async (id: string, change: object) => {
  const url = '/open-tax/client-companies/facts';
  const { body } = await practice.admin.get(url, { company_id: practice.companyId, client_id: id });
  const { status: _status, client_id: _id, ...facts } = body;
  return practice.admin.post(url, { ...facts, company_id: practice.companyId, client_id: id, ...change });
};
const getTimeline = async (clientId: string, browser = practice.admin) => {
  const { body } = await browser.get('/client/timeline', { company_id: practice.companyId, client_id: clientId });
  return body['entries'] as { title: string; detail: string | null }[];
};

/** A representative member with the group's number, and a member that has been recorded with VAT and a number of its own. */
async function addPair() {
  const representative = await addClient(portal, practice.companyId, { name: 'Alder Holdings Ltd', vrn: GROUP });
  const member = await addClient(portal, practice.companyId, { name: 'Birch Ltd', taxes: ['vat', 'ct'], vrn: OWN });
  return { representative, member };
}

describe('a client’s VAT group', () => {
  it('is set by an admin and shown on the pages of the representative member and the member', async () => {
    const { representative, member } = await addPair();
    expect(await getGroup(member)).toBeNull();
    await join(member, representative);
    expect(await getGroup(member)).toEqual({
      role: 'member',
      vrn: GROUP,
      representative: { client_id: representative, name: 'Alder Holdings Ltd' },
      members: [],
    });
    expect(await getGroup(representative)).toEqual({
      role: 'representative',
      vrn: GROUP,
      representative: null,
      members: [{ client_id: member, name: 'Birch Ltd' }],
    });
    expect(await getProfile(member)).toMatchObject({ taxes: ['ct'], vrn: null });
    const { body } = await practice.admin.get('/client/timeline', { company_id: practice.companyId, client_id: member });
    expect(body['entries']).toContainEqual(
      expect.objectContaining({ title: 'VAT group: member', detail: `number ${GROUP}, representative member Alder Holdings Ltd` }),
    );
  });

  it('has one representative member when two clients join each other’s group at once', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { representative, member } = await addPair();
      const responses = await Promise.all([
        set(member, { role: 'member', representative_id: representative }),
        set(representative, { role: 'member', representative_id: member }),
      ]);
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
      await getDb().delete(clients).where(eq(clients.companyId, practice.companyId));
    }
  });

  it('stays consistent when its number is corrected while a member becomes the representative', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { representative, member } = await addPair();
      await join(member, representative);
      const url = '/open-tax/client-companies/facts';
      const { status: _status, ...facts } = (await practice.admin.get(url, { company_id: practice.companyId, client_id: representative }))
        .body;
      const [takenOver, correctionResponse] = await Promise.all([
        set(member, { role: 'representative' }),
        practice.admin.post(url, { ...facts, company_id: practice.companyId, vrn: '100000034' }),
      ]);
      expect(takenOver.status).toBe(200);
      expect([200, 409]).toContain(correctionResponse.status);
      expect((await getClient(representative))?.vatGroupVrn).toBe((await getClient(member))?.vrn);
      await getDb().delete(clients).where(eq(clients.companyId, practice.companyId));
    }
  });

  it('is a conflict, not a failure, if another client gets the member’s former number at the same moment', async () => {
    const { representative, member } = await addPair();
    await join(member, representative);
    const [inserted, saved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const addition = getDb().transaction(async (tx) => {
      const now = portal.deps.clock.now();
      const other = { companyId: practice.companyId, id: randomUUID(), name: 'Cedar Ltd', kind: 'company', status: 'active' } as const;
      const taxes = { hasVat: true, hasPaye: false, hasCt: false, hasSa: false };
      await tx.insert(clients).values({ ...other, ...taxes, vrn: OWN, createdAt: now, updatedAt: now });
      inserted.resolve();
      await saved.promise;
    });
    await inserted.promise;
    const removal = set(member, { role: 'none' });
    // Long enough for the request to have seen that the number is free, and to wait for the other transaction.
    await new Promise((resolve) => setTimeout(resolve, 500));
    saved.resolve();
    await addition;
    const answer = await removal;
    // On one connection the request waits for the transaction, and sees that the number is taken.
    if (answer.status !== 200) expect(answer).toMatchObject({ status: 409, body: { code: 'client.reference_taken' } });
    expect((await set(member, { role: 'none' })).status).toBe(200);
    expect(await getClient(member)).toMatchObject({ vrn: null, hasVat: false, vatGroupRole: null });
  });

  it('gives the member back its former details when it’s removed', async () => {
    const { representative, member } = await addPair();
    const before = await getClient(member);
    await join(member, representative);
    expect((await set(member, { role: 'none' })).status).toBe(200);
    expect(await getClient(member)).toEqual({ ...before, updatedAt: expect.anything() });
    expect(await getGroup(member)).toBeNull();
  });

  it('may have a representative member that isn’t a client, with or without a known number', async () => {
    const { member } = await addPair();
    expect((await set(member, { role: 'member', group_vrn: 'GB 569 8764 47' })).status).toBe(400);
    expect((await set(member, { role: 'member', group_vrn: '' })).status).toBe(200);
    expect(await getGroup(member)).toEqual({ role: 'member', vrn: null, representative: null, members: [] });
    // A client with this number is the representative member.
    expect((await set(member, { role: 'member', group_vrn: `GB ${GROUP}` })).status).toBe(200);
    expect(await getGroup(member)).toMatchObject({ vrn: GROUP, representative: { name: 'Alder Holdings Ltd' } });
  });

  it('moves its number and VAT when a member becomes the representative member', async () => {
    const { representative, member } = await addPair();
    const other = await addClient(portal, practice.companyId, { name: 'Cedar Ltd', taxes: ['ct'] });
    await join(member, representative);
    await join(other, representative);
    expect((await set(member, { role: 'representative' })).status).toBe(200);
    expect(await getProfile(member)).toMatchObject({ taxes: ['vat', 'ct'], vrn: GROUP });
    expect(await getProfile(representative)).toMatchObject({ taxes: [], vrn: null });
    expect((await getGroup(member))?.members.map(({ name }) => name)).toEqual(['Alder Holdings Ltd', 'Cedar Ltd']);
    // The number was the group's, so the former representative member leaves without it.
    expect((await set(representative, { role: 'none' })).status).toBe(200);
    expect(await getProfile(representative)).toMatchObject({ taxes: [], vrn: null, vat_group: null });
  });

  it('follows a corrected number of the representative member, and rejects details that contradict it', async () => {
    const { representative, member } = await addPair();
    await join(member, representative);
    expect((await edit(representative, { vrn: '569876447' })).status).toBe(400);
    expect((await edit(representative, { vrn: '482193730' })).status).toBe(200);
    expect(await getGroup(member)).toMatchObject({ vrn: '482193730', representative: { name: 'Alder Holdings Ltd' } });
    for (const [id, change, field] of [
      [representative, { vrn: '' }, 'vrn'],
      [representative, { taxes: [] }, 'taxes'],
      [member, { vrn: OWN }, 'vrn'],
      [member, { taxes: ['vat'] }, 'taxes'],
    ] as const) {
      const { status, body } = await edit(id, change);
      expect([status, body]).toMatchObject([409, { code: 'client.in_vat_group', details: { field } }]);
    }
    expect((await edit(member, { phone: '01134960123' })).status).toBe(200);
  });

  it('shows the corrected number in the members’ history, and a former representative member doesn’t get the old one back', async () => {
    const { representative, member } = await addPair();
    await join(member, representative);
    expect((await set(member, { role: 'representative' })).status).toBe(200);
    expect((await edit(member, { vrn: '482193730' })).status).toBe(200);
    expect((await getTimeline(representative))[0]).toMatchObject({
      title: 'VAT group: member',
      detail: 'number 482193730, representative member Birch Ltd',
    });
    const found = await practice.admin.get('/client/companies', { company_id: practice.companyId, q: '482193730' });
    expect((found.body['companies'] as object[]).length).toBe(2);
    expect((await set(representative, { role: 'none' })).status).toBe(200);
    expect(await getClient(representative)).toMatchObject({ vrn: null, hasVat: false, vatGroupRole: null });
  });

  it('keeps its VAT at a client that represents it only because members have its number', async () => {
    const { representative, member } = await addPair();
    expect((await set(member, { role: 'member', group_vrn: '482193730' })).status).toBe(200);
    const refused = { status: 409, body: { code: 'client.in_vat_group' } };
    expect(await edit(representative, { vrn: '482193730', taxes: [] })).toMatchObject(refused);
    expect((await edit(representative, { vrn: '482193730' })).status).toBe(200);
    expect(await edit(representative, { taxes: [] })).toMatchObject(refused);
    expect(await edit(representative, { vrn: '', taxes: [] })).toMatchObject(refused);
    expect((await edit(representative, { phone: '01134960123' })).status).toBe(200);
  });

  it('is rejected where the group’s VAT would count twice or not at all', async () => {
    const { representative, member } = await addPair();
    const unregistered = await addClient(portal, practice.companyId, { taxes: ['ct'] });
    await join(member, representative);
    for (const [id, body, field] of [
      [unregistered, { role: 'representative' }, 'role'],
      [unregistered, { role: 'member', representative_id: unregistered }, 'representative_id'],
      [unregistered, { role: 'member', representative_id: member }, 'representative_id'],
      [representative, { role: 'member', representative_id: unregistered }, 'representative_id'],
    ] as const) {
      const answer = await set(id, body);
      expect([answer.status, answer.body]).toMatchObject([400, { details: { field } }]);
    }
    for (const body of [{ role: 'none' }, { role: 'member', group_vrn: '' }]) {
      expect((await set(representative, body)).body).toMatchObject({ code: 'client.represents_members' });
    }
  });

  it('isn’t changed while a VAT return under the client’s number waits for approval', async () => {
    const { representative, member } = await addPair();
    await addUnfiledReturn(member);
    expect((await set(member, { role: 'member', representative_id: representative })).body).toMatchObject({
      code: 'client.return_under_way',
    });
  });
});

async function addUnfiledReturn(clientId: string): Promise<void> {
  await getDb()
    .insert(returnApprovals)
    .values({
      companyId: practice.companyId,
      clientId,
      id: randomUUID(),
      obligationId: randomUUID(),
      periodStart: plainDate('2026-07-01'),
      periodEnd: plainDate('2026-09-30'),
      dueOn: plainDate('2026-11-07'),
      boxes: {} as FiledBoxes,
      digest: 'x',
      state: 'sent',
      requestedBy: practice.adminId,
      requestedAt: portal.deps.clock.now(),
    });
}

describe('access to a VAT group', () => {
  it('only admins set it, and a colleague sees only the clients assigned to them', async () => {
    const { representative, member } = await addPair();
    await assignClient(portal, practice.companyId, member, practice.memberId);
    expect((await set(member, { role: 'member', representative_id: representative }, practice.member)).status).toBe(404);
    await join(member, representative);
    expect(await getGroup(member, practice.member)).toEqual({ role: 'member', vrn: GROUP, representative: null, members: [] });
    expect(await getTimeline(member, practice.member)).toContainEqual(
      expect.objectContaining({ title: 'VAT group: member', detail: `number ${GROUP}` }),
    );
    expect(JSON.stringify(await getTimeline(member, practice.member))).not.toContain('Alder');
  });

  it('another practice’s client can be neither member nor representative member', async () => {
    const { representative, member } = await addPair();
    const otherPractice = await addPractice(portal);
    const foreignClientId = await addClient(portal, otherPractice.companyId, { vrn: '482193730' });
    expect((await set(foreignClientId, { role: 'representative' })).status).toBe(404);
    expect((await set(member, { role: 'member', representative_id: foreignClientId })).status).toBe(400);
    expect(await getGroup(representative)).toBeNull();
  });
});

const VAT_READ = { tax: 'vat', readDaysAgo: 0, hasFailed: false, returns: [20] } as const;
const CLIENT: GeneratedClient = { status: 'active', kind: 'company', isAssigned: true, hasYearEnd: false, taxes: [] };
const FIGURES: readonly GeneratedClient[] = [
  { ...CLIENT, taxes: [{ ...VAT_READ, charges: [{ pounds: 500, due: 10 }] }] },
  { ...CLIENT, taxes: [{ ...VAT_READ, charges: [{ pounds: 300, due: -10 }] }] },
  // Its VAT has never been read.
  { ...CLIENT, taxes: [{ ...VAT_READ, readDaysAgo: null, charges: [] }] },
];

describe('the figures of a VAT group', () => {
  it('count once, at the representative member, and come back when a member is removed', async () => {
    const [representative = '', member = '', unreadMember = ''] = await addPortfolio(portal, practice, FIGURES);
    await getDb().update(clients).set({ vrn: GROUP }).where(eq(clients.id, representative));
    const readTotals = async (browser = practice.admin) => {
      return (await browser.get('/open-tax/dashboard', { company_id: practice.companyId, tax: 'vat' })).body['totals'];
    };
    const loadRow = async (id: string) => (await getDb().select().from(clientRows).where(eq(clientRows.clientId, id)))[0];
    const [before, rowBefore] = [await readTotals(), await loadRow(member)];
    expect(before).toMatchObject({ clients: 3, owed_pence: 80_000, overdue_pence: 30_000, unread_clients: 1 });

    await join(member, representative);
    await join(unreadMember, representative);
    const { vat } = await calculateTotals(getDb(), practice.companyId, portal.deps.clock.today());
    for (const browser of [practice.admin, practice.member]) {
      expect(await readTotals(browser)).toMatchObject({ clients: 1, owed_pence: 50_000, overdue_pence: 0, unread_clients: 0 });
      expect(await readTotals(browser)).toEqual(vat);
    }
    expect(await loadRow(unreadMember)).toMatchObject({ figures: 'no_taxes', unreadTaxes: [], attention: 'none' });
    for (const table of [taxPositions, dueItems]) {
      expect(
        await getDb()
          .select()
          .from(table)
          .where(and(eq(table.clientId, member), eq(table.tax, 'vat'))),
      ).toEqual([]);
    }

    for (const id of [member, unreadMember]) expect((await set(id, { role: 'none' })).status).toBe(200);
    expect(await readTotals()).toEqual(before);
    // The test helpers don’t keep the names of the assigned colleagues up to date.
    expect(await loadRow(member)).toEqual({ ...rowBefore, members: expect.anything() as unknown });
  });
});

describe('a member of a VAT group', () => {
  it('is found by the group’s number, as the representative member is', async () => {
    const { representative, member } = await addPair();
    await join(member, representative);
    const { body } = await practice.admin.get('/client/companies', { company_id: practice.companyId, q: `GB ${GROUP}` });
    expect(body['companies']).toEqual([
      expect.objectContaining({ client_id: representative, matched: { field: 'vrn', value: GROUP } }),
      expect.objectContaining({ client_id: member, matched: { field: 'vat_group_vrn', value: GROUP } }),
    ]);
    const list = await practice.admin.get('/open-tax/client-companies', { company_id: practice.companyId, q: GROUP });
    expect((list.body['clients'] as { name: string }[]).map(({ name }) => name).toSorted()).toEqual(['Alder Holdings Ltd', 'Birch Ltd']);
  });

  it('has no authorisation for VAT, and none can be requested', async () => {
    const { representative, member } = await addPair();
    await join(member, representative);
    const agent = await practice.admin.get('/client/agent-details', { company_id: practice.companyId, client_id: member });
    expect((agent.body['authorisations'] as { tax: string }[]).map(({ tax }) => tax)).toEqual(['ct']);
    const preview = await practice.admin.post('/open-tax/authorisation-requests/preview', {
      company_id: practice.companyId,
      tax: 'vat',
      client_ids: [member],
    });
    expect(preview.body).toMatchObject({ ready: 0, skipped: [{ reason: 'in_vat_group', clients: 1 }] });
  });

  it('is in the export of the client list with its group, whose representative is the client with its number', async () => {
    const { representative, member } = await addPair();
    await join(member, representative);
    await getDb().update(clients).set({ vatGroupRole: null }).where(eq(clients.id, representative));
    const url = '/portal/open-tax/export-table';
    const query = { company_id: practice.companyId, sort: 'name' };
    const file = await portal.app.inject({ method: 'GET', url, query, headers: { cookie: practice.cookies.admin } });
    const [heading = [], ...rows] = file.body
      .replace('\uFEFF', '')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const take = (row: string[]) =>
      ['Name', 'VAT number', 'VAT group role', 'VAT group number'].map((title) => row[heading.indexOf(title)]);
    expect(rows.map(take)).toEqual([
      ['Alder Holdings Ltd', GROUP, 'Representative', ''],
      ['Birch Ltd', '', 'Member', GROUP],
    ]);
  });

  it('isn’t proposed for registration, because its group is registered', async () => {
    const { representative, member } = await addPair();
    await join(member, representative);
    const scope = { companyId: practice.companyId, today: portal.deps.clock.today(), publicUrl: '' };
    expect(await loadFacts(getDb(), scope, [member])).toMatchObject([
      { taxes: ['ct'], is_vat_registered: true, represents_vat_group: false },
    ]);
    expect(await loadFacts(getDb(), scope, [representative])).toMatchObject([{ represents_vat_group: true }]);
  });
});
