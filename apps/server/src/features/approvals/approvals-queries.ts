import type { approvalsApi } from '@portal/contract/approvals.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { approvalRequests, companies, users } from '@portal/db/schema/schema.ts';
import { asc, eq, isNull, sql } from '@portal/db/sql.ts';
import { findAccessError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { getApprovalAction } from './approval-actions.ts';

/** More than an operator can work through. `count` is the total number. */
const MAX_LISTED_REQUESTS = 100;

export async function listApprovals(db: Db, actor: Actor): Promise<EndpointOutput<typeof approvalsApi.list>> {
  const rows = await db
    .select({
      request: approvalRequests,
      companyName: companies.name,
      requestedBy: users.fullName,
      count: sql`count(*) over ()`.mapWith(Number),
    })
    .from(approvalRequests)
    .leftJoin(companies, eq(companies.id, approvalRequests.companyId))
    .innerJoin(users, eq(users.id, approvalRequests.requestedBy))
    .where(isNull(approvalRequests.decidedAt))
    .orderBy(asc(approvalRequests.requestedAt))
    .limit(MAX_LISTED_REQUESTS);
  const requests = rows.map(({ request, companyName, requestedBy }) => {
    const { access, describe, canApprove } = getApprovalAction(request.action);
    const isRequester = request.requestedBy === actor.userId;
    const canDecide = !isRequester && findAccessError(access, actor) === undefined;
    return {
      request_id: request.id,
      company_id: request.companyId,
      company_name: companyName,
      action: request.action,
      subject: request.subject,
      description: describe(request.details),
      reason: request.reason,
      requested_by: requestedBy,
      requested_at: request.requestedAt,
      can_decide: canDecide,
      can_approve: canDecide && canApprove(request.details, request.requestedBy, actor.userId),
      can_withdraw: isRequester,
    };
  });
  return { requests, count: rows[0]?.count ?? 0 };
}
