/**
 * Counts the clients that match a filter. Separate from the list, so that the cost of a page does not depend on the size of the practice.
 */
import type { clientsApi } from '@portal/contract/clients.ts';
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { clientRows, taxPositions } from '@portal/db/schema/schema.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, count, sql } from '@portal/db/sql.ts';
import type { Actor } from '../../http/session.ts';
import { isIncompleteSql, isUnreadSql } from '../positions/figures-sql.ts';
import { getAssigneeLimit } from '../positions/visible-clients.ts';
import { matchesTaxPosition } from './client-figures.ts';
import { buildClientFilter, type ClientFilterSql } from './client-filters.ts';

export async function countClients(
  db: Db,
  practiceId: string,
  actor: Actor,
  filters: Omit<ParsedEndpointInput<typeof clientsApi.count>, 'company_id'>,
  today: PlainDate,
): Promise<EndpointOutput<typeof clientsApi.count>> {
  const viewer = { assignedTo: getAssigneeLimit(actor), today };
  const [found, all] = await Promise.all([
    countMatching(db, buildClientFilter(practiceId, filters, viewer)),
    countMatching(db, buildClientFilter(practiceId, {}, viewer)),
  ]);
  return { count: found.count, all: all.count, matched: found.matched, today };
}

async function countMatching(db: Db, { conditions, values, tax, getMatched, getFirstDate, rows }: ClientFilterSql) {
  const matched = getMatched();
  const isIncomplete = tax === undefined ? isIncompleteSql('client_rows') : isUnreadSql('tax_positions');
  const items = {
    items: sql<number | null>`sum(m.items)::int`,
    amount_pence: sql<Pence | null>`sum(m.amount_pence)::bigint`,
    is_partial: sql<boolean | null>`bool_or(${isIncomplete} or m.unknown_amounts > 0)`,
  };
  const query = db
    .select({ count: count(), ...(matched ? items : {}) })
    .from(rows)
    .$dynamic();
  const narrowedQuery = tax === undefined ? query : query.leftJoin(taxPositions, matchesTaxPosition(tax));
  // The items that a filter by date found are joined, so they needn't be looked for a second time.
  const isByDate = getFirstDate() !== undefined;
  const joined = matched
    ? narrowedQuery[isByDate ? 'innerJoin' : 'leftJoin'](sql`(${matched}) m`, sql`m.client_id = ${clientRows.clientId}`)
    : narrowedQuery;
  const [row] = await joined
    .where(and(...conditions(isByDate ? 'without_dates' : undefined)))
    .prepare('')
    .execute(values);
  const found = { items: row?.items ?? null, amount_pence: row?.amount_pence ?? null, is_partial: row?.is_partial ?? false };
  return { count: row?.count ?? 0, matched: matched ? found : null };
}
