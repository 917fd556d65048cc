/** Approves, rejects or withdraws a request. Approving applies the action in the same transaction as the decision and its audit entry. */
import type { Instant } from '@portal/domain/clock.ts';
import type { Tx } from '@portal/db/database.ts';
import { approvalRequests, operators } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { findDecisionError, type ApprovalDecision } from '@portal/domain/approvals/approval-decision.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { canAct, createNotFoundError, findAccessError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { assertNoConflictOfInterest, findConflictOfInterest } from '../operators/conflict-of-interest.ts';
import { assertAccessIsNotNew, isAboutAccess } from '../operators/new-access.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getApprovalAction } from './approval-actions.ts';
import { isRequestSealed } from './request-seal.ts';

type DecisionCall = {
  readonly input: { readonly company_id: string; readonly request_id: string; readonly reason?: string };
  readonly actor: Actor;
  readonly caller: { readonly ip: string };
};

type RequestRow = typeof approvalRequests.$inferSelect;

export async function decideApproval(deps: AppDeps, call: DecisionCall, decision: ApprovalDecision): Promise<{ done: true }> {
  const { company_id: companyId, request_id: id, reason } = call.input;
  if (decision === 'approved') await prepare(deps, call);
  await deps.database.db.transaction(async (tx) => {
    // Locks the company first, in the same order as everything else that changes its money.
    await lockCompany(tx, companyId);
    const isThisRequest = and(eq(approvalRequests.companyId, companyId), eq(approvalRequests.id, id));
    const [request] = await tx.select().from(approvalRequests).where(isThisRequest).for('update');
    if (!request) throw createNotFoundError();
    const at = deps.clock.now();
    const decisionFields = { decision, decidedBy: call.actor.userId, decidedAt: at, decisionReason: reason ?? null, seal: null };
    if (!mayStillDecide(request, decision, call.actor)) return;
    for (const id of listCompanies(request)) await assertNoConflictOfInterest(deps, tx, call.actor.userId, id);
    if (decision === 'approved' && !isAboutAccess(request.action)) await assertAccessIsNotNew(tx, at, call.actor.userId);
    if (decision === 'approved') assertSealed(deps, request);
    if (decision === 'approved') await assertRequesterCanStillAct(deps, tx, request);
    await tx.update(approvalRequests).set(decisionFields).where(isThisRequest);
    await recordDecision(tx, request, decision, { at, actor: call.actor.userId, ip: call.caller.ip, reason });
    if (decision !== 'approved') return;
    const { apply } = getApprovalAction(request.action);
    await apply(tx, deps, { ...request, by: call.actor.userId, at, ip: call.caller.ip });
  });
  return { done: true };
}

/** Reads the providers first, without locks. Everything else is checked again in the transaction. */
async function prepare(deps: AppDeps, { input, actor }: DecisionCall): Promise<void> {
  const isThisRequest = and(eq(approvalRequests.companyId, input.company_id), eq(approvalRequests.id, input.request_id));
  const [request] = await deps.database.db.select().from(approvalRequests).where(isThisRequest);
  if (!request || !mayStillDecide(request, 'approved', actor)) return;
  assertSealed(deps, request);
  await getApprovalAction(request.action).prepare(deps, request);
}

/** Returns false if this operator has already made the same decision, so that repeating it succeeds without changing anything. */
function mayStillDecide(request: RequestRow, decision: ApprovalDecision, actor: Actor): boolean {
  const accessError = findAccessError(getApprovalAction(request.action).access, actor);
  if (accessError) throw accessError;
  if (request.decision === decision && request.decidedBy === actor.userId) return false;
  if (request.decision !== null) {
    throw new AppError('conflict', 'approval.already_decided', `This request has already been ${request.decision}. Reload the list.`);
  }
  const problem = findDecisionError(decision, request.requestedBy, actor.userId);
  if (problem !== undefined) throw new AppError('conflict', 'approval.wrong_person', problem);
  const { describe, canApprove } = getApprovalAction(request.action);
  if (decision === 'approved' && !canApprove(request.details, request.requestedBy, actor.userId)) {
    throw new AppError('conflict', 'approval.third_person', `Someone else must approve this request. ${describe(request.details)}`);
  }
  return true;
}

/** Rejects a request that someone wrote or changed with SQL, because the first operator never made it. */
function assertSealed(deps: AppDeps, request: RequestRow): void {
  if (isRequestSealed(deps.tokenCipher, request)) return;
  deps.recordSecurityEvent('payout_refused', { reason: 'approval.not_sealed' });
  const message = 'This request has been changed outside the portal. Reject it, and make a new request if it’s still needed.';
  throw new AppError('conflict', 'approval.not_sealed', message);
}

function listCompanies({ action, companyId, details }: RequestRow): string[] {
  return [companyId, ...getApprovalAction(action).listOtherCompanies(details)];
}

/** The request is valid only while its requester could still make it. */
async function assertRequesterCanStillAct(deps: AppDeps, tx: Tx, request: RequestRow): Promise<void> {
  const { action, requestedBy } = request;
  const [requester] = await tx.select().from(operators).where(eq(operators.userId, requestedBy));
  const { access } = getApprovalAction(action);
  const isActive = requester !== undefined && requester.disabledAt === null && canAct(access, requester.roles);
  const conflicts: (string | undefined)[] = [];
  for (const id of listCompanies(request)) conflicts.push(await findConflictOfInterest(deps, tx, requestedBy, id));
  if (isActive && conflicts.every((conflict) => conflict === undefined)) return;
  throw new AppError(
    'conflict',
    'approval.requester_gone',
    'The person who requested this is no longer allowed to request it. Reject it, and make a new request if it’s still needed.',
  );
}

type Decider = { readonly at: Instant; readonly actor: string; readonly ip: string; readonly reason: string | undefined };

function recordDecision(tx: Tx, request: RequestRow, decision: ApprovalDecision, { at, actor, ip, reason }: Decider): Promise<void> {
  return recordAudit(tx, {
    companyId: request.companyId,
    at,
    actor,
    action: `approval.${decision}`,
    subject: request.id,
    before: { requested_by: request.requestedBy },
    after: { action: request.action, subject: request.subject, details: request.details, ...(reason === undefined ? {} : { reason }) },
    ip,
  });
}
