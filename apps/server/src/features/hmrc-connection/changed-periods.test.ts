/** HMRC can change a trader's VAT periods. A return for a period that it no longer expects can't be filed, so it isn't overdue. */
import { obligations } from '@portal/db/schema/schema.ts';
import { and, desc, eq, isNotNull } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { findAdvance } from '../../testing/take-advance.ts';
import { createConnectedTrader } from '../../testing/test-trader.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

it('a quarter that was replaced by months neither rules out an offer nor stays on the dashboard', async () => {
  portal.moveClock('2026-11-10T09:00:00.000Z');
  const trader = await createConnectedTrader(portal, 'monthly@periods.example', null);
  const company = { company_id: trader.companyId };
  portal.hmrc.setStagger(trader.vrn, 'monthly');
  portal.moveClock('2027-02-03T09:00:00.000Z');
  await portal.hmrc.advanceToClock();
  const organisation = (await portal.hmrc.listOrganisations()).find(({ vrn }) => vrn === trader.vrn);
  const ended = organisation?.obligations.filter(({ end, filedOn }) => end < '2027-02-03' && filedOn === undefined) ?? [];
  for (const { periodKey, end } of ended)
    portal.hmrc.fileElsewhere(trader.vrn, { refundPence: end === ended.at(-1)?.end ? 470_100 : 0, daysAgo: 1, periodKey });
  await trader.browser.post('/instant-vat/hmrc/refresh', company);
  const isReceived = and(eq(obligations.companyId, trader.companyId), isNotNull(obligations.receivedOn));
  const [newest] = await portal.deps.database.db.select().from(obligations).where(isReceived).orderBy(desc(obligations.periodEnd));
  const findRule = async () => {
    await trader.browser.post('/instant-vat/advance/quote', { ...company, obligation_id: newest?.id ?? '' });
    const { rules, refund_pence } = await findAdvance(trader);
    expect(refund_pence).toBe(470_100);
    return rules.find(({ rule }) => rule === 'no_overdue_return');
  };
  // It may have been filed, and HMRC doesn’t list its charge yet.
  expect(await findRule()).toMatchObject({ outcome: 'review' });
  portal.moveClock('2027-02-08T09:00:00.000Z');
  expect(await findRule()).toMatchObject({ outcome: 'pass' });
  const { body } = await trader.browser.get('/instant-vat/dashboard', company);
  const shown = (body['obligations'] as { obligation_id: string; state: string }[]).map(({ obligation_id }) => obligation_id);
  expect(shown).toContain(newest?.id);
  expect(shown).not.toContain(trader.obligation.id);
});
