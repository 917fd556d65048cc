/** A client's users approve or question figures, and a practice member replies. */
import type { Tx } from '@portal/db/database.ts';
import { returnApprovals, returnMessages } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { canApprove } from '@portal/domain/vat-returns/return-approval.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { getReturnSnapshot, type ReturnSnapshot } from '../vat-returns/get-return.ts';
import { assertFilesForItself, lockTaxpayer, recordTaxpayerAudit, toTaxpayer } from '../vat-returns/taxpayer.ts';
import { enqueueReply, notifyOfClientReply } from './approval-emails.ts';
import { getFiguresDigest } from './figures-digest.ts';
import { findNewestApproval, type ApprovalRow } from './find-approval.ts';

type ApprovalDecision = { readonly approvalId: string; readonly digest: string };
type Message = { readonly messageId: string; readonly text: string };

/** Approves the figures shown. A second click has no effect. */
export async function approveReturn(
  deps: AppDeps,
  user: ActingUser,
  tenant: ClientTenant,
  { approvalId, digest }: ApprovalDecision,
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    await lockTaxpayer(tx, toTaxpayer(tenant));
    const approval = await lockApproval(tx, tenant, approvalId);
    if (approval.state === 'approved' && approval.digest === digest && approval.endedAt === null) return;
    await assertFilesForItself(tx, toTaxpayer(tenant));
    const { file } = await assertStillOffered(deps, tx, tenant, approval, digest);
    const at = deps.clock.now();
    const { actor, caller } = user;
    await tx
      .update(returnApprovals)
      .set({
        state: 'approved',
        decidedBy: actor.userId,
        decidedAt: at,
        decidedIp: caller.ip,
        decidedUserAgent: caller.userAgent,
        fileId: file?.id ?? null,
      })
      .where(isThisApproval(approval));
    await recordTaxpayerAudit(tx, toTaxpayer(tenant), {
      at,
      actor: actor.userId,
      action: 'return.approved',
      subject: approval.obligationId,
      after: { approval: approval.id, boxes: approval.boxes, digest },
      ip: caller.ip,
    });
    await notifyOfClientReply(deps, tx, toSentApproval(approval), {
      requestedBy: approval.requestedBy,
      person: actor.fullName,
      what: 'approved',
      key: approval.id,
    });
  });
}

async function assertStillOffered(
  deps: AppDeps,
  tx: Tx,
  { clientId }: ClientTenant,
  approval: ApprovalRow,
  digest: string,
): Promise<ReturnSnapshot> {
  const snapshot = await getReturnSnapshot(deps, tx, clientId, approval.obligationId);
  const { obligation, figures } = snapshot;
  const isCurrent = figures !== undefined && getFiguresDigest(obligation, figures.boxes) === approval.digest;
  if (canApprove(approval.state) && approval.endedAt === null && approval.digest === digest && isCurrent && obligation.status === 'open')
    return snapshot;
  throw new AppError(
    'conflict',
    'approval.not_current',
    'These figures can no longer be approved. Your accountant has changed or withdrawn them, or the return has been filed.',
  );
}

/** The figures can still be approved afterwards. A repeated request with the same id has no effect. */
export async function queryReturn(
  deps: AppDeps,
  user: ActingUser,
  tenant: ClientTenant,
  { approvalId, ...message }: Message & { readonly approvalId: string },
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const approval = await lockApproval(tx, tenant, approvalId);
    if (!(await addMessage(deps, tx, user, tenant, { ...message, obligationId: approval.obligationId, isFromClient: true }))) return;
    if (approval.state === 'sent') await tx.update(returnApprovals).set({ state: 'queried' }).where(isThisApproval(approval));
    const { userId, fullName } = user.actor;
    await recordTaxpayerAudit(tx, toTaxpayer(tenant), {
      at: deps.clock.now(),
      actor: userId,
      action: 'return.queried',
      subject: approval.obligationId,
      after: { approval: approval.id, message: message.messageId },
      ip: user.caller.ip,
    });
    await notifyOfClientReply(deps, tx, toSentApproval(approval), {
      requestedBy: approval.requestedBy,
      person: fullName,
      what: 'asked',
      key: message.messageId,
    });
  });
}

