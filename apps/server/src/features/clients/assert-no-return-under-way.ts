import type { Tx } from '@portal/db/database.ts';
import { returnApprovals } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq, inArray, isNull } from '@portal/db/sql.ts';

/** An approved return is filed under the client's VAT number, but the approval doesn't include the number. */
export async function assertNoReturnUnderWay(tx: Tx, companyId: string, clientIds: readonly string[]): Promise<void> {
  const [returnUnderWay] = await tx
    .select({ id: returnApprovals.id })
    .from(returnApprovals)
    .where(
      and(
        eq(returnApprovals.companyId, companyId),
        inArray(returnApprovals.clientId, [...clientIds]),
        isNull(returnApprovals.endedAt),
        isNull(returnApprovals.filedAt),
      ),
    )
    .limit(1);
  if (!returnUnderWay) return;
  const sentence =
    'A VAT return has been sent to the client for approval but isn’t filed yet. File or withdraw it, then change the VAT number.';
  throw new AppError('conflict', 'client.return_under_way', sentence, { field: 'vrn' });
}
