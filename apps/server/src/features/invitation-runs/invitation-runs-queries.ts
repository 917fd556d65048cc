/** Returns runs of invitations with their progress. */
import type { InvitationRun, InvitedClient } from '@portal/contract/invitation-runs.ts';
import type { Db } from '@portal/db/database.ts';
import { clients, invitationRunClients as invited, invitationRuns, users } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq, inArray, sql, type SQL } from '@portal/db/sql.ts';
import { INVITED_STATUSES, type InvitedStatus } from '@portal/domain/invitation-runs/invitation-run.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { isOwnRun } from './invitation-runs.ts';

const MAX_RUNS = 20;
const MAX_ROWS = 200;
/** Statuses that need attention come first. */
const ATTENTION_ORDER = '{unknown,failed,sending,queued,skipped,sent}';

export async function listRuns(db: Db, companyId: string, condition: SQL | undefined): Promise<InvitationRun[]> {
  const rows = await db
    .select({
      run_id: invitationRuns.id,
      state: invitationRuns.state,
      waits: invitationRuns.waits,
      total: invitationRuns.total,
      started_by: users.fullName,
      started_at: invitationRuns.startedAt,
    })
    .from(invitationRuns)
    .innerJoin(users, eq(users.id, invitationRuns.startedBy))
    .where(and(eq(invitationRuns.companyId, companyId), condition))
    .orderBy(desc(invitationRuns.startedAt), desc(invitationRuns.id))
    .limit(MAX_RUNS);
  if (rows.length === 0) return [];
  const ids = rows.map(({ run_id: id }) => id);
  const statusCounts = await db
    .select({ runId: invited.runId, status: invited.status, count: sql`count(*)`.mapWith(Number) })
    .from(invited)
    .where(and(eq(invited.companyId, companyId), inArray(invited.runId, ids)))
    .groupBy(invited.runId, invited.status);
  return rows.map((row) => ({
    ...row,
    counts: toCounts(
      INVITED_STATUSES,
      statusCounts.filter(({ runId }) => runId === row.run_id),
    ),
  }));
}

export function toCounts<Name extends string>(
  names: readonly Name[],
  statusCounts: readonly { status: Name; count: number }[],
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, statusCounts.find(({ status }) => status === name)?.count ?? 0])) as Record<
    Name,
    number
  >;
}

export async function getRun(
  db: Db,
  companyId: string,
  actor: Actor,
  { run_id: runId, status }: { readonly run_id: string; readonly status?: InvitedStatus | undefined },
): Promise<{ run: InvitationRun; clients: InvitedClient[] }> {
  const [run] = await listRuns(db, companyId, and(eq(invitationRuns.id, runId), isOwnRun(actor)));
  if (!run) throw createNotFoundError();
  const rows = await db
    .select({
      client_id: invited.clientId,
      name: clients.name,
      email: invited.email,
      status: invited.status,
      reason: invited.reason,
      ended_at: invited.endedAt,
    })
    .from(invited)
    .innerJoin(clients, and(eq(clients.companyId, invited.companyId), eq(clients.id, invited.clientId)))
    .where(
      and(
        eq(invited.companyId, companyId),
        eq(invited.runId, runId),
        status === undefined ? undefined : eq(invited.status, status),
        isVisibleTo(actor, invited.companyId, invited.clientId),
      ),
    )
    .orderBy(sql`array_position(${ATTENTION_ORDER}::text[], ${invited.status})`, asc(invited.position))
    .limit(MAX_ROWS);
  return { run, clients: rows };
}