/** Sends a practice member's message about a return whose figures have been sent. */
export async function replyToClient(
  deps: AppDeps,
  user: ActingUser,
  tenant: ClientTenant,
  { obligationId, ...message }: Message & { readonly obligationId: string },
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const approval = await findNewestApproval(tx, { ...tenant, obligationId });
    if (!approval || approval.isOutside)
      throw new AppError(
        'conflict',
        'approval.not_sent',
        'Send the figures to the client first. You can then send messages about them here.',
      );
    if (!(await addMessage(deps, tx, user, tenant, { ...message, obligationId, isFromClient: false }))) return;
    await recordTaxpayerAudit(tx, toTaxpayer(tenant), {
      at: deps.clock.now(),
      actor: user.actor.userId,
      action: 'return.question_answered',
      subject: obligationId,
      after: { approval: approval.id, message: message.messageId },
      ip: user.caller.ip,
    });
    await enqueueReply(deps, tx, { ...toSentApproval(approval), sentBy: user.actor.userId });
  });
}

type NewMessage = Message & { readonly obligationId: string; readonly isFromClient: boolean };

/** The maximum number of messages per day from one user about one return. More would indicate a fault. */
const MAX_MESSAGES_A_DAY = 50;

async function addMessage(
  deps: AppDeps,
  tx: Tx,
  { actor }: ActingUser,
  { practiceId, clientId }: ClientTenant,
  { messageId, text, obligationId, isFromClient }: NewMessage,
): Promise<boolean> {
  const [recentCount] = await tx
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(returnMessages)
    .where(
      and(
        eq(returnMessages.companyId, practiceId),
        eq(returnMessages.clientId, clientId),
        eq(returnMessages.obligationId, obligationId),
        eq(returnMessages.authorId, actor.userId),
        sql`${returnMessages.writtenAt} > ${deps.clock.now()}::timestamptz - interval '1 day'`,
      ),
    );
  if ((recentCount?.count ?? 0) >= MAX_MESSAGES_A_DAY)
    throw new AppError(
      'tooMany',
      'approval.too_many_messages',
      `You’ve reached today’s limit of ${MAX_MESSAGES_A_DAY} messages about this return. Try again tomorrow, or call.`,
    );
  const row = { companyId: practiceId, id: messageId, clientId, obligationId, isFromClient, authorId: actor.userId, text };
  const addedReplies = await tx
    .insert(returnMessages)
    .values({ ...row, writtenAt: deps.clock.now() })
    .onConflictDoNothing()
    .returning({ id: returnMessages.id });
  return addedReplies.length > 0;
}

async function lockApproval(tx: Tx, { practiceId, clientId }: ClientTenant, approvalId: string): Promise<ApprovalRow> {
  const [foundApproval] = await tx
    .select()
    .from(returnApprovals)
    .where(and(eq(returnApprovals.companyId, practiceId), eq(returnApprovals.clientId, clientId), eq(returnApprovals.id, approvalId)))
    .for('update');
  if (!foundApproval) throw createNotFoundError();
  return foundApproval;
}

const isThisApproval = ({ companyId, id }: ApprovalRow) => and(eq(returnApprovals.companyId, companyId), eq(returnApprovals.id, id));

export const toSentApproval = ({
  companyId: practiceId,
  clientId,
  id: approvalId,
  obligationId,
  periodStart,
  periodEnd,
  requestedBy: sentBy,
}: ApprovalRow) => ({
  practiceId,
  clientId,
  approvalId,
  obligationId,
  periodStart,
  periodEnd,
  sentBy,
});
