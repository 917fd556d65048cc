/** Voids an approval as soon as figures differ from those sent to the client. */
import type { Tx } from '@portal/db/database.ts';
import { returnApprovals } from '@portal/db/schema/schema.ts';
import { and, eq, inArray, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { getReturnSnapshot } from '../vat-returns/get-return.ts';
import { recordTaxpayerAudit, type Taxpayer } from '../vat-returns/taxpayer.ts';
import { getFiguresDigest } from './figures-digest.ts';

/** Call this in the transaction that changes figures of a client's returns. Traders don't need approvals. */
export async function endChangedApprovals(deps: AppDeps, tx: Tx, taxpayer: Taxpayer, obligationIds: readonly string[]): Promise<void> {
  const { companyId: clientId, practiceId } = taxpayer;
  if (practiceId === null || obligationIds.length === 0) return;
  const live = await tx
    .select()
    .from(returnApprovals)
    .where(
      and(
        eq(returnApprovals.companyId, practiceId),
        eq(returnApprovals.clientId, clientId),
        inArray(returnApprovals.obligationId, [...obligationIds]),
        isNull(returnApprovals.endedAt),
        isNull(returnApprovals.filedAt),
      ),
    )
    .for('update');
  for (const approval of live) {
    const { obligation, figures, filing } = await getReturnSnapshot(deps, tx, clientId, approval.obligationId);
    // Figures of a return that is filed or being filed can't change.
    if (filing && filing.state !== 'refused' && filing.state !== 'not_received') continue;
    if (figures && getFiguresDigest(obligation, figures.boxes) === approval.digest) continue;
    const at = deps.clock.now();
    await tx
      .update(returnApprovals)
      .set({ state: 'changed', endedAt: at })
      .where(and(eq(returnApprovals.companyId, practiceId), eq(returnApprovals.id, approval.id)));
    await recordTaxpayerAudit(tx, taxpayer, {
      at,
      actor: 'rules',
      action: 'return.approval_void',
      subject: approval.obligationId,
      before: { approval: approval.id, state: approval.state, digest: approval.digest },
    });
  }
}
