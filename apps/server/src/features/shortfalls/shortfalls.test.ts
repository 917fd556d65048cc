/** Tests refunds that arrive short, late or not at all, from the first sign to the end of the case. */
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { companies, shortfalls } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  createShortRepaidTrader as openShortTrader,
  findCase,
  runTick,
  transfer as payByTransfer,
  waitForReceivedAmount,
} from '../../testing/short-refund.ts';
import { createIdempotencyHeaders, createPaidTrader, findAdvance, getTrialBalance, waitForState } from '../../testing/take-advance.ts';
import { createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
});
afterAll(() => portal.close());

const refresh = (trader: Trader) => trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });

const createShortTrader = (email: string, refundPounds: number, repaidPounds: number) =>
  openShortTrader(portal, email, refundPounds, repaidPounds);
const transfer = (trader: Trader, amountPence: number, reference: string) => payByTransfer(portal, trader, amountPence, reference);

/** Lists the tasks about the early refund on the trader's dashboard. */
async function listRefundTasks(trader: Trader): Promise<unknown[]> {
  const { body } = await trader.browser.get(`/instant-vat/dashboard?company_id=${trader.companyId}`);
  const { tasks } = dashboardApi.get.output.parse(body);
  return tasks.filter(({ subject }) => subject === 'advance');
}

async function listEmailsTo(email: string): Promise<string[]> {
  await portal.runJobs();
  return portal.sentEmails.filter(({ to }) => to === email).map(({ subject }) => subject);
}

/** Sets the company type in the stored Companies House record. */
async function registerAs(trader: Trader, type: string): Promise<void> {
  const [company] = await portal.deps.database.db
    .select({ register: companies.register })
    .from(companies)
    .where(eq(companies.id, trader.companyId));
  const register = { ...company?.register, type } as NonNullable<typeof company>['register'];
  await portal.deps.database.db.update(companies).set({ register }).where(eq(companies.id, trader.companyId));
}

describe('a refund that HMRC repays in part', () => {
  it('is due with notice, paid by bank transfers that reconcile themselves, and settled to the penny', async () => {
    const trader = await createShortTrader('part@trader.example', 4_201, 3_000);
    const openedCase = await findCase(trader);
    expect(openedCase).toMatchObject({ status: 'due', owed_pence: 120_100, due_on: '2026-11-24', received_pence: 300_000 });
    expect(openedCase.next_action).toMatchObject({ by: 'trader', text: 'Pay £1,201.00' });
    expect(await listEmailsTo('part@trader.example')).toContain('Tess Exports Ltd: £1,201.00 is due by 24 November 2026');
    const notice = portal.sentEmails.find(({ to, subject }) => to === 'part@trader.example' && subject.includes('is due by'));
    expect(notice?.text).toContain(openedCase.reference);

    await transfer(trader, 20_000, `payment ${openedCase.reference.toLowerCase()}`);
    await waitForReceivedAmount(trader, 320_000);
    expect((await findAdvance(trader)).state).toBe('collecting');
    await transfer(trader, 101_100, openedCase.reference);
    await waitForState(trader, 'settled');
    // The extra pound belongs to the trader.
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_201 + 1_000, fee_income: -4_201, owed_to_trader: -1_000 });
    const settledCase = await findCase(trader);
    expect(settledCase).toMatchObject({ status: 'settled', owed_pence: 0, next_action: null });
    expect(settledCase.letters.map(({ heading }) => heading)).toEqual([
      'We’ve received £1,001.00. You’re all done',
      'We’ve received £200.00',
      '£1,201.00 is due by 24 November 2026',
    ]);
    expect(settledCase.events.map(({ text }) => text)).toContain('£1,201.00 is due by 24 November 2026.');
    const letter = { company_id: trader.companyId, letter_id: settledCase.letters.at(-1)?.letter_id ?? '' };
    const { body } = await trader.browser.get('/instant-vat/shortfall/letter', letter);
    expect(body).toMatchObject({
      company_name: 'Tess Exports Ltd',
      facts: expect.arrayContaining([{ label: 'Reference to quote', value: openedCase.reference }]),
    });
  });

  it('says what HMRC’s figures suggest, once they have been read', async () => {
    const trader = await createPaidTrader(portal, 'reduced@trader.example', 4_202);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'REPAYMENT_ADJUSTED', 300_000);
    await refresh(trader);
    expect(await findCase(trader)).toMatchObject({ status: 'watching', cause: 'reduced', suspected_pence: 120_200, owed_pence: 0 });
    expect((await findCase(trader)).cause_text).toContain('HMRC’s figures suggest that it reduced the refund from £4,202.00 to £3,000.00');
    expect(await listEmailsTo('reduced@trader.example')).toContain('Tess Exports Ltd: HMRC may repay less than the refund');
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'shortfall');
    expect(await findCase(trader)).toMatchObject({ status: 'due', cause: 'reduced', owed_pence: 120_200 });
    // Reading HMRC again has no effect.
    await refresh(trader);
    expect((await findCase(trader)).events).toHaveLength(2);
  });
});

