/** Returns a page of a practice's invitations, with their counts by state. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { invitationRunsApi } from '@portal/contract/invitation-runs.ts';
import type { Db } from '@portal/db/database.ts';
import { clientInvitations, clientRows } from '@portal/db/schema/schema.ts';
import { and, desc, eq, or, sql, type SQL } from '@portal/db/sql.ts';
import { INVITATION_STATES } from '@portal/domain/clients/invitation-state.ts';
import { parseClientSearch } from '@portal/domain/clients/search-text.ts';
import { parseInstant } from '@portal/domain/clock.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { formatCursor, parseCursor } from '../../http/page-cursor.ts';
import type { Call } from '../../http/serve-contract.ts';
import { matchesClientSearch } from '../clients/matches-client-search.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { toCounts } from './invitation-runs-queries.ts';
import { getInvitationStateSql } from './invitation-state-sql.ts';

type Invitations = EndpointOutput<typeof invitationRunsApi.states>;

/**
 * Newest first. The index `client_invitations_newest` finds any page directly; only the first page also returns counts, which requires
 * reading every invitation.
 */
export async function listInvitations(
  { database: { db }, wallClock }: AppDeps,
  { input, tenant, actor }: Call<typeof invitationRunsApi.states>,
): Promise<Invitations> {
  const isMatch = and(
    eq(clientInvitations.companyId, tenant.practiceId),
    isVisibleTo(actor, clientInvitations.companyId, clientInvitations.clientId),
    input.q === undefined || input.q === '' ? undefined : matchesSearch(input.q),
  );
  const { invitedAt, id } = clientInvitations;
  const state = getInvitationStateSql(clientInvitations, sql`${wallClock.now()}::timestamptz`);
  const cursorPosition = input.cursor === undefined ? undefined : parseCursor(input.cursor, cursorSchema);
  const rows = await db
    .select({
      invitation_id: id,
      client_id: clientInvitations.clientId,
      name: clientRows.name,
      email: clientInvitations.email,
      state,
      sent_at: clientInvitations.sentAt,
      expires_at: clientInvitations.expiresAt,
      invitedAt,
    })
    .from(clientInvitations)
    .innerJoin(clientRows, isClient)
    .where(
      and(
        isMatch,
        input.state === undefined ? undefined : sql`${state} = ${input.state}`,
        cursorPosition && sql`(${invitedAt}, ${id}) < (${cursorPosition[0]}::timestamptz, ${cursorPosition[1]}::uuid)`,
      ),
    )
    .orderBy(desc(invitedAt), desc(id))
    .limit(input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    counts: cursorPosition ? null : await countByState(db, isMatch, state),
    rows: page.map(({ invitedAt: _at, ...row }) => row),
    next_cursor: last && rows.length > page.length ? formatCursor([last.invitedAt, last.invitation_id]) : null,
  };
}

const isClient = and(eq(clientRows.companyId, clientInvitations.companyId), eq(clientRows.clientId, clientInvitations.clientId));

async function countByState(
  db: Db,
  isMatch: SQL | undefined,
  state: ReturnType<typeof getInvitationStateSql>,
): Promise<Invitations['counts']> {
  const allInvitations = db
    .select({ status: state.as('status') })
    .from(clientInvitations)
    .innerJoin(clientRows, isClient)
    .where(isMatch)
    .as('all_invitations');
  const statusCounts = await db
    .select({ status: allInvitations.status, count: sql`count(*)`.mapWith(Number) })
    .from(allInvitations)
    .groupBy(allInvitations.status);
  return toCounts(INVITATION_STATES, statusCounts);
}

function matchesSearch(q: string): SQL | undefined {
  const alternatives = parseClientSearch(q);
  const isAddress = sql`lower(${clientInvitations.email}) like ${`%${q.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`}`;
  return or(
    isAddress,
    matchesClientSearch(alternatives, (alternative, word) => sql`${`%${alternatives[alternative]?.[word] ?? ''}%`}`),
  );
}

const cursorSchema = z.tuple([z.string().refine((at) => parseInstant(at) === at), z.uuid()]);
