/** Tests that figures read under a reference that the client no longer has count nowhere: they are another taxpayer's. */
import { clientAuthorisations, clientObservations, clients, clientSyncs } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, type NewClient, type TestPractice } from '../../testing/add-practice.ts';
import { addReadings, type GeneratedTax } from '../../testing/add-portfolio.ts';
import { createOaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createSyncSteps } from '../../testing/sync-steps.ts';

let portal: TestPortal;
let practice: TestPractice;

beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});

const [OWN, GROUP, CORRECTED] = ['314159228', '193054661', '482193730'];

const getDb = () => portal.deps.database.db;
const getVatTotals = async () =>
  (await practice.admin.get('/open-tax/dashboard', { company_id: practice.companyId, tax: 'vat' })).body['totals'];
const getProfile = async (clientId: string, { companyId, admin } = practice) =>
  (await admin.get('/client/profile', { company_id: companyId, client_id: clientId })).body;
const setGroup = async (clientId: string, body: object) => {
  const input = { company_id: practice.companyId, client_id: clientId, ...body };
  expect((await practice.admin.post('/open-tax/client-companies/vat-group', input)).status).toBe(200);
};

async function edit(clientId: string, change: object, { companyId, admin } = practice): Promise<void> {
  const url = '/open-tax/client-companies/facts';
  const { status: _status, version: _version, ...facts } = (await admin.get(url, { company_id: companyId, client_id: clientId })).body;
  expect((await admin.post(url, { ...facts, company_id: companyId, ...change })).status).toBe(200);
}

/** Adds a client that owes £500 of the tax, £500 of it overdue. */
async function addOwing(tax: Tax, facts: NewClient = {}, references: Partial<typeof clients.$inferInsert> = {}): Promise<string> {
  const id = await addClient(portal, practice.companyId, { taxes: [tax], ...facts });
  if (Object.keys(references).length > 0) await getDb().update(clients).set(references).where(eq(clients.id, id));
  const reading: GeneratedTax = { tax, readDaysAgo: 0, hasFailed: false, charges: [{ pounds: 500, due: -10 }], returns: [20] };
  await addReadings(portal, practice, [{ clientId: id, reading }]);
  return id;
}

describe('a corrected reference', () => {
  it.each([
    ['VAT number', 'vat', { vrn: OWN }, { vrn: CORRECTED }],
    ['National Insurance number', 'sa', { nino: 'AB123456C', kind: 'individual' }, { nino: 'AB123457C' }],
    ['PAYE reference', 'paye', { payeReference: '123/AB456' }, { paye_reference: '123/AB457' }],
    ['UTR', 'ct', { utr: '1123456789' }, { utr: '6223456789' }],
  ] as const)('makes the figures of the former %s unknown, and they return with it', async (_name, tax, held, corrected) => {
    const { vrn, nino, kind, ...references } = held as Record<string, string>;
    const facts = Object.fromEntries(Object.entries({ vrn, nino, kind }).filter(([, value]) => value !== undefined));
    const id = await addOwing(tax, facts, references);
    expect(await getProfile(id)).toMatchObject({ owed_pence: 50_000, overdue_pence: 50_000, figures_state: 'current' });
    await edit(id, corrected);
    expect(await getProfile(id)).toMatchObject({ owed_pence: null, overdue_pence: null, figures_state: 'unread' });
    const [key = ''] = Object.keys(corrected);
    await edit(id, { [key]: Object.values({ vrn, nino, ...references }).find((value) => value !== undefined) });
    expect(await getProfile(id)).toMatchObject({ owed_pence: 50_000, figures_state: 'current' });
  });

  it('doesn’t keep the authorisation that HMRC gave for the former VAT number', async () => {
    const id = await addOwing('vat', { vrn: OWN });
    await getDb().insert(clientAuthorisations).values({ companyId: practice.companyId, clientId: id, tax: 'vat', status: 'authorised' });
    await edit(id, { vrn: CORRECTED });
    const { body } = await practice.admin.get('/client/agent-details', { company_id: practice.companyId, client_id: id });
    expect(body['authorisations']).toMatchObject([{ tax: 'vat', status: 'not_checked' }]);
  });

  it('isn’t followed by a refresh that adds the former number’s debts to the new one’s', async () => {
    const isIncluded = ({ situation }: { situation: string }) => situation === 'overdue_payment';
    const steps = createSyncSteps(portal);
    const right = await createOaklinePractice(portal, { isIncluded: ({ situation }) => situation === 'up_to_date' });
    await steps.sync(right);
    const wrong = await createOaklinePractice(portal, { isIncluded });
    await steps.sync(wrong);
    const [{ id, client } = { id: '', client: undefined }] = wrong.list;
    expect((await getProfile(id, wrong))['overdue_pence']).toBeGreaterThan(0);
    const vrn = right.list[0]?.client.vat?.vrn;
    expect(vrn).not.toBe(client?.vat?.vrn);
    await edit(id, { vrn }, wrong);
    await steps.sync(wrong);
    const { owed_pence, overdue_pence, refund_pence } = await getProfile(right.list[0]?.id ?? '', right);
    expect(await getProfile(id, wrong)).toMatchObject({ owed_pence, overdue_pence, refund_pence });
  });
});

