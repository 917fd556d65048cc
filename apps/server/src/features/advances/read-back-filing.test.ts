/** A return that HMRC had before we sent the same one looks like ours if we read it back, although HMRC may have repaid it long ago. */
import { filings } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { acceptAdvance, fileReturn, findAdvance } from '../../testing/take-advance.ts';
import { authorisePortal, createConnectedTrader, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterEach(() => {
  portal.faults.clear();
  portal.hmrc.setChargeDelay(0);
});
afterAll(() => portal.close());

const findOutcome = async (trader: Trader, name: string) => (await findAdvance(trader)).rules.find(({ rule }) => rule === name)?.outcome;
const listFilings = ({ companyId }: Trader) =>
  portal.deps.database.db
    .select({ state: filings.state, source: filings.receiptSource })
    .from(filings)
    .where(eq(filings.companyId, companyId))
    .orderBy(filings.sentAt);

it('a return that was filed elsewhere weeks ago isn’t taken for one that we have just filed', async () => {
  const trader = await createConnectedTrader(portal, 'twice@read-back.example', 4_000);
  // Ends the authorisation, so that the first attempt is never sent, but counts as one.
  portal.hmrc.revokeGrant(trader.hmrcUserId);
  await fileReturn(portal, trader);
  // HMRC no longer lists what it has repaid.
  portal.hmrc.setChargeDelay(365);
  portal.hmrc.fileElsewhere(trader.vrn, { refundPence: 400_000, daysAgo: 20 });
  await authorisePortal(portal, trader.browser, trader.companyId, trader.hmrcUserId);
  await fileReturn(portal, trader);
  expect(await listFilings(trader)).toEqual([
    { state: 'not_received', source: null },
    { state: 'accepted', source: 'read_back' },
  ]);
  await acceptAdvance(portal, trader);
  expect(await findOutcome(trader, 'return_filed')).toBe('review');
  expect(await findOutcome(trader, 'refund_still_owed')).toBe('review');
});

it('one whose answer was lost is still ours', async () => {
  const trader = await createConnectedTrader(portal, 'lost@read-back.example', 4_001);
  portal.faults.set({ operation: 'hmrc.submit_return', kind: 'timeout_after_work', times: 1 });
  await fileReturn(portal, trader);
  await trader.browser.post('/instant-vat/vat-return/resolve', { company_id: trader.companyId, obligation_id: trader.obligation.id });
  await portal.runJobs();
  expect(await listFilings(trader)).toEqual([{ state: 'accepted', source: 'read_back' }]);
  await acceptAdvance(portal, trader);
  expect(await findOutcome(trader, 'return_filed')).toBe('pass');
  expect(await findOutcome(trader, 'refund_still_owed')).toBe('pass');
});
