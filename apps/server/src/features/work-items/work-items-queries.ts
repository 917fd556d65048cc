/** Lists tasks by due date, and reads one with its comments. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { workItemsApi } from '@portal/contract/work-items.ts';
import { UNASSIGNED } from '@portal/domain/clients/client.ts';
import { clients, users, workItemComments, workItems } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq, gte, isNull, lt, lte, ne, sql, type SQL } from '@portal/db/sql.ts';
import { addDays, parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { MAX_BOARD_COLUMN_ITEMS, MAX_WORK_COMMENTS, WORK_STATUSES } from '@portal/domain/work-items/work-item.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createCursorError } from '../../http/page-cursor.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { isId } from '../../http/resolve-tenant.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleWork } from './visible-work-items.ts';

type ListCall = Call<typeof workItemsApi.list>;
type Filters = Pick<ListCall['input'], 'status' | 'owner' | 'client_id' | 'service' | 'due' | 'due_on' | 'tag'>;

/** A checklist only has a few lines, so they are counted when read. */
const COLUMNS = {
  item_id: workItems.id,
  title: workItems.title,
  service: workItems.service,
  status: workItems.status,
  dueOn: workItems.dueOn,
  ownerId: workItems.ownerId,
  ownerName: users.fullName,
  clientId: workItems.clientId,
  clientName: clients.name,
  checklist: workItems.checklist,
  comments:
    sql`(select count(*) from work_item_comments n where n.company_id = ${workItems.companyId} and n.work_item_id = ${workItems.id})`.mapWith(
      Number,
    ),
  is_from_obligation: sql<boolean>`(${workItems.templateKey} is not null)`,
  version: workItems.version,
};

function selectItems({ database: { db } }: Pick<AppDeps, 'database'>) {
  return db
    .select(COLUMNS)
    .from(workItems)
    .leftJoin(clients, and(eq(clients.companyId, workItems.companyId), eq(clients.id, workItems.clientId)))
    .leftJoin(users, eq(users.id, workItems.ownerId));
}
type WorkItemRow = Awaited<ReturnType<typeof selectItems>>[number];

/** Open tasks are sorted by due date, completed ones in reverse, because the latest matter most. */
export async function listWorkItems(deps: AppDeps, { input, tenant, actor }: ListCall): Promise<EndpointOutput<typeof workItemsApi.list>> {
  const today = deps.clock.today();
  const isDone = input.status === 'done';
  const cursorPosition = input.cursor === undefined ? undefined : parseCursor(input.cursor);
  const place = sql`(${workItems.dueOn}, ${workItems.id})`;
  const cursorTuple = cursorPosition && sql`(${cursorPosition.day}::date, ${cursorPosition.id}::uuid)`;
  const rows = await selectItems(deps)
    .where(
      and(
        matchesFilters(tenant.practiceId, actor, input, today),
        // Redundant on purpose: the date alone lets PostgreSQL start the index scan at the right place.
        cursorPosition && (isDone ? lte(workItems.dueOn, cursorPosition.day) : gte(workItems.dueOn, cursorPosition.day)),
        cursorTuple && (isDone ? sql`${place} < ${cursorTuple}` : sql`${place} > ${cursorTuple}`),
      ),
    )
    .orderBy(...getOrder(isDone))
    .limit(input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    items: page.map(toItem),
    today,
    next_cursor: last && rows.length > page.length ? `${last.dueOn} ${last.item_id}` : null,
  };
}

/** Reads all columns of the board with one statement. */
export async function getBoard(
  deps: AppDeps,
  { input, tenant, actor }: Call<typeof workItemsApi.board>,
): Promise<EndpointOutput<typeof workItemsApi.board>> {
  const { practiceId: companyId } = tenant;
  const today = deps.clock.today();
  const firsts = WORK_STATUSES.map((status) =>
    deps.database.db
      .select({ id: workItems.id })
      .from(workItems)
      .leftJoin(clients, and(eq(clients.companyId, workItems.companyId), eq(clients.id, workItems.clientId)))
      .where(matchesFilters(companyId, actor, { ...input, status }, today))
      .orderBy(...getOrder(status === 'done'))
      .limit(MAX_BOARD_COLUMN_ITEMS + 1),
  );
  const rows = await selectItems(deps)
    .where(and(eq(workItems.companyId, companyId), sql`${workItems.id} in (${sql.join(firsts, sql` union all `)})`))
    .orderBy(...getOrder(false));
  const itemsByStatus = Map.groupBy(rows.map(toItem), ({ status }) => status);
  return {
    columns: WORK_STATUSES.map((status) => {
      const items = itemsByStatus.get(status) ?? [];
      const sortedItems = status === 'done' ? items.toReversed() : items;
      return { status, items: sortedItems.slice(0, MAX_BOARD_COLUMN_ITEMS), has_more: sortedItems.length > MAX_BOARD_COLUMN_ITEMS };
    }),
    today,
  };
}

