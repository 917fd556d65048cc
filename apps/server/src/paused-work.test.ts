/** The engineer on call stops payouts, filings or early refunds (PAUSED). Everything else continues, and what waited is done afterwards. */
import { filings, payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PAUSABLE_WORK, type PausableWork } from './paused-work.ts';
import { parseSettings } from './settings.ts';
import { openTestPortal, type TestPortal } from './testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  createTraderWithFiledReturn,
  fileReturn,
  findAdvance,
  postAccept,
} from './testing/take-advance.ts';
import { createIdempotencyHeaders, waitForState } from './testing/take-advance.ts';
import { createConnectedTrader, createOperator, type Trader } from './testing/test-trader.ts';

let portal: TestPortal;
let paused: Set<PausableWork>;
beforeAll(async () => {
  portal = await openTestPortal();
  paused = portal.deps.paused as Set<PausableWork>;
});
afterEach(() => paused.clear());
afterAll(() => portal.close());

const listBankPayouts = async ({ companyId }: Trader) => {
  const orders = await portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, companyId));
  return portal.bank.listPayouts().filter(({ idempotency_key }) => orders.some(({ id }) => id === idempotency_key));
};

describe('PAUSED', () => {
  it.each([
    [undefined, []],
    ['payouts', ['payouts']],
    ['payouts, filings,early_refunds', [...PAUSABLE_WORK]],
  ])('%s stops %j', (value, expected) => {
    const parsed = parseSettings({ PAUSED: value }, { isPackage: false });
    expect(parsed.ok && [...parsed.settings.paused]).toEqual(expected);
  });

  it('with a word that it doesn’t know keeps the portal from starting, so that nothing runs on by a slip of the pen', () => {
    const parsed = parseSettings({ PAUSED: 'payout' }, { isPackage: false });
    expect(parsed).toMatchObject({ ok: false, problems: [expect.stringMatching(/PAUSED.*payouts, filings, early_refunds/)] });
  });

  it('payouts: nothing is ordered, so an operator can still decline, and the rest is paid afterwards', async () => {
    const operator = await createOperator(portal, 'olga@paused.example');
    const forged = await createTraderWithFiledReturn(portal, 'forged@paused.example', 4_001);
    const trader = await createTraderWithFiledReturn(portal, 'approved@paused.example', 4_002);
    for (const seller of [forged, trader]) await acceptAdvance(portal, seller);
    paused.add('payouts');
    for (const seller of [forged, trader]) await confirmCollection(portal, seller);
    expect([(await findAdvance(forged)).state, (await findAdvance(trader)).state]).toEqual(['approved', 'approved']);
    const ids = { company_id: forged.companyId, advance_id: (await findAdvance(forged)).advance_id };
    const decision = { ...ids, decision: 'decline', reason: 'The invoices are forged' };
    expect((await operator.post('/operator/advance/decide', decision, createIdempotencyHeaders())).status).toBe(200);
    paused.clear();
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), 60_000));
    await portal.deps.enqueue(portal.deps.database.db, 'advances.sweep', {});
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    expect([(await findAdvance(forged)).state, await listBankPayouts(forged)]).toEqual(['declined', []]);
    expect(await listBankPayouts(trader)).toHaveLength(1);
  });

  it('payouts: what was ordered before doesn’t reach the bank, and is sent once afterwards', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'payouts@paused.example', 4_000);
    await acceptAdvance(portal, trader);
    portal.faults.set({ operation: 'truelayer.create_payout', kind: 'too_many', times: 1_000 });
    await confirmCollection(portal, trader);
    paused.add('payouts');
    portal.faults.clear();
    await portal.deps.enqueue(portal.deps.database.db, 'payouts.poll', {});
    await portal.runJobs();
    expect(await listBankPayouts(trader)).toEqual([]);
    expect(await findAdvance(trader)).toMatchObject({ state: 'paying' });
    paused.clear();
    const [order] = await portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, trader.companyId));
    expect(order).toMatchObject({ status: 'created', unknownAttempts: 0 });
    await portal.deps.enqueue(portal.deps.database.db, 'payouts.poll', {});
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    expect(await listBankPayouts(trader)).toHaveLength(1);
  });

  it('filings: the trader reads that nothing was sent, and can file afterwards', async () => {
    const trader = await createConnectedTrader(portal, 'filings@paused.example', 4_000);
    const ids = { company_id: trader.companyId, obligation_id: trader.obligation.id };
    const { body } = await trader.browser.get('/instant-vat/vat-return', ids);
    const filing = { ...ids, figures_version: body['figures_version'], declaration_accepted: true };
    paused.add('filings');
    const response = await trader.browser.post('/instant-vat/vat-return/file', filing, createIdempotencyHeaders());
    expect(response).toMatchObject({ status: 409, body: { code: 'filings.paused', message: expect.stringMatching(/Nothing was sent/) } });
    const filed = () => portal.deps.database.db.select().from(filings).where(eq(filings.companyId, trader.companyId));
    expect(await filed()).toEqual([]);
    paused.clear();
    await fileReturn(portal, trader);
    expect(await filed()).toMatchObject([{ state: 'accepted' }]);
  });

  it('early refunds: no offer is made and none accepted, and both work afterwards', async () => {
    const offered = await createTraderWithFiledReturn(portal, 'offered@paused.example', 4_000);
    paused.add('early_refunds');
    expect(await postAccept(offered)).toMatchObject({ status: 409, body: { code: 'early_refunds.paused' } });
    const filed = await createTraderWithFiledReturn(portal, 'filed@paused.example', 4_000);
    expect(await findAdvance(filed)).toBeNull();
    const askForOffer = () =>
      filed.browser.post('/instant-vat/advance/quote', { company_id: filed.companyId, obligation_id: filed.obligation.id });
    expect(await askForOffer()).toMatchObject({
      status: 200,
      body: { advance: null, reason: expect.stringMatching(/paused early refunds/) },
    });
    paused.clear();
    expect(await askForOffer()).toMatchObject({ body: { advance: { state: 'quoted' } } });
    expect((await postAccept(offered)).status).toBe(200);
  });
});
