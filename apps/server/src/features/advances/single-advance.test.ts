/** Tests that a refund is advanced only once, whatever its basis and however often it is requested. */
import { advances, foundReturns, memberships, obligations } from '@portal/db/schema/schema.ts';
import { EXPOSED_STATES } from '@portal/domain/advances/advance-states.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { pence } from '@portal/domain/money.ts';
import { isUniqueViolation, getSqlState } from '@portal/db/sql-errors.ts';
import { and, eq, inArray, ne, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBridgingTrader, createConnectedTrader, type Trader } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createIdempotencyHeaders, createTraderWithFiledReturn, findAdvance, postAccept } from '../../testing/take-advance.ts';
import { refreshHmrc } from '../hmrc-connection/refresh-hmrc.ts';
import { acceptQuote } from './accept-quote.ts';
import { quoteRefund } from './quote-refund.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const getIds = (trader: Trader) => ({ company_id: trader.companyId, obligation_id: trader.obligation.id });
const requestQuote = (trader: Trader) => trader.browser.post('/instant-vat/advance/quote', getIds(trader));
const listAdvances = (trader: Trader) => portal.deps.database.db.select().from(advances).where(eq(advances.companyId, trader.companyId));
const listFoundReturns = (trader: Trader) =>
  portal.deps.database.db.select().from(foundReturns).where(eq(foundReturns.companyId, trader.companyId));

async function getFoundReturn(trader: Trader): Promise<typeof foundReturns.$inferSelect> {
  const [foundReturn] = await listFoundReturns(trader);
  if (!foundReturn) throw new Error('no found return');
  return foundReturn;
}

describe('at most one advance', () => {
  it('is made when a return was filed both here and elsewhere: it buys the one that HMRC holds', async () => {
    const trader = await createConnectedTrader(portal, 'both@trader.example', 4_110);
    const { body: readyReturn } = await trader.browser.get('/instant-vat/vat-return', getIds(trader));
    portal.hmrc.fileElsewhere(trader.vrn, { refundPence: 411_100, daysAgo: 1 });
    // Sends the books' figures although HMRC holds other figures. HMRC rejects the second return.
    const filing = { ...getIds(trader), figures_version: readyReturn['figures_version'], declaration_accepted: true };
    await trader.browser.post('/instant-vat/vat-return/file', filing, createIdempotencyHeaders());
    await portal.runJobs();
    expect(await listAdvances(trader)).toEqual([]);
    const { body } = await requestQuote(trader);
    expect(body['advance']).toMatchObject({ refund_pence: 411_100, found_on: '2026-11-09' });
    expect(await listAdvances(trader)).toMatchObject([{ filingId: null }]);
    expect(portal.hmrc.listReturns(trader.vrn).map(({ timesAccepted }) => timesAccepted)).toEqual([1]);
  });

  it('is made by many concurrent requests', async () => {
    const trader = await createBridgingTrader(portal, 'many@gofile.example', { refundPounds: 4_112 });
    const refresh = () => trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
    await Promise.all([requestQuote(trader), requestQuote(trader), refresh(), refresh()]);
    await portal.runJobs();
    expect(await listAdvances(trader)).toHaveLength(1);
    expect(await listFoundReturns(trader)).toHaveLength(1);
    const responses = await Promise.all([postAccept(trader), postAccept(trader)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await listAdvances(trader)).filter(({ acceptedAt }) => acceptedAt !== null)).toHaveLength(1);
  });

  it('exists for each period, whatever its basis: the database rejects a second', async () => {
    const trader = await createBridgingTrader(portal, 'period@gofile.example', { refundPounds: 4_113 });
    const { db } = portal.deps.database;
    const [advance] = await listAdvances(trader);
    if (!advance) throw new Error('no advance');
    const [{ id: _id, periodKey: _key, ...period } = { id: '', periodKey: '' }] = await db
      .select()
      .from(obligations)
      .where(eq(obligations.id, trader.obligation.id));
    // HMRC lists the same dates under a second period key.
    const duplicateObligation = { ...(period as typeof obligations.$inferSelect), id: crypto.randomUUID(), periodKey: '#9Z9' };
    await db.insert(obligations).values(duplicateObligation);
    await db
      .insert(foundReturns)
      .values({ ...(await getFoundReturn(trader)), id: crypto.randomUUID(), obligationId: duplicateObligation.id });
    expect(await quoteRefund(portal.deps, trader.companyId, duplicateObligation.id, 'rules')).toContain('already');
    const second = db.insert(advances).values({ ...advance, id: crypto.randomUUID(), obligationId: duplicateObligation.id });
    await expect(second).rejects.toSatisfy((error: unknown) => isUniqueViolation(error, 'advances_one_per_period'));
    const insertWithBothBases = db
      .insert(advances)
      .values({ ...advance, id: crypto.randomUUID(), state: 'expired', filingId: crypto.randomUUID() });
    await expect(insertWithBothBases).rejects.toSatisfy((error: unknown) => getSqlState(error) === '23514');
  });

  it('is made by the queued job when the process died between finding the return and quoting its refund', async () => {
    const trader = await createBridgingTrader(portal, 'between@gofile.example', { refundPounds: null });
    portal.hmrc.fileElsewhere(trader.vrn, { refundPence: 412_000, daysAgo: 1 });
    const [owner] = await portal.deps.database.db.select().from(memberships).where(eq(memberships.companyId, trader.companyId));
    const user = { actor: { userId: owner?.userId ?? '' }, caller: { ip: '198.51.100.7' } } as Parameters<typeof refreshHmrc>[2];
    // This only reads from HMRC, because the process stops before it creates a quote.
    expect((await refreshHmrc(portal.asNewProcess(), trader.companyId, user)).status).toBe('refreshed');
    expect(await listAdvances(trader)).toEqual([]);
    await portal.runJobs();
    expect(await findAdvance(trader)).toMatchObject({ state: 'quoted', version: 1, refund_pence: 412_000 });
  });

  it('is made by a job that runs again after a crash, and the open quote keeps its version', async () => {
    const trader = await createBridgingTrader(portal, 'crash@gofile.example', { refundPounds: 4_114 });
    const before = await findAdvance(trader);
    await quoteRefund(portal.asNewProcess(), trader.companyId, trader.obligation.id, 'rules');
    expect((await findAdvance(trader)).version).toBe(before.version);
  });

  it('is accepted once when the process died after accepting it', async () => {
    const trader = await createBridgingTrader(portal, 'accepted@gofile.example', { refundPounds: 4_115 });
    const offer = await findAdvance(trader);
    await postAccept(trader);
    const [row] = await listAdvances(trader);
    const user = { actor: { userId: row?.acceptedBy ?? '' }, caller: { ip: '198.51.100.7' } } as Parameters<typeof acceptQuote>[1];
    const acceptance = {
      companyId: trader.companyId,
      advanceId: offer.advance_id,
      version: offer.version,
      agreementHash: offer.agreement.hash,
    };
    // HMRC must not be called again, because the user's fraud prevention headers would be missing.
    await acceptQuote(portal.asNewProcess(), user, acceptance);
    expect((await listAdvances(trader)).map(({ acceptedAt }) => acceptedAt)).toEqual([row?.acceptedAt]);
  });
});

