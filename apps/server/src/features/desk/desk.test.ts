import { advanceAssignments, auditEntries, creditAllocations } from '@portal/db/schema/schema.ts';
import type { DeskStep } from '@portal/domain/operators/desk-steps.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { acceptAdvance, createTraderWithFiledReturn, findAdvance, postRelease, createPaidTrader } from '../../testing/take-advance.ts';
import { createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';
import { loadEligibilityFacts } from '../advances/eligibility-facts.ts';

type DeskRow = Record<string, unknown> & {
  company_id: string;
  advance_id: string;
  company_name: string;
  step: DeskStep;
  refund_pence: number;
};

let portal: TestPortal;
let olga: Browser;
let smallRefundTrader: Trader;
let largeRefundTrader: Trader;
let paidTrader: Trader;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  smallRefundTrader = await createTraderWithFiledReturn(portal, 'small@trader.example', 4_043);
  await acceptAdvance(portal, smallRefundTrader);
  largeRefundTrader = await createTraderWithFiledReturn(portal, 'large@trader.example', 26_003);
  await acceptAdvance(portal, largeRefundTrader);
  paidTrader = await createPaidTrader(portal, 'paid@trader.example', 4_031);
});
afterAll(() => portal.close());

const list = async (query: Record<string, string> = {}, browser = olga): Promise<DeskRow[]> =>
  (await browser.get('/operator/desk', query)).body['advances'] as DeskRow[];
const readSummary = async (query: Record<string, string> = {}) => (await olga.get('/operator/desk/summary', query)).body;
const find = async (trader: Trader): Promise<DeskRow | undefined> =>
  (await list({ queue: 'all' })).find(({ company_id }) => company_id === trader.companyId);

describe('the desk', () => {
  it('lists under “needs us” only advances that wait for an operator, each with its step', async () => {
    expect(await list()).toMatchObject([
      { company_id: largeRefundTrader.companyId, step: 'review', state: 'in_review', is_new_trader: true },
    ]);
    expect(await find(smallRefundTrader)).toMatchObject({ state: 'approved', step: 'trader_confirms', releases_needed: 0 });
    // After the review, the step is the release, and then the trader's next action.
    const { advance_id } = await findAdvance(largeRefundTrader);
    const ids = { company_id: largeRefundTrader.companyId, advance_id };
    await olga.post('/operator/advance/decide', { ...ids, decision: 'approve', reason: 'Checked.' });
    await portal.runJobs();
    const releasesNeeded = Number((await find(largeRefundTrader))?.['releases_needed']);
    expect(await find(largeRefundTrader)).toMatchObject({ step: 'release', releases: 0 });
    for (let releaseCount = 0; releaseCount < releasesNeeded; releaseCount += 1) {
      const operator = await createOperator(portal, `releaser${releaseCount}@operators.example`);
      await postRelease(operator, largeRefundTrader, advance_id);
    }
    expect(await find(largeRefundTrader)).toMatchObject({ step: 'trader_confirms', releases: releasesNeeded });
  });

  it('counts down to the promised time and lists what is due first', async () => {
    const row = await find(smallRefundTrader);
    expect(Date.parse(String(row?.['pay_by'])) - Date.parse(String(row?.['accepted_at']))).toBe(24 * 3_600_000);
    expect(await list({ queue: 'all', due_within_hours: '2' })).toEqual([]);
    expect((await list({ queue: 'all', due_within_hours: '24' })).map(({ company_id }) => company_id)).toEqual(
      expect.arrayContaining([smallRefundTrader.companyId, largeRefundTrader.companyId]),
    );
  });

  it('finds a company by words of its name, its VAT number or the advance’s ID', async () => {
    const { advance_id } = await findAdvance(paidTrader);
    for (const q of [paidTrader.vrn, `GB ${paidTrader.vrn}`, advance_id.slice(0, 8)])
      expect(await list({ queue: 'all', q })).toHaveLength(1);
    expect(await list({ queue: 'all', q: 'exports TESS' })).toHaveLength(3);
    expect(await list({ queue: 'all', q: 'nobody' })).toEqual([]);
  });

  it('reduces the exposure by what HMRC has repaid, including in the rule for the next refund', async () => {
    expect(await find(paidTrader)).toMatchObject({ state: 'awaiting_hmrc', step: 'hmrc_repays', outstanding_pence: 4_031_00 });
    const before = Number((await readSummary())['exposure_pence']);
    const { advance_id } = await findAdvance(paidTrader);
    const part = {
      companyId: paidTrader.companyId,
      id: crypto.randomUUID(),
      creditId: crypto.randomUUID(),
      advanceId: advance_id,
      by: 'bank',
    };
    const { db } = portal.deps.database;
    await db.insert(creditAllocations).values({ ...part, amountPence: 1_000_00 as never, at: portal.deps.clock.now() });
    expect(Number((await readSummary())['exposure_pence'])).toBe(before - 1_000_00);
    expect(await find(paidTrader)).toMatchObject({ outstanding_pence: 3_031_00 });
    const facts = await loadEligibilityFacts(db, paidTrader.companyId, crypto.randomUUID(), 1_00 as never, portal.deps.clock.today());
    expect(facts).toMatchObject({ companyExposure: 3_031_00, totalExposure: before - 1_000_00 });
  });
});

