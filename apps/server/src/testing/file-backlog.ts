/** Creates a trader who has held returns back and files all of them on one day, through the product's own API. */
import { obligations } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, asc, eq, lt } from '@portal/db/sql.ts';
import type { TestPortal } from './open-test-portal.ts';
import { acceptAdvance, fileReturn, findAdvance, type AdvanceBody } from './take-advance.ts';
import { createConnectedTrader, uploadBooks, type Trader } from './test-trader.ts';

export type Backlog = { readonly trader: Trader; readonly returns: readonly Trader['obligation'][] };

/** Files every return that is due at `filedAt`, oldest first, for these refunds; the last one is repeated. */
export async function fileBacklog(portal: TestPortal, email: string, refundPounds: readonly number[], filedAt: Instant): Promise<Backlog> {
  portal.moveClock('2026-11-10T09:00:00.000Z');
  const trader = await createConnectedTrader(portal, email, null);
  const { companyId, browser } = trader;
  portal.moveClock(filedAt);
  await portal.hmrc.advanceToClock();
  await browser.post('/instant-vat/hmrc/refresh', { company_id: companyId });
  const { database, clock } = portal.deps;
  const isDue = and(eq(obligations.companyId, companyId), eq(obligations.status, 'open'), lt(obligations.periodEnd, clock.today()));
  const returns = await database.db.select().from(obligations).where(isDue).orderBy(asc(obligations.periodEnd));
  for (const [index, obligation] of returns.entries()) {
    await uploadBooks({ ...trader, obligation }, refundPounds[index] ?? refundPounds.at(-1) ?? 0);
    await fileReturn(portal, { ...trader, obligation });
  }
  return { trader, returns };
}

/** Accepts an offer for one of the refunds. */
export async function acceptRefund(portal: TestPortal, trader: Trader, { id }: Trader['obligation']): Promise<AdvanceBody> {
  await trader.browser.post('/instant-vat/advance/quote', { company_id: trader.companyId, obligation_id: id });
  await acceptAdvance(portal, trader);
  return findAdvance(trader);
}
