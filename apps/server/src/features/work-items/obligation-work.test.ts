/** Tests tasks created by obligations: for which clients, when, only once, and completed once HMRC has the return. */
import { randomUUID } from 'node:crypto';
import { dueItems, taxPositions } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { addDays, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { BUILT_IN_TEMPLATES } from '@portal/domain/work-items/work-template.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { createOaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { sweepWork } from './create-obligation-work.ts';

let portal: TestPortal;
let practice: TestPractice;

beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});

const post = (path: string, body: object, browser = practice.admin) =>
  browser.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body });
type Item = { item_id: string; title: string; due_on: string; status: string; owner: { user_id: string } | null };
const list = async (query: Record<string, string> = {}) =>
  (await practice.admin.get('/open-tax/work-items', { company_id: practice.companyId, ...query })).body['items'] as Item[];
const switchOn = async (fields: object = {}) => (await post('work-templates/switch', { key: 'vat_return', is_on: true, ...fields })).body;

const PERIOD_END = plainDate('2026-09-30');
const DUE_ON = plainDate('2026-11-07');

/** Adds a return the way a refresh from HMRC stores it. */
function addReturn(clientId: string, { end = PERIOD_END, due = DUE_ON }: { end?: PlainDate; due?: PlainDate } = {}) {
  return portal.deps.database.db.insert(dueItems).values({
    companyId: practice.companyId,
    clientId,
    tax: 'vat',
    key: `return ${randomUUID()}`,
    what: 'return',
    kind: 'return',
    dueOn: due,
    title: 'VAT return',
    periodStart: addDays(end, -91),
    periodEnd: end,
    source: 'hmrc',
    asOf: portal.deps.clock.now(),
  });
}

const removeReturns = (clientId: string) => portal.deps.database.db.delete(dueItems).where(eq(dueItems.clientId, clientId));

describe('a template that is switched on', () => {
  it('creates tasks for each return whose period has ended, dated from the period and assigned to the person with the duty', async () => {
    const clientId = await addClient(portal, practice.companyId);
    await assignClient(portal, practice.companyId, clientId, practice.memberId);
    await addReturn(clientId);
    await addReturn(clientId, { end: plainDate('2026-12-31'), due: plainDate('2027-02-07') });
    const otherClientId = await addClient(portal, practice.companyId);
    await addReturn(otherClientId);
    await post('client-companies/status', { client_ids: [otherClientId], status: 'inactive' });
    expect(await switchOn()).toEqual({ created: 3 });
    const items = await list();
    expect(items.map(({ title, due_on: due }) => [title, due])).toEqual([
      ['Prepare the VAT return (to 30 Sep 2026)', addDays(PERIOD_END, 14)],
      ['Get the VAT return approved (to 30 Sep 2026)', addDays(DUE_ON, -10)],
      ['File the VAT return (to 30 Sep 2026)', addDays(DUE_ON, -5)],
    ]);
    expect(new Set(items.map(({ owner }) => owner?.user_id))).toEqual(new Set([practice.memberId]));
    const timeline = (await practice.admin.get('/client/timeline', { company_id: practice.companyId, client_id: clientId })).body;
    expect(timeline['entries']).toContainEqual(expect.objectContaining({ title: 'Tasks created for a return' }));
  });

  it('creates each step of an obligation once, even after it was read again and after its task was deleted', async () => {
    const clientId = await addClient(portal, practice.companyId);
    await addReturn(clientId);
    await switchOn();
    const [first] = await list();
    await post('work-items/change', { item_ids: [first?.item_id], remove: true });
    await removeReturns(clientId);
    await addReturn(clientId, { due: addDays(DUE_ON, 1) });
    await Promise.all([sweepWork(portal.deps), switchOn(), switchOn()]);
    expect(await list()).toHaveLength(2);
  });

  it('reaches only the clients with its tag, and creates nothing when it is off', async () => {
    const [taggedClientId, otherClient] = [await addClient(portal, practice.companyId), await addClient(portal, practice.companyId)];
    await practice.admin.post('/client/tags', { company_id: practice.companyId, client_id: taggedClientId, tags: ['Full service'] });
    await addReturn(taggedClientId);
    await addReturn(otherClient);
    expect(await switchOn({ client_tag: 'Full service' })).toEqual({ created: 3 });
    await switchOn({ is_on: false });
    await addReturn(taggedClientId, { end: plainDate('2026-06-30'), due: plainDate('2026-08-07') });
    await sweepWork(portal.deps);
    expect(await list()).toHaveLength(3);
  });

  it('is completed automatically when HMRC shows the return as filed', async () => {
    const clientId = await addClient(portal, practice.companyId);
    await addReturn(clientId);
    await switchOn();
    await portal.deps.database.db.insert(taxPositions).values({
      companyId: practice.companyId,
      clientId,
      tax: 'vat',
      owedPence: 0 as never,
      overduePence: 0 as never,
      refundPence: 0 as never,
      overdueReturns: 0,
      penaltyPence: 0 as never,
      interestPence: 0 as never,
      computedOn: portal.deps.clock.today(),
      isEstimate: false,
      source: 'hmrc',
      rulesVersion: 1,
      detail: { periods: [{ end: PERIOD_END, return_state: 'due' }], quarterly_updates: [] },
    });
    await sweepWork(portal.deps);
    expect(await list({ status: 'done' })).toHaveLength(0);
    const detail = { periods: [{ end: PERIOD_END, return_state: 'filed', start: '2026-07-01' }], quarterly_updates: [] };
    await portal.deps.database.db
      .update(taxPositions)
      .set({ detail })
      .where(and(eq(taxPositions.companyId, practice.companyId), eq(taxPositions.clientId, clientId)));
    await sweepWork(portal.deps);
    expect(await list({ status: 'done' })).toHaveLength(3);
  });

  it('follows a refresh from HMRC without waiting for the sweep', async () => {
    const oakline = await createOaklinePractice(portal, { isIncluded: ({ situation }) => situation === 'due_soon' });
    const { companyId, admin, list: clients } = oakline;
    const [client] = clients;
    const listTitles = async (status: string) => {
      const { body } = await admin.get('/open-tax/work-items', { company_id: companyId, status });
      return (body['items'] as Item[]).map(({ title }) => title);
    };
    const refresh = async () => {
      await admin.post('/open-tax/sync', { company_id: companyId, client_ids: [client?.id], tax_type: 'vat' });
      await portal.runJobs();
    };
    await admin.post('/open-tax/work-templates/switch', { company_id: companyId, key: 'vat_return', is_on: true });
    expect(await listTitles('open')).toEqual([]);
    await refresh();
    const createdTitles = await listTitles('open');
    expect(createdTitles).toHaveLength(3);
    portal.hmrc.fileElsewhere(client?.client.vat?.vrn ?? '', { refundPence: 400_000, daysAgo: 1 });
    await refresh();
    expect((await listTitles('done')).toSorted()).toEqual(createdTitles.toSorted());
    expect(await listTitles('open')).toEqual([]);
  });
});