describe('a refund that HMRC doesn’t repay', () => {
  it('is suspected after a read, claimed by an operator, disputed, answered, and written off by two operators', async () => {
    const trader = await createPaidTrader(portal, 'charge@trader.example', 4_203);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'ADJUSMENT_TO_TAX_DUE', 25_000);
    await refresh(trader);
    const watchedCase = await findCase(trader);
    expect(watchedCase).toMatchObject({ status: 'watching', cause: 'charge', suspected_pence: 420_300, owed_pence: 0 });
    expect(watchedCase.next_action?.by).toBe('us');
    const key = { company_id: trader.companyId, shortfall_id: watchedCase.shortfall_id };

    // The amount that the operator saw must still be correct.
    const outdatedResponse = await olga.post(
      '/operator/shortfall/claim',
      { ...key, amount_pence: 100, reason: 'HMRC’s letter' },
      createIdempotencyHeaders(),
    );
    expect(outdatedResponse.body).toMatchObject({ code: 'shortfall.amount_changed' });
    const claimedResponse = await olga.post(
      '/operator/shortfall/claim',
      { ...key, amount_pence: 420_300, reason: 'HMRC’s letter' },
      createIdempotencyHeaders(),
    );
    expect(claimedResponse.body['shortfall']).toMatchObject({ status: 'due', owed_pence: 420_300 });
    expect(claimedResponse.body['owner']).not.toBeNull();
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: -416_097, due_from_trader: 420_300, fee_income: -4_203 });

    await trader.browser.post('/instant-vat/shortfall/dispute', { ...key, reason: 'HMRC has agreed to reconsider' });
    expect(await findCase(trader)).toMatchObject({ status: 'disputed', dispute: { reason: 'HMRC has agreed to reconsider' } });
    expect((await trader.browser.post('/instant-vat/shortfall/plan', { ...key, count: 3 }, createIdempotencyHeaders())).body).toMatchObject(
      {
        code: 'shortfall.wrong_status',
      },
    );
    const answeredResponse = await omar.post('/operator/shortfall/answer-dispute', {
      ...key,
      answer: 'HMRC has confirmed its figure to us.',
    });
    expect(answeredResponse.body['shortfall']).toMatchObject({ status: 'due', due_on: '2026-11-24' });
    expect(await listEmailsTo('charge@trader.example')).toContain('Tess Exports Ltd: Our reply to your dispute');

    const { body: writeOffRequest } = await olga.post('/operator/shortfall/write-off', { ...key, reason: 'Company is dissolved' });
    const request = { company_id: trader.companyId, request_id: writeOffRequest['request_id'] };
    expect((await olga.post('/operator/approvals/approve', request, createIdempotencyHeaders())).status).toBe(409);
    expect((await findCase(trader)).status).toBe('due');
    expect((await omar.post('/operator/approvals/approve', request, createIdempotencyHeaders())).status).toBe(200);
    expect(await findCase(trader)).toMatchObject({ status: 'written_off', owed_pence: 0 });
    expect((await findAdvance(trader)).state).toBe('written_off');
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({ cash: -416_097, bad_debts: 420_300, fee_income: -4_203 });
    expect((await findCase(trader)).letters[0]?.heading).toBe('You don’t need to pay the difference');
  });

  it('is not written off if the trader paid between request and approval', async () => {
    const trader = await createShortTrader('paid-in-between@trader.example', 4_204, 3_000);
    const { shortfall_id, reference } = await findCase(trader);
    const key = { company_id: trader.companyId, shortfall_id };
    const { body: writeOffRequest } = await olga.post('/operator/shortfall/write-off', { ...key, reason: 'Cannot be reached' });
    await transfer(trader, 50_000, reference);
    await waitForReceivedAmount(trader, 350_000);
    const approvalResponse = await omar.post(
      '/operator/approvals/approve',
      { company_id: trader.companyId, request_id: writeOffRequest['request_id'] },
      createIdempotencyHeaders(),
    );
    expect(approvalResponse.body).toMatchObject({ code: 'shortfall.amount_changed' });
    expect(await getTrialBalance(portal, trader.companyId)).toMatchObject({ due_from_trader: 70_400 });
  });

  it('is suspected when HMRC set it off against a debt, and short by exactly that amount', async () => {
    const trader = await createPaidTrader(portal, 'setoff@trader.example', 4_000);
    await portal.hmrc.chooseSituation(trader.vrn, 'set_off');
    await refresh(trader);
    expect(await findCase(trader)).toBeNull();
    // HMRC sends the rest, but it hasn't arrived by the time the trader refreshes.
    portal.hmrc.setRepaymentAccount(trader.vrn, { sortCode: '20-00-00', accountNumber: '55779911', accountName: 'Tess Exports Ltd' });
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    portal.moveClock('2026-11-10T10:00:00Z');
    await refresh(trader);
    expect(await findCase(trader)).toMatchObject({ status: 'watching', cause: 'set_off', suspected_pence: 160_000 });
    expect((await findCase(trader)).cause_text).toBe(
      'HMRC’s figures suggest that it set £1,600.00 of the refund off against other VAT you owed. There seems to be a shortfall of £1,600.00.',
    );
    portal.moveClock('2026-11-10T09:00:00.000Z');
  });
});

