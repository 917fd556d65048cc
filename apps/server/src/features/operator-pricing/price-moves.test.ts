/**
 * Tests moving existing subscribers to a later price list after 60 days' notice, including at Stripe, using the simulator over real HTTP.
 */
import { priceNotices, subscriptionChanges, subscriptions } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addPriceList } from '../../testing/add-price-list.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { addPayingPractice, CARDS, type PayingPractice } from '../../testing/paying-practice.ts';
import { createIdempotencyHeaders } from '../../testing/take-advance.ts';
import { createOperator, type Browser } from '../../testing/test-trader.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';
import { orderDueMoves } from '../billing/order-move.ts';
import { publishPriceList } from '../pricing/publish-price-list.ts';

const START_TIME = '2026-11-10T09:00:00.000Z';
let portal: TestPortal;
let olga: Browser;
let omar: Browser;
// Each test has its own portal, because a move affects every subscriber.
beforeEach(async () => {
  portal = await openTestPortal({ at: START_TIME });
  await addPriceList(portal);
  olga = await createOperator(portal, 'olga@moves.example', ['administrator']);
  omar = await createOperator(portal, 'omar@moves.example', ['administrator']);
});
afterEach(() => portal.close());

type JsonRow = Record<string, unknown>;
const getDb = () => portal.deps.database.db;
const reason = 'Agreed by the board';

/**
 * On the first list, 60 connections cost £87.60 including VAT. On this one, they cost £90.00: £15.00, plus £1.20 for each of the 50 beyond
 * the ten included, plus VAT.
 */
const publish = () =>
  publishPriceList(getDb(), {
    version: 2,
    mode: 'volume',
    publishedOn: plainDate('2026-11-10'),
    effectiveFrom: plainDate('2026-11-10'),
    existingFrom: null,
    tiers: [
      { name: 'Free', from: 0, to: 10, basePence: pence(0), unitPence: pence(0), included: 10 },
      { name: 'All', from: 11, to: null, basePence: pence(15_00), unitPence: pence(1_20), included: 10 },
    ],
  });

async function createSubscribedPractice(): Promise<PayingPractice> {
  const practice = await addPayingPractice(portal);
  await practice.enterMethod(CARDS.pays);
  expect((await practice.subscribe()).status).toBe(200);
  await portal.runJobs();
  return practice;
}
async function move(): Promise<void> {
  const response = await olga.post('/operator/price-moves', { version: 2, reason });
  expect(response).toMatchObject({ status: 200 });
  const decision = { company_id: NO_COMPANY, request_id: response.body['request_id'] };
  expect((await olga.post('/operator/approvals/approve', decision, createIdempotencyHeaders())).body).toMatchObject({
    code: 'approval.wrong_person',
  });
  expect(await omar.post('/operator/approvals/approve', decision, createIdempotencyHeaders())).toMatchObject({ status: 200 });
  await portal.runJobs();
}
const readSubscription = async (practice: PayingPractice) => (await practice.read('billing')).body['subscription'] as JsonRow | null;
const readTotals = async (practice: PayingPractice) =>
  ((await practice.read('invoices')).body['invoices'] as JsonRow[]).map(({ total_pence }) => total_pence);
const listEmailsTo = ({ companyId }: PayingPractice) =>
  portal.sentEmails.filter(({ to }) => to === `${companyId}@oakline.example`).map(({ subject }) => subject);
const listMoves = async () =>
  (await olga.get('/operator/price-moves')).body['moves'] as { move_id: string; practices: JsonRow[]; noticed_on: unknown }[];
/** Runs our jobs on a given day. */
async function runSweepAt(at: string): Promise<void> {
  portal.moveClock(at);
  await portal.deps.enqueue(getDb(), 'billing.sweep', {});
  await portal.runJobs();
}
/** Lets Stripe's clock catch up, then runs our jobs. */
async function runRenewalAt(at: string): Promise<void> {
  portal.moveClock(at);
  portal.stripe.followClock();
  await runSweepAt(at);
}
/** Runs the jobs two days before a renewal and two hours after it. */
async function renew(month: string): Promise<void> {
  await runSweepAt(`${month}-08T09:00:00.000Z`);
  await runRenewalAt(`${month}-10T11:00:00.000Z`);
}
const getPrice = (practice: PayingPractice) => {
  const customers = portal.stripe.records.customers.list().map(({ document }) => document);
  const ownCustomer = customers.find(({ metadata }) => metadata['company_id'] === practice.companyId);
  const stripeSubscription = portal.stripe.records.subscriptions
    .list()
    .find(({ document }) => document.customer === ownCustomer?.id)?.document;
  return portal.stripe.records.prices.get(stripeSubscription?.price ?? '')?.lookup_key;
};

