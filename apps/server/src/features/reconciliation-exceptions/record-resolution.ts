import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { reconciliationNotes, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { AllocationContext } from '../advances/allocate-credit.ts';
import type { ApprovedRequest } from '../approvals/approval-action.ts';
import { recordAudit } from '../audit/record-audit.ts';

type Resolution = { readonly action: string; readonly subject: string; readonly after: Record<string, unknown> };

/**
 * Writes an approved resolution to the audit trail and to its subject's notes. Returns the context for postings and transitions: the
 * approver is the actor, and the reason names the requester.
 */
export async function recordResolution(
  tx: Tx,
  request: ApprovedRequest<unknown>,
  { action, subject, after }: Resolution,
): Promise<AllocationContext> {
  const { companyId, at, by, ip, id: requestId, requestedBy, reason } = request;
  const [requester] = await tx.select({ name: users.fullName }).from(users).where(eq(users.id, requestedBy));
  await tx.insert(reconciliationNotes).values({ companyId, id: randomUUID(), subjectId: subject, text: reason, by: requestedBy, at });
  const entry = { ...after, request_id: requestId, requested_by: requestedBy, reason };
  await recordAudit(tx, { companyId, at, actor: by, action, subject, after: entry, ip });
  return { actor: by, at, ip, requestId, reason: `${reason} (requested by ${requester?.name ?? 'another operator'})` };
}
