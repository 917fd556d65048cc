/** Approvals and messages of a return, as the practice and the client's users see them. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { ApprovalOutput, OwnReturn, OwnReturnOutput, ReturnMessage, returnApprovalsApi } from '@portal/contract/return-approvals.ts';
import { hasPracticeRight } from '@portal/contract/practice-rights.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientPeople, filings, returnApprovals, returnMessages, users } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq, inArray, isNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Actor } from '../../http/session.ts';
import { getNames } from '../client-portal/client-portal-emails.ts';
import { findNewestApproval, type ApprovalRow } from './find-approval.ts';

const toPracticeRole = ({ role }: Actor) => (role === 'practice_admin' ? 'practice_admin' : 'team_member');

/** Returns whether the practice member may write their own messages to the client. */
export const canMessage = (actor: Actor): boolean => hasPracticeRight('practice.messages', toPracticeRole(actor), actor.permissions ?? []);

export async function getApproval(
  { database: { db } }: AppDeps,
  tenant: ClientTenant,
  actor: Actor,
  obligationId: string,
): Promise<ApprovalOutput> {
  const key = { practiceId: tenant.practiceId, clientId: tenant.clientId, obligationId };
  const approval = await findNewestApproval(db, key);
  const names = await loadNames(db, approval);
  const role = toPracticeRole(actor);
  return {
    approval: approval
      ? {
          approval_id: approval.id,
          state: approval.state,
          is_outside: approval.isOutside,
          reason: approval.reason,
          boxes: approval.boxes,
          digest: approval.digest,
          requested_by: names.get(approval.requestedBy) ?? '',
          requested_at: approval.requestedAt,
          reminded_at: approval.remindedAt,
          decided_by: names.get(approval.decidedBy ?? '') ?? null,
          decided_at: approval.decidedAt,
          decided_from: approval.decidedIp,
          ended_at: approval.endedAt,
        }
      : null,
    messages: await listMessages(db, tenant, obligationId),
    people: await countClientUsers(db, tenant),
    may: {
      file: hasPracticeRight('client.file_return', role, actor.permissions ?? []),
      approve_outside: hasPracticeRight('client.manage', role, actor.permissions ?? []),
      message: canMessage(actor),
    },
  };
}

async function loadNames(db: Db, approval: ApprovalRow | undefined): Promise<ReadonlyMap<string, string>> {
  const ids = approval ? [approval.requestedBy, ...(approval.decidedBy === null ? [] : [approval.decidedBy])] : [];
  if (ids.length === 0) return new Map();
  const involvedUsers = await db.select({ id: users.id, name: users.fullName }).from(users).where(inArray(users.id, ids));
  return new Map(involvedUsers.map(({ id, name }) => [id, name]));
}

async function listMessages(db: Db, { practiceId, clientId }: ClientTenant, obligationId: string): Promise<ReturnMessage[]> {
  const rows = await db
    .select({ message: returnMessages, author: users.fullName })
    .from(returnMessages)
    .innerJoin(users, eq(users.id, returnMessages.authorId))
    .where(
      and(eq(returnMessages.companyId, practiceId), eq(returnMessages.clientId, clientId), eq(returnMessages.obligationId, obligationId)),
    )
    .orderBy(asc(returnMessages.writtenAt), asc(returnMessages.id));
  return rows.map(({ message, author }) => ({
    message_id: message.id,
    from_client: message.isFromClient,
    author,
    text: message.text,
    written_at: message.writtenAt,
  }));
}

export async function countClientUsers(db: Db | Tx, { practiceId, clientId }: ClientTenant): Promise<number> {
  const [countRow] = await db
    .select({ people: sql`count(*)`.mapWith(Number) })
    .from(clientPeople)
    .where(and(eq(clientPeople.companyId, practiceId), eq(clientPeople.clientId, clientId)));
  return countRow?.people ?? 0;
}

const MAX_OWN_RETURNS = 50;

/** Lists the current versions. A withdrawn or void version can still be opened from its email, and its page then says so. */
export async function listOwnReturns(
  { database: { db } }: AppDeps,
  { practiceId, clientId }: ClientTenant,
): Promise<EndpointOutput<typeof returnApprovalsApi.ownList>> {
  const rows = await db
    .select()
    .from(returnApprovals)
    .where(and(eq(returnApprovals.companyId, practiceId), eq(returnApprovals.clientId, clientId), isNull(returnApprovals.endedAt)))
    .orderBy(desc(returnApprovals.periodEnd), desc(returnApprovals.requestedAt))
    .limit(MAX_OWN_RETURNS);
  return { returns: rows.map(toOwnReturn) };
}

const toOwnReturn = (row: ApprovalRow): OwnReturn => ({
  approval_id: row.id,
  obligation_id: row.obligationId,
  period_start: row.periodStart,
  period_end: row.periodEnd,
  due_on: row.dueOn,
  state: row.state,
  requested_at: row.requestedAt,
  filed_at: row.filedAt,
  boxes: row.boxes,
});

export async function getOwnReturn({ database: { db } }: AppDeps, tenant: ClientTenant, approvalId: string): Promise<OwnReturnOutput> {
  const { practiceId, clientId } = tenant;
  const [row] = await db
    .select()
    .from(returnApprovals)
    .where(and(eq(returnApprovals.companyId, practiceId), eq(returnApprovals.clientId, clientId), eq(returnApprovals.id, approvalId)));
  if (!row) throw createNotFoundError();
  const names = await loadNames(db, row);
  const { client, practice } = await db.transaction((tx) => getNames(tx, tenant));
  return {
    ...toOwnReturn(row),
    client,
    practice,
    digest: row.digest,
    is_outside: row.isOutside,
    reason: row.reason,
    requested_by: names.get(row.requestedBy) ?? '',
    decided_by: names.get(row.decidedBy ?? '') ?? null,
    decided_at: row.decidedAt,
    ended_at: row.endedAt,
    messages: await listMessages(db, tenant, row.obligationId),
    receipt: await findReceipt(db, tenant, row),
  };
}

async function findReceipt(db: Db, { clientId }: ClientTenant, { id }: ApprovalRow): Promise<OwnReturnOutput['receipt']> {
  const [countRow] = await db
    .select({ filing: filings, filedBy: users.fullName })
    .from(filings)
    .innerJoin(users, eq(users.id, filings.filedBy))
    .where(and(eq(filings.companyId, clientId), eq(filings.approvalId, id), eq(filings.state, 'accepted')));
  if (!countRow) return null;
  const { receipt, settledAt, sentAt, receiptSource } = countRow.filing;
  const toTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    form_bundle_number: toTextOrNull(receipt?.body['formBundleNumber']),
    charge_ref_number: toTextOrNull(receipt?.body['chargeRefNumber']),
    received_at: settledAt ?? sentAt,
    filed_by: countRow.filedBy,
    source: receiptSource ?? 'read_back',
  };
}