describe('a stored response', () => {
  it('without a reference gets it once, and can’t be changed in any other way', async () => {
    const id = await addOwing('vat');
    const isOfClient = eq(clientObservations.clientId, id);
    const change = (values: object) => getDb().update(clientObservations).set(values).where(isOfClient);
    await expect(change({ reference: OWN, body: {} })).rejects.toThrow(/Failed query: update "client_observations"/);
    await change({ reference: OWN });
    for (const values of [{ reference: GROUP }, { body: {} }])
      await expect(change(values)).rejects.toThrow(/Failed query: update "client_observations"/);
  });
});

describe('another company number', () => {
  it('removes the year end and status that Companies House gave for the former one', async () => {
    const id = await addClient(portal, practice.companyId, { taxes: ['ct'] });
    const register = { registerStatus: 'dissolved', registerReadAt: portal.deps.clock.now(), yearEndSource: 'companies_house' } as const;
    await getDb()
      .update(clients)
      .set({ ...register, companyNumber: '00445790', yearEndOn: '2026-03-31' as never })
      .where(eq(clients.id, id));
    await edit(id, { company_number: '00445791' });
    const [client] = await getDb().select().from(clients).where(eq(clients.id, id));
    expect(client).toMatchObject({ registerStatus: null, registerReadAt: null, yearEndOn: null, yearEndSource: null });
  });
});

describe('the date of the figures', () => {
  it('is shown only for current clients with the tax', async () => {
    const [representative, member, archived] = [
      await addClient(portal, practice.companyId, { vrn: GROUP }),
      await addClient(portal, practice.companyId, { vrn: OWN }),
      await addClient(portal, practice.companyId),
    ];
    const readAt = addMilliseconds(portal.deps.clock.now(), -90 * 86_400_000);
    const reading = { companyId: practice.companyId, tax: 'vat', state: 'completed', readAt } as const;
    await getDb()
      .insert(clientSyncs)
      .values([member, archived].map((clientId) => ({ ...reading, clientId })));
    await getDb().update(clients).set({ status: 'closed' }).where(eq(clients.id, archived));
    await setGroup(member, { role: 'member', representative_id: representative });
    const { body } = await practice.admin.get('/open-tax/sync-data', { company_id: practice.companyId, tax_type: 'vat' });
    expect(body).toMatchObject({ clients: 1, never_read: 1, states: { completed: 0 }, oldest_read_at: null, newest_read_at: null });
  });
});

describe('a VAT group whose number moves', () => {
  it('has no figures that were read under the new representative member’s own number', async () => {
    const representative = await addClient(portal, practice.companyId, { name: 'Alder Holdings Ltd', vrn: GROUP });
    const member = await addOwing('vat', { name: 'Birch Ltd', vrn: OWN });
    await setGroup(member, { role: 'member', representative_id: representative });
    expect(await getVatTotals()).toMatchObject({ clients: 1, owed_pence: null, unread_clients: 1 });
    await setGroup(member, { role: 'representative' });
    expect(await getVatTotals()).toMatchObject({ clients: 1, unread_clients: 1, overdue_clients: 0 });
  });
});
