/** HMRC lists a charge only for the year in which its period ended, but sets a refund off against any VAT debt. */
import { obligations } from '@portal/db/schema/schema.ts';
import { asc, eq } from '@portal/db/sql.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays, plainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { findCase, runTick } from '../../testing/short-refund.ts';
import { createPaidTrader, createTraderWithFiledReturn, fileReturn, findAdvance, postAccept } from '../../testing/take-advance.ts';
import { createConnectedTrader, type Trader } from '../../testing/test-trader.ts';
import { selectChargesOfRange } from '../hmrc-connection/read-liabilities.ts';
import { joinChargeLists } from './hmrc-charges.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
beforeEach(() => portal.moveClock('2026-11-10T09:00:00.000Z'));
afterAll(() => portal.close());

const findRule = async (trader: Trader, rule: string) => (await findAdvance(trader)).rules.find((found) => found.rule === rule);
const requote = (trader: Trader) =>
  trader.browser.post('/instant-vat/advance/quote', { company_id: trader.companyId, obligation_id: trader.obligation.id });

it('a VAT debt for a period that ended more than a year ago rules out an offer', async () => {
  const trader = await createTraderWithFiledReturn(portal, 'old@debts.example', 4_801);
  const [oldest] = await portal.deps.database.db
    .select({ periodKey: obligations.periodKey })
    .from(obligations)
    .where(eq(obligations.companyId, trader.companyId))
    .orderBy(asc(obligations.periodEnd));
  portal.hmrc.amendReturn(trader.vrn, oldest?.periodKey ?? '', -6_000_000);
  portal.moveClock('2027-12-10T09:00:00.000Z');
  await requote(trader);
  expect(await findRule(trader, 'no_vat_debt')).toMatchObject({
    outcome: 'fail',
    finding: expect.stringContaining('£60,000.00 of VAT is overdue'),
  });
});

it('a refund for a period that ended more than a year ago isn’t bought once HMRC shows it as paid', async () => {
  const trader = await createConnectedTrader(portal, 'late@debts.example', 4_802);
  portal.moveClock('2027-12-10T09:00:00.000Z');
  // HMRC doesn't pay while a return is outstanding.
  await portal.hmrc.advanceToClock();
  const organisation = (await portal.hmrc.listOrganisations()).find(({ vrn }) => vrn === trader.vrn);
  const outstanding = organisation?.obligations.filter(({ end, filedOn }) => end < '2027-12-10' && filedOn === undefined) ?? [];
  for (const { periodKey } of outstanding) portal.hmrc.fileElsewhere(trader.vrn, { refundPence: 480_200, daysAgo: 1, periodKey });
  await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
  await requote(trader);
  expect(await findAdvance(trader)).toMatchObject({ obligation_id: trader.obligation.id, refund_pence: 480_200 });
  expect(await findRule(trader, 'refund_still_owed')).toMatchObject({ outcome: 'fail' });
});

it('a refund for a period that ended more than a year ago isn’t bought if HMRC paid it since its older charges were read that day', async () => {
  const trader = await createConnectedTrader(portal, 'same-day@debts.example', 4_804);
  portal.moveClock('2027-12-10T09:00:00.000Z');
  await portal.hmrc.advanceToClock();
  const organisation = (await portal.hmrc.listOrganisations()).find(({ vrn }) => vrn === trader.vrn);
  const others = organisation?.obligations.filter(({ end, filedOn }) => end < '2027-12-10' && filedOn === undefined) ?? [];
  for (const { periodKey } of others.filter((other) => other.periodKey !== trader.obligation.periodKey))
    portal.hmrc.fileElsewhere(trader.vrn, { refundPence: 480_400, daysAgo: 1, periodKey });
  await fileReturn(portal, trader);
  await requote(trader);
  expect(await findRule(trader, 'refund_still_owed')).toMatchObject({ outcome: 'pass' });
  // Into the trader's own account.
  await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
  expect((await postAccept(trader)).body).toMatchObject({ code: 'advance.not_eligible' });
});

it('a refund that HMRC no longer lists isn’t bought, however often the trader has read HMRC since', async () => {
  const trader = await createTraderWithFiledReturn(portal, 'forgotten@debts.example', 4_805);
  const refresh = () => trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
  await refresh();
  // HMRC has paid it, and its list has only what is open.
  portal.hmrc.setChargeDelay(365);
  for (let second = 1; second <= 52; second += 1) {
    portal.moveClock(toInstant(Date.parse('2026-11-11T09:00:00Z') + second * 1_000));
    await refresh();
  }
  await requote(trader);
  portal.hmrc.setChargeDelay(0);
  expect(await findRule(trader, 'refund_still_owed')).toMatchObject({ outcome: 'fail' });
});

it('a refund about which HMRC enquires for more than a year isn’t taken for one that it has paid or cancelled', async () => {
  const trader = await createPaidTrader(portal, 'enquiry@debts.example', 4_803);
  portal.moveClock('2027-12-10T09:00:00.000Z');
  await runTick(portal, 'advances.sweep');
  await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
  expect(await findCase(trader)).toMatchObject({ status: 'watching', cause: 'late' });
});

describe('HMRC’s lists of charges', () => {
  const createCharge = (end: string, type = 'VAT Return Debit Charge') => ({
    type,
    period: { start: addDays(plainDate(end), -29), end: plainDate(end) },
    original: pence(10_000),
    outstanding: pence(10_000),
  });

  it('for a year gives only what ended in it, because HMRC’s answer may have all earlier charges too', () => {
    const { period: _period, ...withoutPeriod } = createCharge('2025-03-31');
    const answer = [createCharge('2024-10-31'), createCharge('2025-11-30'), createCharge('2025-12-01'), withoutPeriod];
    const range = { from: plainDate('2024-12-01'), to: plainDate('2025-11-30') };
    expect(selectChargesOfRange(answer, range)).toEqual([createCharge('2025-11-30')]);
  });

  it('count a charge once that is in two of them', () => {
    const [march, april, penalty] = [createCharge('2025-03-31'), createCharge('2025-04-30'), createCharge('2025-03-31', 'VAT Return LPI')];
    expect(joinChargeLists([april, march], [march, penalty])).toEqual([april, march, penalty]);
  });
});
