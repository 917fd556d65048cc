import type { Tx } from '@portal/db/database.ts';
import { returnApprovals } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, eq, isNull, ne } from '@portal/db/sql.ts';
import type { FilingRow } from '../vat-returns/get-return.ts';

/**
 * Records that HMRC has the return that the client approved, even if HMRC's acceptance arrives after the figures changed and a new version
 * was sent.
 */
export async function recordFiledApproval(
  tx: Tx,
  { companyId: clientId, practiceId, approvalId, obligationId }: FilingRow,
  filedAt: Instant,
): Promise<void> {
  if (practiceId === null || approvalId === null) return;
  await tx
    .update(returnApprovals)
    .set({ filedAt })
    .where(and(eq(returnApprovals.companyId, practiceId), eq(returnApprovals.id, approvalId)));
  // Stops asking the client to approve figures that can't be filed.
  await tx
    .update(returnApprovals)
    .set({ state: 'withdrawn', endedAt: filedAt })
    .where(
      and(
        eq(returnApprovals.companyId, practiceId),
        eq(returnApprovals.clientId, clientId),
        eq(returnApprovals.obligationId, obligationId),
        ne(returnApprovals.id, approvalId),
        isNull(returnApprovals.endedAt),
      ),
    );
}
