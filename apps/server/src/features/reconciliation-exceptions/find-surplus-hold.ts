/**
 * Decides whether an order to pay a trader money that we owe may still be sent. It was decided on the facts of its time: until the payments
 * provider takes it, other payments may use the money up, or the trader may owe us more.
 */
import type { Tx } from '@portal/db/database.ts';
import { approvalRequests, type payouts } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import { z } from 'zod';
import { findOpenMoney } from './find-open-money.ts';
import { sumDueAmounts, sumReclaimableAmounts } from './surplus-queries.ts';
import { findThirdPartyMoney } from './third-party-money.ts';

type PayoutRow = Pick<typeof payouts.$inferSelect, 'companyId' | 'authorisedBy'>;

/** Returns the reason for operators, or null if it may be sent. What we owe counts this order as paid. */
export async function findSurplusHold(tx: Tx, payout: PayoutRow, now: Instant): Promise<string | null> {
  const { companyId } = payout;
  const { owed } = await findOpenMoney(tx, companyId);
  if (owed < 0) return 'it was no longer owed';
  if (owed < (await sumReclaimableAmounts(tx, companyId, now)))
    return 'a Direct Debit has paid the same money, and its bank could return it';
  if (owed < (await findThirdPartyMoney(tx, companyId)).amount) return 'a part of it came from someone else';
  const isMoreDue = (await sumDueAmounts(tx, companyId)) > (await readAcceptedDue(tx, payout));
  return isMoreDue ? 'the trader owed us more by then than when it was approved' : null;
}

/** Returns what the trader owed us when two people approved the payment all the same. */
async function readAcceptedDue(tx: Tx, { companyId, authorisedBy }: PayoutRow): Promise<number> {
  const requestId = z.object({ request_id: z.string() }).safeParse(JSON.parse(authorisedBy ?? '{}')).data?.request_id;
  // An order from before authorisations were recorded doesn't say.
  if (requestId === undefined) return Number.POSITIVE_INFINITY;
  const [request] = await tx
    .select({ details: approvalRequests.details })
    .from(approvalRequests)
    .where(and(eq(approvalRequests.companyId, companyId), eq(approvalRequests.id, requestId)));
  return z.object({ due_pence: z.int() }).safeParse(request?.details).data?.due_pence ?? 0;
}