describe('a late refund', () => {
  it('becomes a case automatically on the day after it was expected, and asks the trader to sign in and refresh', async () => {
    const trader = await createPaidTrader(portal, 'late@trader.example', 4_206);
    portal.moveClock('2026-12-10T09:00:00Z');
    await runTick(portal, 'advances.sweep');
    expect(await findCase(trader)).toBeNull();
    expect(await listRefundTasks(trader)).toEqual([]);
    portal.moveClock('2026-12-11T09:00:00Z');
    await runTick(portal, 'advances.sweep');
    const lateCase = await findCase(trader);
    expect(lateCase).toMatchObject({ status: 'watching', cause: 'late', owed_pence: 0, next_action: { by: 'trader' } });
    expect(await listRefundTasks(trader)).toMatchObject([{ title: 'HMRC is late with your refund', level: 'problem' }]);
    await portal.runJobs();
    const email = portal.sentEmails.find(({ to, subject }) => to === 'late@trader.example' && subject.includes('HMRC is late'));
    expect(email?.text).toContain('Log in and refresh the figures from HMRC');
    await runTick(portal, 'advances.sweep');
    expect((await findCase(trader)).events).toHaveLength(1);
    portal.moveClock('2026-12-12T09:00:00Z');
    await refresh(trader);
    expect((await findCase(trader)).next_action).toMatchObject({
      by: 'us',
      text: expect.stringContaining('Call the trader'),
      due_on: '2026-12-15',
    });
    portal.moveClock('2026-12-20T09:00:00Z');
    expect((await findCase(trader)).next_action).toMatchObject({ by: 'us', text: expect.stringContaining('Call the trader') });
    // HMRC pays in full after all.
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'settled');
    expect(await findCase(trader)).toMatchObject({ status: 'closed', next_action: null });
    expect(await listRefundTasks(trader)).toEqual([]);
    portal.moveClock('2026-11-10T09:00:00Z');
  });
});

describe('a difference paid in instalments', () => {
  it('has equal monthly amounts without interest, paid oldest first', async () => {
    const trader = await createShortTrader('plan@trader.example', 4_207, 3_207);
    await registerAs(trader, 'ltd');
    const { shortfall_id, reference } = await findCase(trader);
    const key = { company_id: trader.companyId, shortfall_id };
    expect((await trader.browser.post('/instant-vat/shortfall/plan', { ...key, count: 4 }, createIdempotencyHeaders())).status).toBe(400);
    expect((await trader.browser.post('/instant-vat/shortfall/plan', { ...key, count: 3 }, createIdempotencyHeaders())).body).toEqual({
      done: true,
    });
    const plannedCase = await findCase(trader);
    expect(plannedCase.instalments.map(({ amount_pence, due_on }) => [amount_pence, due_on])).toEqual([
      [33_334, '2026-11-24'],
      [33_333, '2026-12-24'],
      [33_333, '2027-01-24'],
    ]);
    expect((await findAdvance(trader)).state).toBe('collecting');
    await transfer(trader, 40_000, reference);
    await waitForReceivedAmount(trader, 360_700);
    const paidCase = await findCase(trader);
    expect(paidCase.instalments.map(({ paid_pence }) => paid_pence)).toEqual([33_334, 6_666, 0]);
    expect(paidCase.next_payment).toEqual({ amount_pence: 26_667, due_on: '2026-12-24', number: 2 });
    expect(await listEmailsTo('plan@trader.example')).toContain('Tess Exports Ltd: You’re paying in 3 instalments');
  });

  it('is only for companies and LLPs', async () => {
    const trader = await createShortTrader('partnership@trader.example', 4_208, 3_208);
    await registerAs(trader, 'limited-partnership');
    const { shortfall_id, may_pay_in_instalments } = await findCase(trader);
    expect(may_pay_in_instalments).toBe(false);
    const response = await trader.browser.post(
      '/instant-vat/shortfall/plan',
      { company_id: trader.companyId, shortfall_id, count: 2 },
      createIdempotencyHeaders(),
    );
    expect(response.body).toMatchObject({ code: 'shortfall.no_plan' });
  });
});