const getOrder = (isDone: boolean) => (isDone ? [desc(workItems.dueOn), desc(workItems.id)] : [asc(workItems.dueOn), asc(workItems.id)]);

function matchesFilters(companyId: string, actor: Actor, filters: Filters, today: PlainDate): SQL | undefined {
  const { status, owner, client_id: clientId, service, due, due_on: dueOn, tag } = filters;
  return and(
    eq(workItems.companyId, companyId),
    isNull(workItems.removedAt),
    isVisibleWork(actor),
    status === undefined ? undefined : status === 'open' ? ne(workItems.status, 'done') : eq(workItems.status, status),
    owner === undefined
      ? undefined
      : owner === UNASSIGNED
        ? isNull(workItems.ownerId)
        : eq(workItems.ownerId, owner === 'me' ? actor.userId : owner),
    clientId === undefined ? undefined : eq(workItems.clientId, clientId),
    service === undefined ? undefined : eq(workItems.service, service),
    due === undefined ? undefined : isDue(due, today),
    dueOn === undefined ? undefined : eq(workItems.dueOn, dueOn),
    tag === undefined ? undefined : sql`${clients.tags} @> ${JSON.stringify([tag])}::jsonb`,
  );
}

/** An overdue task also counts as due within a week. A completed task is never overdue. */
function isDue(due: NonNullable<Filters['due']>, today: PlainDate): SQL | undefined {
  if (due === 'none') return eq(workItems.dueOn, NEVER_DUE);
  if (due === 'overdue') return and(lt(workItems.dueOn, today), ne(workItems.status, 'done'));
  return lte(workItems.dueOn, addDays(today, due === 'week' ? 7 : 30));
}

export async function getWorkItem(
  deps: AppDeps,
  { input, tenant, actor }: Call<typeof workItemsApi.find>,
): Promise<EndpointOutput<typeof workItemsApi.find>> {
  const { practiceId: companyId } = tenant;
  const { db } = deps.database;
  const isItem = and(eq(workItems.companyId, companyId), eq(workItems.id, input.item_id), isNull(workItems.removedAt));
  const [row] = await selectItems(deps).where(and(isItem, isVisibleWork(actor)));
  const [details] = await db
    .select({
      notes: workItems.notes,
      createdBy: workItems.createdBy,
      createdAt: workItems.createdAt,
      doneBy: workItems.doneBy,
      doneAt: workItems.doneAt,
    })
    .from(workItems)
    .where(isItem);
  if (!row || !details) throw createNotFoundError();
  const getName = async (id: string | null) =>
    id === null ? null : ((await db.select({ name: users.fullName }).from(users).where(eq(users.id, id)))[0]?.name ?? null);
  const comments = await db
    .select({
      comment_id: workItemComments.id,
      author: users.fullName,
      text: workItemComments.text,
      written_at: workItemComments.writtenAt,
    })
    .from(workItemComments)
    .innerJoin(users, eq(users.id, workItemComments.authorId))
    .where(and(eq(workItemComments.companyId, companyId), eq(workItemComments.workItemId, input.item_id)))
    .orderBy(asc(workItemComments.writtenAt), asc(workItemComments.id))
    .limit(MAX_WORK_COMMENTS);
  return {
    item: {
      ...toItem(row),
      notes: details.notes,
      checklist: [...row.checklist],
      created_by: await getName(details.createdBy),
      created_at: details.createdAt,
      done_by: await getName(details.doneBy),
      done_at: details.doneAt,
    },
    comments,
    today: deps.clock.today(),
  };
}

function toItem(row: WorkItemRow): EndpointOutput<typeof workItemsApi.list>['items'][number] {
  return {
    item_id: row.item_id,
    title: row.title,
    service: row.service,
    status: row.status,
    due_on: row.dueOn === NEVER_DUE ? null : row.dueOn,
    owner: row.ownerId === null ? null : { user_id: row.ownerId, full_name: row.ownerName ?? '' },
    client: row.clientId === null ? null : { client_id: row.clientId, name: row.clientName ?? '' },
    checklist_done: row.checklist.filter(({ is_done: isDone }) => isDone).length,
    checklist_total: row.checklist.length,
    comments: row.comments,
    is_from_obligation: row.is_from_obligation,
    version: row.version,
  };
}

function parseCursor(text: string): { day: PlainDate; id: string } {
  const [dayText = '', id = ''] = text.split(' ');
  const day = parsePlainDate(dayText);
  if (day !== undefined && isId(id)) return { day, id };
  throw createCursorError();
}
