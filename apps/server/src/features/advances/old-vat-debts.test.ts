/** HMRC sets a refund off against any VAT debt, and lists a debt only for the year in which its period ended. */
import { obligations } from '@portal/db/schema/schema.ts';
import { asc, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createTraderWithFiledReturn, findAdvance, postAccept } from '../../testing/take-advance.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

it('a VAT debt for a period that ended more than a year ago rules out an offer', async () => {
  const trader = await createTraderWithFiledReturn(portal, 'old@debts.example', 4_801);
  const [oldest] = await portal.deps.database.db
    .select({ periodKey: obligations.periodKey, periodEnd: obligations.periodEnd })
    .from(obligations)
    .where(eq(obligations.companyId, trader.companyId))
    .orderBy(asc(obligations.periodEnd));
  expect(oldest?.periodEnd && oldest.periodEnd < '2025-11-11').toBe(true);
  portal.hmrc.amendReturn(trader.vrn, oldest?.periodKey ?? '', -6_000_000);
  portal.moveClock('2026-11-11T09:00:00.000Z');
  expect((await postAccept(trader)).body).toMatchObject({
    code: 'advance.not_eligible',
    message: expect.stringContaining('£60,000.00 of VAT is overdue'),
  });
  expect((await findAdvance(trader)).state).toBe('quoted');
});