describe('cases', () => {
  it('all have an owner and a next action, and another trader sees none of them', async () => {
    await createShortTrader('owned@trader.example', 4_211, 3_211);
    const { body } = await olga.get('/operator/shortfalls');
    const items = body['shortfalls'] as { owner: string | null; next_action: object | null }[];
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) expect(item).toMatchObject({ owner: expect.stringMatching(/./), next_action: expect.anything() });
    // Cases that need our action come first, and the list agrees with every case's page.
    const parties = (body['shortfalls'] as { next_action: { by: string } }[]).map(({ next_action }) => next_action.by === 'us');
    expect(parties).toEqual(parties.toSorted((a, b) => Number(b) - Number(a)));
    for (const item of body['shortfalls'] as { company_id: string; shortfall_id: string; missing_pence: number; next_action: object }[]) {
      const { body: page } = await olga.get('/operator/shortfall', { company_id: item.company_id, shortfall_id: item.shortfall_id });
      const shortfall = page['shortfall'] as { next_action: object; refund_pence: number; received_pence: number };
      expect(item.next_action).toEqual(shortfall.next_action);
      expect(item.missing_pence).toBeGreaterThan(0);
    }
    const [row] = await portal.deps.database.db.select().from(shortfalls);
    const otherTrader = await createPaidTrader(portal, 'stranger@trader.example', 4_209);
    const foreignAdvance = { company_id: row?.companyId ?? '', advance_id: row?.advanceId ?? '' };
    expect((await otherTrader.browser.get('/instant-vat/shortfall', foreignAdvance)).status).toBe(404);
    const foreignKey = { company_id: otherTrader.companyId, shortfall_id: row?.id, reason: 'Not ours' };
    expect((await otherTrader.browser.post('/instant-vat/shortfall/dispute', foreignKey)).status).toBe(404);
  });

  it('are found by name, VAT number, reference, status and owner, and ended ones stay in the list', async () => {
    const trader = await createShortTrader('found@trader.example', 4_212, 3_212);
    const { shortfall_id, reference } = await findCase(trader);
    const list = async (query: Record<string, string>) => {
      const { body } = await olga.get('/operator/shortfalls', query);
      const foundIds = (body['shortfalls'] as { shortfall_id: string }[]).map((item) => item.shortfall_id);
      expect(body['count']).toBe(foundIds.length);
      return foundIds;
    };
    expect(await list({ q: reference.toLowerCase() })).toEqual([shortfall_id]);
    expect(await list({ q: trader.vrn })).toEqual([shortfall_id]);
    expect(await list({ q: 'nothing like this' })).toEqual([]);
    expect(await list({ q: reference, show: 'due' })).toEqual([shortfall_id]);
    expect(await list({ q: reference, show: 'disputed' })).toEqual([]);
    expect(await list({ q: reference, owner: 'nobody' })).toEqual([]);
    await transfer(trader, 100_000, reference);
    await waitForState(trader, 'settled');
    expect(await list({ q: reference })).toEqual([]);
    expect(await list({ q: reference, show: 'ended' })).toEqual([shortfall_id]);
  });

  it('remind the trader once a week while a payment is overdue', async () => {
    const trader = await createShortTrader('overdue@trader.example', 4_210, 3_210);
    const remind = async (at: string) => {
      portal.moveClock(at);
      await runTick(portal, 'shortfalls.sweep');
      return (await findCase(trader)).letters.filter(({ heading }) => heading.includes('was due on')).length;
    };
    expect(await remind('2026-11-24T09:00:00Z')).toBe(0);
    expect(await remind('2026-11-25T09:00:00Z')).toBe(1);
    expect(await remind('2026-11-26T09:00:00Z')).toBe(1);
    expect(await remind('2026-12-02T09:00:01Z')).toBe(2);
    expect((await findCase(trader)).next_action).toMatchObject({ by: 'us' });
    portal.moveClock('2026-11-10T09:00:00Z');
  });
});
