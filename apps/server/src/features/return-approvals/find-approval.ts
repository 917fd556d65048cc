import type { Db, Tx } from '@portal/db/database.ts';
import { returnApprovals } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, desc, eq, isNull } from '@portal/db/sql.ts';
import type { ReturnSnapshot } from '../vat-returns/get-return.ts';
import type { Taxpayer } from '../vat-returns/taxpayer.ts';
import { getFiguresDigest } from './figures-digest.ts';

export type ApprovalRow = typeof returnApprovals.$inferSelect;
export type ClientReturnKey = { readonly practiceId: string; readonly clientId: string; readonly obligationId: string };

const isForReturn = ({ practiceId, clientId, obligationId }: ClientReturnKey) =>
  and(eq(returnApprovals.companyId, practiceId), eq(returnApprovals.clientId, clientId), eq(returnApprovals.obligationId, obligationId));

/** Finds the newest version that was sent, or recorded as approved elsewhere, whatever its outcome. */
export async function findNewestApproval(db: Db | Tx, key: ClientReturnKey): Promise<ApprovalRow | undefined> {
  const [foundApproval] = await db
    .select()
    .from(returnApprovals)
    .where(isForReturn(key))
    .orderBy(desc(isNull(returnApprovals.endedAt)), desc(returnApprovals.requestedAt))
    .limit(1);
  return foundApproval;
}

/** Locks the current version until the transaction ends. */
export async function lockLiveApproval(tx: Tx, key: ClientReturnKey): Promise<ApprovalRow | undefined> {
  const [foundApproval] = await tx
    .select()
    .from(returnApprovals)
    .where(and(isForReturn(key), isNull(returnApprovals.endedAt)))
    .for('update');
  return foundApproval;
}

/**
 * Returns the client's approval of exactly these figures, which a practice needs before it can file. Null for a trader, who doesn't need
 * one.
 */
export async function requireApproval(tx: Tx, taxpayer: Taxpayer, { obligation, figures }: ReturnSnapshot): Promise<string | null> {
  const { companyId: clientId, practiceId } = taxpayer;
  if (practiceId === null) return null;
  const approval = await lockLiveApproval(tx, { practiceId, clientId, obligationId: obligation.id });
  if (approval?.state === 'approved' && figures && approval.digest === getFiguresDigest(obligation, figures.boxes)) return approval.id;
  throw new AppError(
    'conflict',
    'return.not_approved',
    'The client hasn’t approved these figures. Send them for approval, or ask an admin to record that the client approved them elsewhere.',
  );
}
