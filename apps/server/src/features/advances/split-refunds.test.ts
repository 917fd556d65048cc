/** A trader who holds returns back and sells several refunds at once stays below the limit of each. Together they need a person. */
import { obligations } from '@portal/db/schema/schema.ts';
import { and, asc, eq, lt } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { acceptAdvance, confirmCollection, fileReturn, findAdvance } from '../../testing/take-advance.ts';
import { createConnectedTrader, uploadBooks, type Trader } from '../../testing/test-trader.ts';

const REFUND_POUNDS = 7_000;

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

/** Creates a trader who hasn't filed for a year, and files the returns of all five quarters on one day, each for a refund. */
async function fileBacklog(email: string): Promise<{ trader: Trader; obligationIds: string[] }> {
  portal.moveClock('2026-11-10T09:00:00.000Z');
  const trader = await createConnectedTrader(portal, email, null);
  const { companyId, browser } = trader;
  portal.moveClock('2027-11-03T09:00:00.000Z');
  await portal.hmrc.advanceToClock();
  await browser.post('/instant-vat/hmrc/refresh', { company_id: companyId });
  const isOpen = and(
    eq(obligations.companyId, companyId),
    eq(obligations.status, 'open'),
    lt(obligations.periodEnd, portal.deps.clock.today()),
  );
  const open = await portal.deps.database.db.select().from(obligations).where(isOpen).orderBy(asc(obligations.periodEnd));
  for (const obligation of open) {
    await uploadBooks({ ...trader, obligation }, REFUND_POUNDS);
    await fileReturn(portal, { ...trader, obligation });
  }
  return { trader, obligationIds: open.map(({ id }) => id) };
}

async function sell(trader: Trader, obligation_id: string): Promise<string> {
  await trader.browser.post('/instant-vat/advance/quote', { company_id: trader.companyId, obligation_id });
  await acceptAdvance(portal, trader);
  await confirmCollection(portal, trader);
  await portal.runJobs();
  return (await findAdvance(trader)).state;
}

it('several refunds sold at once are paid by the rules up to £25,000 in total', async () => {
  const { trader, obligationIds } = await fileBacklog('backlog@split.example');
  const states: string[] = [];
  for (const id of obligationIds) states.push(await sell(trader, id));
  const isPaidByRules = states.map((state) => state !== 'in_review');
  expect(isPaidByRules).toEqual([true, true, true, false, false]);
  const { rules } = await findAdvance(trader);
  expect(rules.filter(({ outcome }) => outcome !== 'pass')).toMatchObject([
    { rule: 'amount_reviewed', outcome: 'review', finding: expect.stringContaining('HMRC would owe us £35,000.00 for this company') },
  ]);
});
