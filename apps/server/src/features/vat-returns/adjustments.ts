/** Changes to a return's boxes before filing: manual adjustments, and the net error on earlier returns. */
import { randomUUID } from 'node:crypto';
import type { BOXES } from '@portal/contract/return-transactions.ts';
import type { Tx } from '@portal/db/database.ts';
import { returnAdjustments, returnCorrections } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { type Pence, pence, sumPence } from '@portal/domain/money.ts';
import { explainAdjustment, toErrorCorrection } from '@portal/domain/vat-returns/return-adjustments.ts';
import { canAdjust } from '@portal/domain/vat-returns/return-state.ts';
import type { SummedBox } from '@portal/domain/vat-returns/treatment-table.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { endChangedApprovals } from '../return-approvals/end-changed-approvals.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { type AdjustmentRow, listAdjustments, type ReturnKey } from './adjustment-queries.ts';
import { getReturnSnapshot, type ReturnSnapshot } from './get-return.ts';
import { lockTaxpayer, recordTaxpayerAudit } from './taxpayer.ts';

export type NewAdjustment = {
  readonly adjustmentId: string;
  readonly box: (typeof BOXES)[number];
  readonly amount: Pence;
  readonly reason: string;
};

/** A repeated request with the same id has no effect. */
export async function addAdjustment(deps: AppDeps, user: ActingUser, key: ReturnKey, entry: NewAdjustment): Promise<void> {
  await changeOpenReturn(deps, key, async (tx, { figures }) => {
    const box = Number(entry.box) as SummedBox;
    const current = getBoxPence(figures, box);
    const reason = explainAdjustment({ box, amount: entry.amount }, current);
    if (reason !== undefined) throw createInvalidFieldError('amount_pence', reason);
    const row = {
      companyId: key.companyId,
      obligationId: key.obligationId,
      id: entry.adjustmentId,
      box,
      amountPence: entry.amount,
      kind: 'manual',
      reason: entry.reason,
      madeBy: user.actor.userId,
      madeAt: deps.clock.now(),
    } as const;
    const insertedAdjustments = await tx
      .insert(returnAdjustments)
      .values(row)
      .onConflictDoNothing()
      .returning({ id: returnAdjustments.id });
    if (insertedAdjustments.length === 0) return;
    await recordTaxpayerAudit(tx, key, {
      at: row.madeAt,
      actor: user.actor.userId,
      action: 'return.adjusted',
      subject: key.obligationId,
      after: { adjustment: row.id, box, amount_pence: entry.amount, reason: entry.reason },
      ip: user.caller.ip,
    });
  });
}

/** The adjustment stays in the database, marked as removed. */
export async function removeAdjustment(deps: AppDeps, user: ActingUser, key: ReturnKey, adjustmentId: string): Promise<void> {
  await changeOpenReturn(deps, key, async (tx, { adjustments }) => {
    const foundAdjustment = adjustments.find(({ id }) => id === adjustmentId);
    if (!foundAdjustment) throw createNotFoundError();
    if (foundAdjustment.kind === 'error_correction')
      throw new AppError(
        'conflict',
        'return.adjustment_computed',
        'This amount comes from the corrections below. Undo a correction instead.',
      );
    await markRemoved(tx, foundAdjustment, user.actor.userId, deps);
    await recordTaxpayerAudit(tx, key, {
      at: deps.clock.now(),
      actor: user.actor.userId,
      action: 'return.adjustment_removed',
      subject: key.obligationId,
      before: {
        adjustment: foundAdjustment.id,
        box: foundAdjustment.box,
        amount_pence: foundAdjustment.amountPence,
        reason: foundAdjustment.reason,
      },
      ip: user.caller.ip,
    });
  });
}

/** Runs a change while no one else can change or file the taxpayer's returns. Throws if the return is filed or being filed. */
export async function changeOpenReturn(
  deps: AppDeps,
  key: ReturnKey,
  change: (tx: Tx, snapshot: ReturnSnapshot) => Promise<void>,
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    await lockTaxpayer(tx, key);
    const snapshot = await getReturnSnapshot(deps, tx, key.companyId, key.obligationId);
    assertCanChange(snapshot);
    await change(tx, snapshot);
    await endChangedApprovals(deps, tx, key, [key.obligationId]);
  });
}

function assertCanChange({ state }: ReturnSnapshot): void {
  if (canAdjust(state)) return;
  if (state === 'no_books')
    throw new AppError('conflict', 'return.no_books', 'Upload the books for this period first. Then you can adjust the boxes.');
  throw new AppError(
    'conflict',
    'return.not_open',
    'This return is filed or being filed, so it can’t be changed. Correct it in the next one.',
  );
}

function getBoxPence(figures: ReturnSnapshot['figures'], box: SummedBox): Pence {
  if (!figures) return pence(0);
  const { boxes } = figures;
  switch (box) {
    case 1:
    case 2:
    case 4:
      return boxes[`box${box}_pence`];
    default:
      return pence(boxes[`box${box}_pounds`] * 100);
  }
}

/** Sets the adjustment for earlier errors to the net of the corrections included in the return. */
export async function updateErrorCorrection(deps: AppDeps, tx: Tx, key: ReturnKey, userId: string): Promise<void> {
  const { companyId, obligationId } = key;
  const includedCorrections = await tx
    .select({ due: returnCorrections.duePence })
    .from(returnCorrections)
    .where(
      and(
        eq(returnCorrections.companyId, companyId),
        eq(returnCorrections.obligationId, obligationId),
        eq(returnCorrections.route, 'return'),
        isNull(returnCorrections.undoneAt),
      ),
    );
  const requiredCorrection = toErrorCorrection(sumPence(includedCorrections.map(({ due }) => due)));
  const current = (await listAdjustments(tx, key)).find(({ kind }) => kind === 'error_correction');
  if (current) await markRemoved(tx, current, userId, deps);
  if (!requiredCorrection) return;
  const count = includedCorrections.length === 1 ? '1 row' : `${includedCorrections.length.toLocaleString('en-GB')} rows`;
  await tx.insert(returnAdjustments).values({
    companyId,
    obligationId,
    id: randomUUID(),
    box: requiredCorrection.box,
    amountPence: requiredCorrection.amount,
    kind: 'error_correction',
    reason: `Net error in earlier returns, from ${count}`,
    madeBy: userId,
    madeAt: deps.clock.now(),
  });
}

async function markRemoved(tx: Tx, { companyId, id }: AdjustmentRow, userId: string, deps: AppDeps): Promise<void> {
  await tx
    .update(returnAdjustments)
    .set({ removedBy: userId, removedAt: deps.clock.now() })
    .where(and(eq(returnAdjustments.companyId, companyId), eq(returnAdjustments.id, id)));
}
