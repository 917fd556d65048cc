/** Stores a request for a two-person action. The caller has checked that the facts allow it and holds the company's lock. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '@portal/db/database.ts';
import { approvalRequests } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { ApprovalAction } from './approval-action.ts';
import { sealRequest } from './request-seal.ts';

export type NewRequest<Details> = {
  /** `NO_COMPANY` (record-audit.ts) if the action doesn't concern a company. */
  readonly companyId: string;
  readonly subject: string;
  readonly details: Details;
  readonly reason: string;
  readonly requestedBy: string;
  readonly at: Instant;
  readonly ip: string;
};

/** Only one request per action and subject can be open. Repeating your own request returns it; a different one is a conflict. */
export async function requestApproval<Details>(
  deps: Pick<AppDeps, 'tokenCipher'>,
  tx: Tx,
  action: ApprovalAction<Details>,
  request: NewRequest<Details>,
): Promise<{ request_id: string }> {
  const { id } = await storeRequest(deps, tx, action, request);
  return { request_id: id };
}

/** For callers that notify others. `isNew` is false for a repeated request, for which the notification has already been sent. */
export async function storeRequest<Details>(
  { tokenCipher }: Pick<AppDeps, 'tokenCipher'>,
  tx: Tx,
  { action, details: schema }: ApprovalAction<Details>,
  request: NewRequest<Details>,
): Promise<{ id: string; isNew: boolean }> {
  const { companyId, subject, reason, requestedBy, at, ip } = request;
  // Stored and compared as JSON.
  const details: unknown = JSON.parse(JSON.stringify(schema.parse(request.details)));
  const id = randomUUID();
  const row = { companyId, id, action, subject, details, reason, requestedBy, requestedAt: at };
  const insertedRequests = await tx
    .insert(approvalRequests)
    .values({ ...row, seal: sealRequest(tokenCipher, row) })
    .onConflictDoNothing()
    .returning({ id: approvalRequests.id });
  if (insertedRequests.length === 0) return { id: await getRepeatedRequestId(tx, action, request, details), isNew: false };
  const after = { action, subject, details, reason };
  await recordAudit(tx, { companyId, at, actor: requestedBy, action: 'approval.requested', subject: id, after, ip });
  return { id, isNew: true };
}

async function getRepeatedRequestId<Details>(tx: Tx, action: string, request: NewRequest<Details>, details: unknown): Promise<string> {
  const [openRequest] = await tx
    .select()
    .from(approvalRequests)
    .where(
      and(
        eq(approvalRequests.companyId, request.companyId),
        eq(approvalRequests.action, action),
        eq(approvalRequests.subject, request.subject),
        isNull(approvalRequests.decidedAt),
      ),
    );
  if (openRequest && openRequest.requestedBy === request.requestedBy && isDeepStrictEqual(openRequest.details, details))
    return openRequest.id;
  throw new AppError(
    'conflict',
    'approval.already_requested',
    'A request for this is already waiting for a second person. Approve, reject or withdraw it first.',
  );
}