describe('the limit of our total exposure', () => {
  it('holds when two companies accept at the same moment', async () => {
    const [first, second, third] = [
      await createTraderWithFiledReturn(portal, 'limit1@trader.example', 4_121),
      await createTraderWithFiledReturn(portal, 'limit2@trader.example', 4_122),
      await createTraderWithFiledReturn(portal, 'limit3@trader.example', 4_123),
    ];
    // With the advances of this file's other tests, the total limit leaves room for only one of these concurrent acceptances.
    const { totalExposureLimitPence } = getAdvanceTerms(portal.deps.clock.today());
    const isThirdTraders = eq(advances.companyId, third.companyId);
    const [otherAdvances] = await portal.deps.database.db
      .select({ sum: sql`coalesce(sum(${advances.refundPence}), 0)`.mapWith(Number) })
      .from(advances)
      .where(and(inArray(advances.state, [...EXPOSED_STATES]), ne(advances.companyId, third.companyId)));
    await portal.deps.database.db
      .update(advances)
      .set({ state: 'awaiting_hmrc', refundPence: pence(totalExposureLimitPence - (otherAdvances?.sum ?? 0) - 500_000) })
      .where(isThirdTraders);
    const responses = await Promise.all([postAccept(first), postAccept(second)]);
    await portal.deps.database.db.update(advances).set({ state: 'declined' }).where(isThirdTraders);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const refusedResponse = responses.find(({ status }) => status === 409);
    expect(refusedResponse?.body['message']).toContain('We can no longer buy this refund.');
    const states = await Promise.all([first, second].map(async (trader) => (await findAdvance(trader)).state));
    expect(states.toSorted()).toEqual(['accepted', 'quoted']);
  });
});
