/** Lists a practice's requests to all its clients, in one statement for each page. */
import type { clientRequestsApi } from '@portal/contract/client-requests.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { clientRequests, clients, users } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq, gte, isNotNull, isNull, lt, lte, sql, type SQL } from '@portal/db/sql.ts';
import { getLastReminderDay, type RequestFilter } from '@portal/domain/client-requests/request-list.ts';
import { parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createCursorError } from '../../http/page-cursor.ts';
import { isId } from '../../http/resolve-tenant.ts';
import type { Call } from '../../http/serve-contract.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';

type ListCall = Call<typeof clientRequestsApi.listAll>;

const ITEMS = sql`from client_request_items i where i.company_id = ${clientRequests.companyId} and i.request_id = ${clientRequests.id}`;
const WAITING_COUNT_SQL = sql`(select count(*) ${ITEMS} and i.state in ('open', 'returned'))`;

export async function listAllRequests(
  deps: AppDeps,
  { input, tenant, actor }: ListCall,
): Promise<EndpointOutput<typeof clientRequestsApi.listAll>> {
  const today = deps.clock.today();
  const isCompleted = input.state === 'completed';
  const cursorPosition = input.cursor === undefined ? undefined : parseCursor(input.cursor);
  const place = sql`(${clientRequests.dueOn}, ${clientRequests.id})`;
  const cursorTuple = cursorPosition && sql`(${cursorPosition.day}::date, ${cursorPosition.id}::uuid)`;
  const rows = await deps.database.db
    .select({
      request: clientRequests,
      client: clients.name,
      askedBy: users.fullName,
      items: sql`(select count(*) ${ITEMS})`.mapWith(Number),
      waiting: WAITING_COUNT_SQL.mapWith(Number),
    })
    .from(clientRequests)
    .innerJoin(clients, and(eq(clients.companyId, clientRequests.companyId), eq(clients.id, clientRequests.clientId)))
    .innerJoin(users, eq(users.id, clientRequests.createdBy))
    .where(
      and(
        eq(clientRequests.companyId, tenant.practiceId),
        isVisibleTo(actor, clientRequests.companyId, clientRequests.clientId),
        buildStateCondition(input.state, today),
        input.owner === 'me' ? eq(clientRequests.createdBy, actor.userId) : undefined,
        // Redundant on purpose: the date alone lets PostgreSQL start the index scan at the right place.
        cursorPosition && (isCompleted ? lte(clientRequests.dueOn, cursorPosition.day) : gte(clientRequests.dueOn, cursorPosition.day)),
        cursorTuple && (isCompleted ? sql`${place} < ${cursorTuple}` : sql`${place} > ${cursorTuple}`),
      ),
    )
    .orderBy(...(isCompleted ? [desc(clientRequests.dueOn), desc(clientRequests.id)] : [asc(clientRequests.dueOn), asc(clientRequests.id)]))
    .limit(input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1)?.request;
  return {
    today,
    requests: page.map(({ request, client, askedBy, items, waiting }) => ({
      request_id: request.id,
      client_id: request.clientId,
      client,
      title: request.title,
      state: request.completedAt !== null ? 'completed' : waiting > 0 ? 'open' : 'answered',
      items,
      waiting_items: waiting,
      asked_by: askedBy,
      asked_at: request.createdAt,
      due_on: request.dueOn,
      reminded_on: getLastReminderDay(request),
    })),
    next_cursor: last && rows.length > page.length ? `${last.dueOn} ${last.id}` : null,
  };
}

/** Cancelled requests are shown only on their client's page. */
function buildStateCondition(state: RequestFilter, today: PlainDate): SQL | undefined {
  const isNotCancelled = isNull(clientRequests.cancelledAt);
  if (state === 'completed') return and(isNotCancelled, isNotNull(clientRequests.completedAt));
  const isCurrent = and(isNotCancelled, isNull(clientRequests.completedAt));
  switch (state) {
    case 'current':
      return isCurrent;
    case 'answered':
      return and(isCurrent, sql`${WAITING_COUNT_SQL} = 0`);
    case 'open':
      return and(isCurrent, sql`${WAITING_COUNT_SQL} > 0`);
    case 'overdue':
      return and(isCurrent, lt(clientRequests.dueOn, today), sql`${WAITING_COUNT_SQL} > 0`);
  }
}

function parseCursor(text: string): { day: PlainDate; id: string } {
  const [dayText = '', id = ''] = text.split(' ');
  const day = parsePlainDate(dayText);
  if (day !== undefined && isId(id)) return { day, id };
  throw createCursorError();
}