describe('a template', () => {
  const [vat] = BUILT_IN_TEMPLATES;
  const listTemplates = async (browser = practice.admin) =>
    (await browser.get('/open-tax/work-templates', { company_id: practice.companyId })).body['templates'] as {
      key: string;
      name: string;
    }[];

  it('is changed by admins only, and a built-in one can be reset', async () => {
    const template = { key: 'vat_return', name: 'Our VAT', service: 'vat', trigger: vat?.trigger, steps: [vat?.steps[0]] };
    expect((await post('work-templates', template, practice.member)).status).toBe(404);
    expect((await post('work-templates', template)).status).toBe(200);
    expect((await listTemplates(practice.member))[0]).toMatchObject({ name: 'Our VAT', is_changed: true, is_built_in: true });
    await post('work-templates/delete', { key: 'vat_return' });
    expect((await listTemplates())[0]).toMatchObject({ name: vat?.name, is_changed: false });
    expect((await post('work-templates', { ...template, steps: [] })).status).toBe(400);
    expect((await post('work-templates/switch', { key: 'payroll_month', is_on: true })).status).toBe(400);
    expect((await post('work-templates/switch', { key: 'unknown', is_on: true })).status).toBe(404);
  });

  it('creates its tasks manually once for a request', async () => {
    const clientId = await addClient(portal, practice.companyId);
    const request = { request_id: randomUUID(), template_key: 'payroll_month', client_id: clientId, day: '2026-11-30' };
    expect((await post('work-items/from-template', request)).body).toEqual({ created: 3 });
    expect((await post('work-items/from-template', request)).body).toEqual({ created: 0 });
    expect((await list()).map(({ due_on: due }) => due)).toEqual(['2026-11-23', '2026-11-27', '2026-11-30']);
    expect((await post('work-items/from-template', { ...request, request_id: randomUUID() }, practice.member)).status).toBe(404);
  });
});
