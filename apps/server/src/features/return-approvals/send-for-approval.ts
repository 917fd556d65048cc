/**
 * The practice's side of an approval: sending figures, withdrawing them, and an admin's statement that the client approved them elsewhere.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { returnApprovals } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { PERMISSION_NAMES } from '@portal/domain/team/permissions.ts';
import { canFile } from '@portal/domain/vat-returns/return-state.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { assertErrorsWithinLimit } from '../vat-returns/correct-errors.ts';
import { getReturnSnapshot, type Figures, type ReturnSnapshot } from '../vat-returns/get-return.ts';
import { assertFilesForItself, findTaxpayerVrn, lockTaxpayer, recordTaxpayerAudit, toTaxpayer } from '../vat-returns/taxpayer.ts';
import { createNoVatNumberError } from '../vat-returns/with-taxpayer-access-token.ts';
import { toSentApproval } from './answer-approval.ts';
import { enqueueApprovalRequest } from './approval-emails.ts';
import { canMessage, countClientUsers } from './approval-queries.ts';
import { getFiguresDigest } from './figures-digest.ts';
import { lockLiveApproval, type ApprovalRow } from './find-approval.ts';

export type SeenFigures = { readonly obligationId: string; readonly figuresVersion: string };

export async function sendForApproval(
  deps: AppDeps,
  user: ActingUser,
  tenant: ClientTenant,
  { text, ...seenFigures }: SeenFigures & { readonly text: string },
): Promise<void> {
  if (text !== '' && !canMessage(user.actor)) throw createMessageRefusal();
  await deps.database.db.transaction(async (tx) => {
    const { snapshot, figures } = await lockReturn(deps, tx, tenant, seenFigures);
    if ((await countClientUsers(tx, tenant)) === 0)
      throw new AppError(
        'conflict',
        'approval.no_people',
        'No one at this client has access to the client portal yet. Invite someone in the People section first.',
      );
    const row = toRow(deps, user, tenant, { snapshot, figures, text });
    await replaceLiveApproval(deps, tx, row);
    await tx.insert(returnApprovals).values(row);
    await recordTaxpayerAudit(tx, toTaxpayer(tenant), {
      at: row.requestedAt,
      actor: user.actor.userId,
      action: 'return.sent_for_approval',
      subject: row.obligationId,
      after: { approval: row.id, boxes: row.boxes, digest: row.digest },
      ip: user.caller.ip,
    });
    const sentReturn = toSentApproval(row);
    await enqueueApprovalRequest(deps, tx, sentReturn, { boxes: row.boxes, dueOn: row.dueOn, text, isReminder: false });
  });
}

const createMessageRefusal = () =>
  new AppError(
    'forbidden',
    'team.permission_missing',
    `You need the “${PERMISSION_NAMES.message_clients}” permission to add a message. Send the figures without one, or ask an admin of your practice.`,
    { field: 'text' },
  );

export async function recordOutsideApproval(
  deps: AppDeps,
  user: ActingUser,
  tenant: ClientTenant,
  { reason, ...seenFigures }: SeenFigures & { readonly reason: string },
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const { snapshot, figures } = await lockReturn(deps, tx, tenant, seenFigures);
    const row: ApprovalRow = {
      ...toRow(deps, user, tenant, { snapshot, figures, text: reason }),
      isOutside: true,
      state: 'approved',
      decidedBy: user.actor.userId,
      decidedAt: deps.clock.now(),
      decidedIp: user.caller.ip,
      decidedUserAgent: user.caller.userAgent,
      fileId: snapshot.file?.id ?? null,
    };
    await replaceLiveApproval(deps, tx, row);
    await tx.insert(returnApprovals).values(row);
    await recordTaxpayerAudit(tx, toTaxpayer(tenant), {
      at: row.requestedAt,
      actor: user.actor.userId,
      action: 'return.approved_outside',
      subject: row.obligationId,
      after: { approval: row.id, boxes: row.boxes, digest: row.digest, reason },
      ip: user.caller.ip,
    });
  });
}

export async function withdrawApproval(
  deps: AppDeps,
  user: ActingUser,
  tenant: ClientTenant,
  { obligationId, approvalId }: { readonly obligationId: string; readonly approvalId: string },
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    await lockTaxpayer(tx, toTaxpayer(tenant));
    const { filing } = await getReturnSnapshot(deps, tx, tenant.clientId, obligationId);
    const live = await lockLiveApproval(tx, { ...tenant, obligationId });
    if (live?.id !== approvalId) throw createNotFoundError();
    if (live.filedAt !== null || (filing && filing.state !== 'refused' && filing.state !== 'not_received'))
      throw new AppError('conflict', 'approval.filed', 'This return is filed or being filed, so its approval can’t be withdrawn.');
    await endApproval(deps, tx, live);
    await recordTaxpayerAudit(tx, toTaxpayer(tenant), {
      at: deps.clock.now(),
      actor: user.actor.userId,
      action: 'return.approval_withdrawn',
      subject: obligationId,
      before: { approval: live.id, state: live.state },
      ip: user.caller.ip,
    });
  });
}

/** Locks the return and returns it with the figures that the practice member saw. */
async function lockReturn(
  deps: AppDeps,
  tx: Tx,
  tenant: ClientTenant,
  { obligationId, figuresVersion }: SeenFigures,
): Promise<{ snapshot: ReturnSnapshot; figures: Figures }> {
  await lockTaxpayer(tx, toTaxpayer(tenant));
  await assertFilesForItself(tx, toTaxpayer(tenant));
  // The approval holds for the number that the client has now: assertNoReturnUnderWay keeps it until the return is filed.
  if ((await findTaxpayerVrn(tx, toTaxpayer(tenant))) === null) throw createNoVatNumberError();
  const snapshot = await getReturnSnapshot(deps, tx, tenant.clientId, obligationId);
  const { figures, state } = snapshot;
  if (state === 'open_running')
    throw new AppError('conflict', 'return.open_running', 'The period hasn’t ended yet. Send the figures when it’s complete.');
  if (!canFile(state) || !figures)
    throw new AppError('conflict', 'return.not_ready', 'This return has no figures to approve. Upload the books for its period.');
  if (figures.version !== figuresVersion)
    throw new AppError(
      'conflict',
      'return.figures_changed',
      'The figures have changed since you opened the return. Check the new ones first.',
    );
  await assertErrorsWithinLimit(deps, tx, snapshot);
  return { snapshot, figures };
}

