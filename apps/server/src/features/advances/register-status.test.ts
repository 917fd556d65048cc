/** The portal asks Companies House again before each payout. The rules don’t pay a company that is gone, or that it can’t confirm. */
import { companies, payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { acceptAdvance, confirmCollection, createTraderWithFiledReturn, findAdvance } from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';

const HOUR_MS = 3_600_000;

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
beforeEach(() => portal.moveClock('2026-11-10T09:00:00.000Z'));
afterAll(() => portal.close());

let number = '';
afterEach(() => {
  portal.faults.clear();
  portal.identity.register.setStatus(number, 'active');
});

const later = (hours: number) => portal.moveClock(addMilliseconds(portal.deps.clock.now(), hours * HOUR_MS));
const listOrders = ({ companyId }: Trader) => portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, companyId));

/** Creates a trader whose refund the rules have approved. */
async function createApprovedTrader(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds);
  await acceptAdvance(portal, trader);
  expect((await findAdvance(trader)).state).toBe('approved');
  const [company] = await portal.deps.database.db
    .select({ number: companies.companyNumber })
    .from(companies)
    .where(eq(companies.id, trader.companyId));
  number = company?.number ?? '';
  return trader;
}

describe('an approved refund', () => {
  it('isn’t paid once the company is dissolved, because its refund is no longer its own', async () => {
    const trader = await createApprovedTrader('dissolved@register.example', 4_701);
    portal.identity.register.setStatus(number, 'dissolved');
    later(25);
    await confirmCollection(portal, trader);
    const waiting_for = expect.stringContaining('Companies House shows the company’s status as dissolved.');
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for });
    expect(await listOrders(trader)).toEqual([]);
  });

  it('goes to a person if Companies House hasn’t confirmed the company for more than a day', async () => {
    const trader = await createApprovedTrader('unconfirmed@register.example', 4_702);
    portal.faults.set({ operation: 'companies_house.profile', kind: 'server_error', times: 100 });
    later(49);
    await confirmCollection(portal, trader);
    expect(await findAdvance(trader)).toMatchObject({ state: 'in_review' });
    expect((await findAdvance(trader)).rules).toContainEqual(
      expect.objectContaining({ rule: 'limited_company_or_llp', outcome: 'not_judged' }),
    );
    expect(await listOrders(trader)).toEqual([]);
  });
});
