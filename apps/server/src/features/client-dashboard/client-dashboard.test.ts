/** Tests the client page: who may see it, what it shows and which actions are audited. See docs/product/specification.md section 7.3. */
import { taxPositions } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
let otherPractice: TestPractice;
let clientId: string;
beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
  practice = await addPractice(portal);
  otherPractice = await addPractice(portal);
  clientId = await addClient(portal, practice.companyId, { name: 'Hartley Joinery Ltd', taxes: ['vat', 'ct'], vrn: '193054661' });
});
afterAll(() => portal.close());

const createClientQuery = (id = clientId, companyId = practice.companyId) => ({ company_id: companyId, client_id: id });
const READ_ENDPOINTS = ['profile', 'notes', 'timeline'] as const;

describe('the client page', () => {
  it("shows the client's details and the business date", async () => {
    const response = await practice.admin.get('/client/profile', createClientQuery());
    expect(response.body).toMatchObject({
      full_name: 'Hartley Joinery Ltd',
      kind: 'company',
      status: 'active',
      taxes: ['vat', 'ct'],
      vrn: '193054661',
      next_due_on: null,
      attention: 'no_data',
      today: '2026-11-10',
    });
  });

  it.each(READ_ENDPOINTS)('returns 404 to another practice and to a team member who is not assigned: %s', async (read) => {
    expect((await otherPractice.admin.get(`/client/${read}`, createClientQuery(clientId, otherPractice.companyId))).status).toBe(404);
    expect((await otherPractice.admin.get(`/client/${read}`, createClientQuery())).status).toBe(404);
    expect((await practice.member.get(`/client/${read}`, createClientQuery())).status).toBe(404);
    const assignedClient = await addClient(portal, practice.companyId);
    await assignClient(portal, practice.companyId, assignedClient, practice.memberId);
    expect((await practice.member.get(`/client/${read}`, createClientQuery(assignedClient))).status).toBe(200);
  });

  it('lists only the clients that the user may see', async () => {
    const ownPractice = await addPractice(portal);
    const visibleClient = await addClient(portal, ownPractice.companyId, { name: 'Beech Hill Farm' });
    const unseenClientId = await addClient(portal, ownPractice.companyId, { name: 'Ash Hill Stores' });
    await assignClient(portal, ownPractice.companyId, visibleClient, ownPractice.memberId);
    const query = { company_id: ownPractice.companyId };
    const all = [
      { client_id: unseenClientId, name: 'Ash Hill Stores', status: 'active', client_code: null, matched: null },
      { client_id: visibleClient, name: 'Beech Hill Farm', status: 'active', client_code: null, matched: null },
    ];
    expect((await ownPractice.admin.get('/client/companies', query)).body).toEqual({ companies: all });
    expect((await ownPractice.admin.get('/client/companies', { ...query, q: 'FARM' })).body).toEqual({ companies: all.slice(1) });
    expect((await ownPractice.member.get('/client/companies', query)).body).toEqual({ companies: all.slice(1) });
  });
});

describe('client notes', () => {
  it('are stored with author and time, listed newest first and shown in the timeline', async () => {
    const write = (text: string) => practice.admin.post('/client/notes', { company_id: practice.companyId, client_id: clientId, text });
    expect((await write(' Rang about the July return. ')).body).toMatchObject({ text: 'Rang about the July return.' });
    portal.moveClock('2026-11-10T10:00:00.000Z');
    await write('Paid today.');
    const { notes } = (await practice.admin.get('/client/notes', createClientQuery())).body;
    expect(notes).toMatchObject([
      { text: 'Paid today.', author: 'practice_admin', written_at: expect.stringMatching(/^2026-11-10T10:00/) },
      { text: 'Rang about the July return.' },
    ]);
    const { entries } = (await practice.admin.get('/client/timeline', createClientQuery())).body;
    expect(entries).toMatchObject([
      { kind: 'note', title: 'Note', detail: 'Paid today.', who: 'practice_admin' },
      { kind: 'note', detail: 'Rang about the July return.' },
    ]);
  });

  it('are rejected when the text is empty or the user may not see the client', async () => {
    const clientWithoutChanges = await addClient(portal, practice.companyId);
    const note = { company_id: practice.companyId, client_id: clientWithoutChanges, text: '  ' };
    expect((await practice.admin.post('/client/notes', note)).status).toBe(400);
    expect((await practice.member.post('/client/notes', { ...note, text: 'Mine?' })).status).toBe(404);
    expect((await otherPractice.admin.post('/client/notes', { ...note, text: 'Mine?' })).status).toBe(404);
    expect((await practice.admin.get('/client/notes', createClientQuery(clientWithoutChanges))).body).toEqual({ notes: [] });
  });
});

describe("balances from the client's records", () => {
  it('are listed next to HMRC’s figure with the person who entered them; the newest counts', async () => {
    const ownPractice = await addPractice(portal);
    const id = await addClient(portal, ownPractice.companyId, { taxes: ['vat', 'ct'] });
    const { db } = portal.deps.database;
    await db.insert(taxPositions).values({
      companyId: ownPractice.companyId,
      clientId: id,
      tax: 'vat',
      owedPence: pence(500_00),
      overduePence: pence(0),
      refundPence: pence(100_00),
      overdueReturns: 0,
      penaltyPence: pence(0),
      interestPence: pence(0),
      computedOn: plainDate('2026-11-10'),
      isEstimate: false,
      source: 'hmrc',
      asOf: portal.deps.clock.now(),
      detail: {},
    });
    const enterBalance = (extra: object) =>
      ownPractice.admin.post('/client/books', {
        ...createClientQuery(id, ownPractice.companyId),
        tax: 'vat',
        balance_pence: 300_00,
        on_date: '2026-10-31',
        ...extra,
      });
    expect((await enterBalance({})).status).toBe(200);
    expect((await enterBalance({ balance_pence: 450_00, on_date: '2026-11-09' })).status).toBe(200);
    expect((await enterBalance({ tax: 'ct', balance_pence: -10_00 })).status).toBe(200);
    expect((await enterBalance({ on_date: '2026-11-11' })).status).toBe(400);
    const { body } = await ownPractice.admin.get('/client/books', createClientQuery(id, ownPractice.companyId));
    expect(body['balances']).toMatchObject([
      { tax: 'ct', balance_pence: -10_00, hmrc_pence: null, difference_pence: null },
      {
        tax: 'vat',
        balance_pence: 450_00,
        on_date: '2026-11-09',
        entered_by: 'practice_admin',
        hmrc_pence: 400_00,
        difference_pence: 50_00,
      },
    ]);
  });
});

describe('the timeline', () => {
  it('shows a bulk change for each client in it and for no other', async () => {
    const ownPractice = await addPractice(portal);
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => addClient(portal, ownPractice.companyId)));
    const bothClients = { company_id: ownPractice.companyId, client_ids: [first, second] };
    await ownPractice.admin.post('/open-tax/client-companies/assign', {
      ...bothClients,
      user_id: ownPractice.memberId,
      duty: 'vat',
      action: 'add',
    });
    const listEntries = async (id = '') =>
      (await ownPractice.admin.get('/client/timeline', createClientQuery(id, ownPractice.companyId))).body['entries'] as unknown[];
    expect(await listEntries(first)).toMatchObject([
      { kind: 'change', title: 'Assigned', detail: 'team_member, for VAT', who: 'practice_admin' },
    ]);
    expect(await listEntries(second)).toHaveLength(1);
    expect(await listEntries(third)).toEqual([]);
  });
});