describe('assigning', () => {
  it('gives an advance to an operator with an audit entry, and lists it under “mine”', async () => {
    const { advance_id } = await findAdvance(largeRefundTrader);
    const operators = (await olga.get('/operator/desk/operators')).body['operators'] as { user_id: string; is_you: boolean }[];
    const operatorId = operators.find(({ is_you }) => is_you)?.user_id ?? '';
    const advances = [{ company_id: largeRefundTrader.companyId, advance_id }];
    expect((await olga.post('/operator/desk/assign', { advances, operator_id: operatorId })).body).toEqual({ assigned: 1 });
    expect((await olga.post('/operator/desk/assign', { advances, operator_id: operatorId })).body).toEqual({ assigned: 0 });
    expect(await list({ queue: 'all', assigned: 'me' })).toMatchObject([{ advance_id, assigned_to: { user_id: operatorId } }]);
    const { db } = portal.deps.database;
    const entries = await db.select().from(auditEntries).where(eq(auditEntries.action, 'advance.assigned'));
    expect(entries).toMatchObject([{ subject: advance_id, actor: operatorId }]);
    await olga.post('/operator/desk/assign', { advances, operator_id: null });
    expect(await db.select().from(advanceAssignments)).toEqual([]);
  });

  it('rejects a trader as assignee, and an advance that doesn’t exist', async () => {
    const { advance_id } = await findAdvance(largeRefundTrader);
    const operator_id = crypto.randomUUID();
    const knownAdvances = [{ company_id: largeRefundTrader.companyId, advance_id }];
    expect((await olga.post('/operator/desk/assign', { advances: knownAdvances, operator_id })).status).toBe(422);
    const unknownAdvances = [{ company_id: smallRefundTrader.companyId, advance_id }];
    expect((await olga.post('/operator/desk/assign', { advances: unknownAdvances, operator_id: null })).status).toBe(404);
  });
});

describe('notes and views', () => {
  it('save a note once, however often it is sent', async () => {
    const { advance_id } = await findAdvance(paidTrader);
    const subject = { company_id: paidTrader.companyId, subject_id: advance_id };
    const note = { ...subject, note_id: crypto.randomUUID(), text: 'Called the accountant.' };
    await olga.post('/operator/desk/notes', note);
    await olga.post('/operator/desk/notes', note);
    expect((await olga.get('/operator/desk/notes', subject)).body['notes']).toMatchObject([{ text: 'Called the accountant.' }]);
    expect(await find(paidTrader)).toMatchObject({ notes: 1 });
    expect((await olga.post('/operator/desk/notes', { ...note, company_id: smallRefundTrader.companyId })).status).toBe(404);
  });

  it('are private until they are shared', async () => {
    const otis = await createOperator(portal, 'otis@operators.example');
    const readViews = async () => (await otis.get('/operator/desk/views')).body['views'];
    const view = { name: 'Big ones', query: 'above_pence=5000000' };
    await olga.post('/operator/desk/views', view);
    expect(await readViews()).toEqual([]);
    const { body } = await olga.post('/operator/desk/views', { ...view, is_shared: true });
    expect(await readViews()).toMatchObject([{ name: 'Big ones', is_yours: false }]);
    expect((await otis.post('/operator/desk/views/remove', { view_id: body['view_id'] })).status).toBe(404);
    expect((await olga.post('/operator/desk/views/remove', { view_id: body['view_id'] })).status).toBe(200);
  });
});

it('the desk is closed to traders', async () => {
  expect((await smallRefundTrader.browser.get('/operator/desk')).status).toBe(404);
});
