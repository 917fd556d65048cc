/** The clients assigned to a member, and the members assigned to a client. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { teamApi } from '@portal/contract/team.ts';
import { clientMembers, clientRows, memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { Duty } from '@portal/domain/clients/client.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { formatCursor, parseCursor, storableTextSchema } from '../../http/page-cursor.ts';
import type { Call } from '../../http/serve-contract.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { toWireRole } from './team-access.ts';

const cursorSchema = z.object({ name: storableTextSchema, client_id: z.uuid() });

/** Ordered by name. A team_member sees only those of a colleague's clients that they are assigned to as well. */
export async function listMemberClients(
  { database: { db } }: AppDeps,
  { input, tenant, actor }: Call<typeof teamApi.clients>,
): Promise<EndpointOutput<typeof teamApi.clients>> {
  const userId = input.user_id ?? actor.userId;
  const isAssigned = and(
    eq(clientMembers.companyId, tenant.practiceId),
    eq(clientMembers.userId, userId),
    isVisibleTo(actor, clientMembers.companyId, clientMembers.clientId),
  );
  const cursorPosition = input.cursor === undefined ? undefined : parseCursor(input.cursor, cursorSchema);
  const rows = await db
    .select({
      clientId: clientRows.clientId,
      name: clientRows.name,
      sortName: clientRows.sortName,
      status: clientRows.status,
      nextDueOn: clientRows.nextDueOn,
      nextDueTax: clientRows.nextDueTax,
      overduePence: clientRows.overduePence,
      duties: sql<Duty[]>`array_agg(${clientMembers.duty} order by ${clientMembers.duty})`,
    })
    .from(clientMembers)
    .innerJoin(clientRows, and(eq(clientRows.companyId, clientMembers.companyId), eq(clientRows.clientId, clientMembers.clientId)))
    .where(
      and(
        isAssigned,
        cursorPosition &&
          sql`(${clientRows.sortName}, ${clientRows.clientId}) > (${cursorPosition.name}, ${cursorPosition.client_id}::uuid)`,
      ),
    )
    .groupBy(clientRows.companyId, clientRows.clientId)
    .orderBy(clientRows.sortName, clientRows.clientId)
    .limit(input.limit + 1);
  const [countRow] = await db
    .select({ count: sql`count(distinct ${clientMembers.clientId})`.mapWith(Number) })
    .from(clientMembers)
    .where(isAssigned);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    clients: page.map((row) => ({
      client_id: row.clientId,
      name: row.name,
      status: row.status,
      duties: row.duties,
      next_due_on: row.nextDueOn === NEVER_DUE ? null : row.nextDueOn,
      next_due_tax: row.nextDueTax,
      overdue_pence: row.overduePence,
    })),
    count: countRow?.count ?? 0,
    next_cursor: last && rows.length > page.length ? formatCursor({ name: last.sortName, client_id: last.clientId }) : null,
  };
}

export async function listClientTeam(
  { database: { db } }: AppDeps,
  { tenant }: Call<typeof teamApi.ofClient>,
): Promise<EndpointOutput<typeof teamApi.ofClient>> {
  const rows = await db
    .select({
      userId: users.id,
      fullName: users.fullName,
      email: users.email,
      role: memberships.role,
      duties: sql<Duty[]>`array_agg(${clientMembers.duty} order by ${clientMembers.duty})`,
    })
    .from(clientMembers)
    .innerJoin(users, eq(users.id, clientMembers.userId))
    .innerJoin(memberships, and(eq(memberships.companyId, clientMembers.companyId), eq(memberships.userId, clientMembers.userId)))
    .where(and(eq(clientMembers.companyId, tenant.practiceId), eq(clientMembers.clientId, tenant.clientId)))
    .groupBy(users.id, memberships.companyId, memberships.userId)
    .orderBy(users.fullName, users.id);
  return {
    team_members: rows.map(({ userId, fullName, email, role, duties }) => ({
      user_id: userId,
      full_name: fullName,
      email,
      role: toWireRole(role),
      duties,
    })),
  };
}
