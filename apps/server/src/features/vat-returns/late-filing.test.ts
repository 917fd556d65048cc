/** Tests filings whose call is sent, or whose response arrives, after the attempt's deadline, with a second instance that resolves them. */
import { auditEntries, filings } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestInstance, type TestPortal } from '../../testing/open-test-portal.ts';
import { openSlowInstance, type SlowInstance } from '../../testing/slow-instance.ts';
import { createBrowser, createConnectedTrader, type ApiResponse, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let slow: SlowInstance;
beforeAll(async () => {
  portal = await openTestPortal();
  slow = await openSlowInstance(portal);
});
afterAll(async () => {
  await slow.close();
  await portal.close();
});

const getIds = ({ companyId, obligation }: Trader) => ({ company_id: companyId, obligation_id: obligation.id });
const getReturn = (trader: Trader): Promise<ApiResponse> => trader.browser.get('/instant-vat/vat-return', getIds(trader));
const resolve = (trader: Trader): Promise<ApiResponse> => trader.browser.post('/instant-vat/vat-return/resolve', getIds(trader));

async function submitReturn(trader: Trader, through: Pick<TestInstance, 'app'> = portal): Promise<ApiResponse> {
  const { body } = await getReturn(trader);
  const form = { ...getIds(trader), figures_version: body['figures_version'], declaration_accepted: true };
  return createBrowser(through, trader.cookie).post('/instant-vat/vat-return/file', form, { 'idempotency-key': crypto.randomUUID() });
}

/** Moves the attempt's deadline instead of waiting for it. */
const setDeadline = (trader: Trader, inMs: number) =>
  portal.deps.database.db
    .update(filings)
    .set({ callDeadlineAt: addMilliseconds(portal.deps.wallClock.now(), inMs) })
    .where(and(eq(filings.companyId, trader.companyId), eq(filings.state, 'sending')));

const listStates = async ({ companyId }: Trader) =>
  (await portal.deps.database.db.select({ state: filings.state }).from(filings).where(eq(filings.companyId, companyId)))
    .map(({ state }) => state)
    .toSorted();

const listAudit = async ({ companyId }: Trader) =>
  (await portal.deps.database.db.select({ action: auditEntries.action }).from(auditEntries).where(eq(auditEntries.companyId, companyId)))
    .map(({ action }) => action)
    .filter((action) => action.startsWith('return.'));

const countAtHmrc = ({ vrn }: Trader): number => portal.hmrc.listReturns(vrn).reduce((sum, { timesAccepted }) => sum + timesAccepted, 0);

describe('a filing that waits for HMRC’s rate limit', () => {
  it('is never sent once another instance has found out that HMRC doesn’t have it', async () => {
    const trader = await createConnectedTrader(portal, 'waits@trader.example');
    const heldFiling = slow.hold('beforeSlot');
    const filePromise = submitReturn(trader, slow);
    await heldFiling.reached;
    await setDeadline(trader, -1);
    const resolvedResponse = await resolve(trader);
    expect(resolvedResponse.body).toMatchObject({ obligation: { state: 'ready' }, refusal: expect.stringContaining('nothing was filed') });
    heldFiling.release();
    expect((await filePromise).body).toMatchObject({
      obligation: { state: 'ready' },
      refusal: expect.stringContaining('nothing was filed'),
    });
    expect(countAtHmrc(trader)).toBe(0);
  });

  it('is not sent while another instance is checking', async () => {
    const trader = await createConnectedTrader(portal, 'reading@trader.example');
    const heldFiling = slow.hold('beforeSlot');
    const filePromise = submitReturn(trader, slow);
    await heldFiling.reached;
    await setDeadline(trader, -1);
    portal.faults.set({ operation: 'hmrc.view_return', kind: 'server_error', times: 1 });
    expect(await resolve(trader)).toMatchObject({ status: 502 });
    // Simulates another instance whose clock is slow.
    await setDeadline(trader, 60_000);
    heldFiling.release();
    await filePromise;
    expect(countAtHmrc(trader)).toBe(0);
    expect((await getReturn(trader)).body).toMatchObject({ obligation: { state: 'ready' } });
  });

  it('is not sent if its response could arrive after the attempt’s deadline', async () => {
    const trader = await createConnectedTrader(portal, 'too-late@trader.example');
    const heldFiling = slow.hold('beforeSlot');
    const filePromise = submitReturn(trader, slow);
    await heldFiling.reached;
    await setDeadline(trader, 14_000);
    heldFiling.release();
    expect((await filePromise).body).toMatchObject({ obligation: { state: 'ready' }, refusal: expect.stringContaining('too busy') });
    expect(countAtHmrc(trader)).toBe(0);
    expect((await submitReturn(trader, slow)).body).toMatchObject({ obligation: { state: 'filed_awaiting_hmrc' } });
  });
});

describe('HMRC’s acceptance of a filing', () => {
  const acceptLate = async (email: string, inBetween: (trader: Trader) => Promise<unknown>): Promise<Trader> => {
    const trader = await createConnectedTrader(portal, email);
    const heldFiling = slow.hold('onTheWay');
    const filePromise = submitReturn(trader, slow);
    await heldFiling.reached;
    await setDeadline(trader, -1);
    expect((await resolve(trader)).body).toMatchObject({ refusal: expect.stringContaining('nothing was filed') });
    await inBetween(trader);
    heldFiling.release();
    await filePromise;
    return trader;
  };

  it('overrides an earlier finding that HMRC didn’t have it: receipt, audit entry, email and offer', async () => {
    const trader = await acceptLate('overrules@trader.example', async () => undefined);
    expect((await getReturn(trader)).body).toMatchObject({
      obligation: { state: 'filed_awaiting_hmrc' },
      receipt: { source: 'answer', form_bundle_number: expect.stringMatching(/^\d{12}$/) },
      refusal: null,
    });
    expect(await listAudit(trader)).toContain('return.accepted');
    await portal.runJobs();
    expect(portal.sentEmails.some(({ to, subject }) => to === 'overrules@trader.example' && subject.endsWith('VAT return filed'))).toBe(
      true,
    );
    expect(countAtHmrc(trader)).toBe(1);
  });

  it('ends a concurrent second attempt that is waiting, which is then never sent', async () => {
    let second: Promise<ApiResponse> | undefined;
    let queuedCall: ReturnType<SlowInstance['hold']> | undefined;
    const trader = await acceptLate('second@trader.example', async (secondTrader) => {
      queuedCall = slow.hold('beforeSlot');
      second = submitReturn(secondTrader, slow);
      await queuedCall.reached;
    });
    queuedCall?.release();
    expect((await second)?.body).toMatchObject({ obligation: { state: 'filed_awaiting_hmrc' }, receipt: { source: 'answer' } });
    expect(await listStates(trader)).toEqual(['accepted', 'refused']);
    expect(countAtHmrc(trader)).toBe(1);
  });
});
