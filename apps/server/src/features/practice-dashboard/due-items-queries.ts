/** Lists items due within a range of days, over all clients that the user can see, page by page. */
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import { clientRows, dueItems } from '@portal/db/schema/schema.ts';
import { and, asc, between, eq, sql } from '@portal/db/sql.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { formatCursor, parseCursor, storableTextSchema } from '../../http/page-cursor.ts';
import type { Actor } from '../../http/session.ts';
import { CLIENT_ITEM_COLUMNS, isClientOfItem, isVisible } from './calendar-queries.ts';

type DueItemsEndpoint = typeof practiceDashboardApi.dueItems;

const cursorSchema = z.tuple([z.iso.date(), storableTextSchema, z.uuid(), z.enum(TAXES), storableTextSchema]);

export async function listDueItems(
  { database: { db }, clock }: AppDeps,
  practiceId: string,
  actor: Actor,
  input: Omit<ParsedEndpointInput<DueItemsEndpoint>, 'company_id'>,
): Promise<EndpointOutput<DueItemsEndpoint>> {
  if (input.to < input.from) throw createInvalidFieldError('to', 'Enter an end date on or after the start date.');
  const cursorPosition = input.cursor === undefined ? undefined : parseCursor(input.cursor, cursorSchema, 'Start from the first page.');
  const afterCursor =
    cursorPosition &&
    sql`(${dueItems.dueOn}, ${clientRows.sortName}, ${dueItems.clientId}, ${dueItems.tax}, ${dueItems.key}) > (${cursorPosition[0]}::date, ${cursorPosition[1]}, ${cursorPosition[2]}::uuid, ${cursorPosition[3]}, ${cursorPosition[4]})`;
  const rows = await db
    .select(CLIENT_ITEM_COLUMNS)
    .from(dueItems)
    .innerJoin(clientRows, isClientOfItem())
    .where(
      and(
        eq(dueItems.companyId, practiceId),
        between(dueItems.dueOn, input.from, input.to),
        input.what === undefined ? undefined : eq(dueItems.what, input.what),
        isVisible(actor, input),
        afterCursor,
      ),
    )
    .orderBy(asc(dueItems.dueOn), asc(clientRows.sortName), asc(dueItems.clientId), asc(dueItems.tax), asc(dueItems.key))
    .limit(input.limit + 1);
  const pageRows = rows.slice(0, input.limit);
  const last = rows.length > input.limit ? pageRows.at(-1) : undefined;
  return {
    items: pageRows.map(({ sortName: _sortName, ...item }) => item),
    today: clock.today(),
    next_cursor: last ? formatCursor([last.due_on, last.sortName, last.client_id, last.tax, last.key]) : null,
  };
}