type NewApproval = { readonly snapshot: ReturnSnapshot; readonly figures: Figures; readonly text: string };

function toRow(deps: AppDeps, { actor }: ActingUser, tenant: ClientTenant, { snapshot, figures, text }: NewApproval): ApprovalRow {
  const { id: obligationId, periodStart, periodEnd, dueOn } = snapshot.obligation;
  return {
    companyId: tenant.practiceId,
    id: randomUUID(),
    clientId: tenant.clientId,
    obligationId,
    periodStart,
    periodEnd,
    dueOn,
    boxes: figures.boxes,
    digest: getFiguresDigest(snapshot.obligation, figures.boxes),
    isOutside: false,
    reason: text,
    state: 'sent',
    requestedBy: actor.userId,
    requestedAt: deps.clock.now(),
    remindedAt: null,
    decidedBy: null,
    decidedAt: null,
    decidedIp: null,
    decidedUserAgent: null,
    fileId: null,
    endedAt: null,
    filedAt: null,
  };
}

/** Replaces figures sent earlier, unless the client has already approved exactly these. */
async function replaceLiveApproval(
  deps: AppDeps,
  tx: Tx,
  { companyId: practiceId, clientId, obligationId, digest }: ApprovalRow,
): Promise<void> {
  const live = await lockLiveApproval(tx, { practiceId, clientId, obligationId });
  if (!live) return;
  if (live.state === 'approved' && live.digest === digest)
    throw new AppError('conflict', 'approval.given', 'The client has already approved these figures. You can file the return.');
  await endApproval(deps, tx, live);
}

async function endApproval(deps: AppDeps, tx: Tx, { companyId, id }: ApprovalRow): Promise<void> {
  await tx
    .update(returnApprovals)
    .set({ state: 'withdrawn', endedAt: deps.clock.now() })
    .where(and(eq(returnApprovals.companyId, companyId), eq(returnApprovals.id, id)));
}