describe('a move to a later price list', () => {
  it('is shown for each practice, decided by two operators, announced by email and in Billing, and made at the first renewal after 60 days', async () => {
    const practice = await createSubscribedPractice();
    await publish();
    const effect = { no_connections: 60, from_version: 1, from_total_pence: 87_60, to_total_pence: 90_00, moves_on: '2027-01-10' };
    expect((await olga.get('/operator/price-moves/preview', { version: '2' })).body).toMatchObject({
      moves_from: '2027-01-09',
      practices: [effect],
      from_total_pence: 87_60,
      to_total_pence: 90_00,
      problem: null,
    });
    expect(await readSubscription(practice)).toMatchObject({ price_move: null });
    await move();
    expect(listEmailsTo(practice).at(-1)).toBe('Your Tidewater price changes on 10 January 2027');
    const text = portal.sentEmails.findLast(({ to }) => to === `${practice.companyId}@oakline.example`)?.text;
    expect(text).toMatch(/Current connections:? +60\b/u);
    expect(await readSubscription(practice)).toMatchObject({
      price_list_version: 1,
      renewal_total_pence: 87_60,
      price_move: {
        price_list_version: 2,
        noticed_on: '2026-11-10',
        moves_on: '2027-01-10',
        from_total_pence: 87_60,
        to_total_pence: 90_00,
      },
    });
    expect((await olga.post('/operator/price-moves', { version: 2, reason })).body).toMatchObject({ code: 'price_move.not_possible' });
    await renew('2026-12');
    expect([await readTotals(practice), getPrice(practice)]).toEqual([[87_60, 87_60], 'opentax-list-1']);
    await runSweepAt('2027-01-06T09:00:00.000Z');
    expect(getPrice(practice)).toBe('opentax-list-1');
    await runSweepAt('2027-01-08T09:00:00.000Z');
    expect(getPrice(practice)).toBe('opentax-list-2');
    expect(await readSubscription(practice)).toMatchObject({ price_list_version: 1, renewal_total_pence: 90_00 });
    await runRenewalAt('2027-01-10T11:00:00.000Z');
    expect(await readTotals(practice)).toEqual([90_00, 87_60, 87_60]);
    expect(await readSubscription(practice)).toMatchObject({ price_list_version: 2, tier_name: 'All', price_move: null });
    expect(await listMoves()).toMatchObject([{ practices: [{ ...effect, status: 'moved' }] }]);
    await renew('2027-02');
    expect(await readTotals(practice)).toEqual([90_00, 90_00, 87_60, 87_60]);
    expect(listEmailsTo(practice).filter((subject) => subject.includes('price changes'))).toHaveLength(1);
  });

  it('is made once when Stripe’s response is lost, and a change of connections before it uses this month’s price', async () => {
    const practice = await createSubscribedPractice();
    await publish();
    await move();
    await runRenewalAt('2026-12-10T11:00:00.000Z');
    portal.faults.set({ operation: 'stripe.change_subscription', kind: 'timeout_after_work', times: 1 });
    await runSweepAt('2027-01-08T09:00:00.000Z');
    expect(getPrice(practice)).toBe('opentax-list-2');
    await practice.select(20);
    // 80 connections on the first list cost £91.00; 2 of the 31 days are charged now.
    const priceResponse = await practice.read('calculate-pricing');
    expect(priceResponse.body['total_pence']).toBe(109_20);
    expect((await practice.write('billing/subscription/connections', { expected_total_pence: 109_20 })).status).toBe(200);
    expect(getPrice(practice)).toBe('opentax-list-1');
    await runSweepAt('2027-01-08T10:00:00.000Z');
    expect(getPrice(practice)).toBe('opentax-list-2');
    await runRenewalAt('2027-01-10T11:00:00.000Z');
    // £15.00, plus £1.20 for each of the 70 beyond the ten included, plus VAT.
    expect((await readTotals(practice))[0]).toBe(118_80);
    const changes = await getDb().select().from(subscriptionChanges).where(eq(subscriptionChanges.kind, 'price'));
    expect(changes.map(({ status }) => status).toSorted()).toEqual(['done', 'reverted']);
  });

  it('doesn’t apply to a practice that returns to the free tier before, nor to one that subscribes later', async () => {
    const leavingPractice = await createSubscribedPractice();
    const stayingPractice = await createSubscribedPractice();
    await publish();
    await move();
    const laterPractice = await createSubscribedPractice();
    expect(await readSubscription(laterPractice)).toMatchObject({ price_list_version: 2, price_move: null });
    await runRenewalAt('2026-12-10T11:00:00.000Z');
    await leavingPractice.write('billing/subscription/cancel');
    await renew('2027-01');
    expect(getPrice(leavingPractice)).toBe('opentax-list-1');
    expect(await readTotals(leavingPractice)).toEqual([87_60, 87_60]);
    expect(await readTotals(stayingPractice)).toEqual([90_00, 87_60, 87_60]);
    const notices = await getDb().select().from(priceNotices);
    const statuses = new Map(notices.map(({ companyId, status }) => [companyId, status]));
    expect([notices.length, statuses.get(leavingPractice.companyId), statuses.get(stayingPractice.companyId)]).toEqual([
      2,
      'ended',
      'moved',
    ]);
  });

  it('that Stripe doesn’t accept before the renewal waits for the next one, and is invoiced as charged', async () => {
    const practice = await createSubscribedPractice();
    await publish();
    await move();
    await runRenewalAt('2026-12-10T11:00:00.000Z');
    // None of our jobs runs close to the renewal.
    portal.moveClock('2027-01-10T11:00:00.000Z');
    portal.stripe.followClock();
    await runSweepAt('2027-01-10T12:00:00.000Z');
    expect((await readTotals(practice))[0]).toBe(87_60);
    expect(await readSubscription(practice)).toMatchObject({ price_list_version: 1, price_move: { moves_on: '2027-02-10' } });
    await renew('2027-02');
    expect((await readTotals(practice))[0]).toBe(90_00);
  });

  it('can be cancelled by one operator, and each practice gets an email', async () => {
    const practice = await createSubscribedPractice();
    await publish();
    await move();
    const [openMove] = await listMoves();
    expect((await olga.post('/operator/price-moves/stop', { move_id: openMove?.move_id, reason })).status).toBe(200);
    await portal.runJobs();
    expect(listEmailsTo(practice).at(-1)).toBe('Your Tidewater price isn’t changing');
    await runRenewalAt('2026-12-10T11:00:00.000Z');
    await renew('2027-01');
    expect(await readTotals(practice)).toEqual([87_60, 87_60, 87_60]);
    const [row] = await getDb().select().from(subscriptions);
    expect(row?.priceListVersion).toBe(1);
    const support = await createOperator(portal, 'support@moves.example', ['support']);
    expect((await support.post('/operator/price-moves', { version: 2, reason })).status).toBe(403);
  });

  it('is cancelled for the practices that can still keep their prices; one that renews within three days moves, and is named', async () => {
    const [first, second] = [await createSubscribedPractice(), await createSubscribedPractice()];
    await publish();
    await move();
    await runRenewalAt('2026-12-10T11:00:00.000Z');
    // The second practice's renewals are a week later.
    const isSecond = eq(subscriptions.companyId, second.companyId);
    const [row] = await getDb().select().from(subscriptions).where(isSecond);
    if (!row?.periodEnd) throw new Error('the subscription has no period');
    await getDb()
      .update(subscriptions)
      .set({ periodEnd: addMilliseconds(row.periodEnd, 7 * 86_400_000) })
      .where(isSecond);
    portal.moveClock('2027-01-08T09:00:00.000Z');
    await orderDueMoves(portal.deps);
    await portal.runJobs();
    const [openMove] = await listMoves();
    const latePractices = openMove?.practices.map(({ company_id, is_too_late }) => [company_id, is_too_late]);
    expect(new Map(latePractices as [string, boolean][])).toEqual(
      new Map([
        [first.companyId, true],
        [second.companyId, false],
      ]),
    );
    const name = openMove?.practices.find(({ company_id }) => company_id === first.companyId)?.['practice'];
    const { body } = await olga.post('/operator/price-moves/stop', { move_id: openMove?.move_id, reason });
    expect(body).toEqual({ stopped: 1, moving: [{ practice: name, moves_on: '2027-01-10' }] });
    await portal.runJobs();
    expect(listEmailsTo(second).at(-1)).toBe('Your Tidewater price isn’t changing');
    expect(listEmailsTo(first)).not.toContain('Your Tidewater price isn’t changing');
    await runRenewalAt('2027-01-10T11:00:00.000Z');
    const notices = await getDb().select().from(priceNotices);
    const statuses = new Map(notices.map(({ companyId, status }) => [companyId, status]));
    expect([statuses.get(first.companyId), statuses.get(second.companyId)]).toEqual(['moved', 'stopped']);
    expect([(await readTotals(first))[0], getPrice(second)]).toEqual([90_00, 'opentax-list-1']);
  });

  it('that was cancelled too late for a practice, but that Stripe never accepted, keeps its price', async () => {
    const practice = await createSubscribedPractice();
    await publish();
    await move();
    await runRenewalAt('2026-12-10T11:00:00.000Z');
    portal.moveClock('2027-01-08T09:00:00.000Z');
    await orderDueMoves(portal.deps);
    const [openMove] = await listMoves();
    const { body } = await olga.post('/operator/price-moves/stop', { move_id: openMove?.move_id, reason });
    expect(body).toMatchObject({ stopped: 0, moving: [{ moves_on: '2027-01-10' }] });
    await getDb().update(subscriptionChanges).set({ status: 'refused' }).where(eq(subscriptionChanges.kind, 'price'));
    await runSweepAt('2027-01-08T10:00:00.000Z');
    expect(await readSubscription(practice)).toMatchObject({ price_list_version: 1, price_move: null });
    expect(listEmailsTo(practice).at(-1)).toBe('Your Tidewater price isn’t changing');
  });
});
