/** Creates the refund for the quarter after a test trader's first one, through the product's own API. */
import { mandates, obligations } from '@portal/db/schema/schema.ts';
import { and, eq, gt, isNotNull } from '@portal/db/sql.ts';
import type { TestPortal } from './open-test-portal.ts';
import { acceptAdvance, confirmCollection, findAdvance, postApproval, type AdvanceBody } from './take-advance.ts';
import type { Browser, Trader } from './test-trader.ts';

/** In the days just after the period that follows the first refund's period. */
const NEXT_RETURN_AT = '2027-02-03T09:00:00.000Z';

/** Files the trader's next return with other software, also for a refund, and returns its quote. */
export async function quoteNextRefund(portal: TestPortal, trader: Trader, refundPounds: number): Promise<AdvanceBody> {
  const { companyId, vrn, obligation } = trader;
  if (portal.deps.clock.now() < NEXT_RETURN_AT) portal.moveClock(NEXT_RETURN_AT);
  portal.hmrc.fileElsewhere(vrn, { refundPence: refundPounds * 100, daysAgo: 1 });
  await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: companyId });
  const isNext = and(
    eq(obligations.companyId, companyId),
    gt(obligations.periodEnd, obligation.periodEnd),
    isNotNull(obligations.receivedOn),
  );
  const [next] = await portal.deps.database.db.select({ id: obligations.id }).from(obligations).where(isNext);
  if (!next) throw new Error('the portal doesn’t know about the next return');
  await trader.browser.post('/instant-vat/advance/quote', { company_id: companyId, obligation_id: next.id });
  return findAdvance(trader);
}

/** After an earlier difference, payouts need a mandate. Stored directly, because none of these tests collects with it. */
export async function addMandate(portal: TestPortal, { companyId }: Trader): Promise<void> {
  const { database, clock } = portal.deps;
  const [id, requestedBy, at] = [crypto.randomUUID(), crypto.randomUUID(), clock.now()];
  await database.db.insert(mandates).values({ companyId, id, status: 'active', requestedBy, requestedAt: at, updatedAt: at });
}

/** Accepts the next refund's advance and has it approved by this operator if it needs a review. If it needs releases, it waits for them. */
export async function approveNextRefund(portal: TestPortal, trader: Trader, refundPounds: number, approver: Browser): Promise<AdvanceBody> {
  const { advance_id } = await quoteNextRefund(portal, trader, refundPounds);
  await acceptAdvance(portal, trader);
  await addMandate(portal, trader);
  await confirmCollection(portal, trader);
  if ((await findAdvance(trader)).state === 'in_review') await postApproval(approver, trader, advance_id);
  await portal.runJobs();
  return findAdvance(trader);
}
