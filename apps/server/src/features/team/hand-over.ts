/** Moves a member's duties to another member, or ends them, with a few statements for any number of clients. */
import { isInIdList } from '@portal/db/in-id-list.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientMembers, clients } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { Duty } from '@portal/domain/clients/client.ts';
import type { Instant } from '@portal/domain/clock.ts';

export type HandOver = {
  readonly companyId: string;
  readonly fromId: string;
  /** Null if the duty becomes unassigned for these clients. */
  readonly toId: string | null;
  readonly duty: Duty;
  readonly at: Instant;
  /** Limits the move to these clients. */
  readonly clientIds?: readonly string[];
};

/** Locks a member's clients in order of ID, as every bulk change does, to prevent deadlocks. */
export async function lockMemberClients(tx: Tx, companyId: string, userId: string): Promise<void> {
  const assignedRows = await tx
    .selectDistinct({ id: clientMembers.clientId })
    .from(clientMembers)
    .where(and(eq(clientMembers.companyId, companyId), eq(clientMembers.userId, userId)));
  const ids = assignedRows.map(({ id }) => id);
  await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), isInIdList(clients.id, ids)))
    .orderBy(clients.id)
    .for('update');
}

/** Returns the clients whose duty was transferred. The caller updates their rows and writes the audit entry. */
export async function handOverDuty(tx: Tx, { companyId, fromId, toId, duty, at, clientIds }: HandOver): Promise<string[]> {
  const deletedAssignments = sql`delete from client_members
    where company_id = ${companyId}::uuid and user_id = ${fromId}::uuid and duty = ${duty}
      and ${clientIds === undefined ? sql`true` : isInIdList(sql`client_id`, clientIds)} returning client_id`;
  const addedMembers = sql`insert into client_members (company_id, client_id, user_id, duty, assigned_at)
    select ${companyId}::uuid, client_id, ${toId}::uuid, ${duty}, ${at}::timestamptz from gone
    on conflict do nothing`;
  const { rows } = await tx.execute<{ client_id: string }>(
    toId === null ? deletedAssignments : sql`with gone as (${deletedAssignments}), added as (${addedMembers}) select client_id from gone`,
  );
  return rows.map(({ client_id: id }) => id);
}
