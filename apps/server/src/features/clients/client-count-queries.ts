/**
 * Counts the clients that match a filter. Separate from the list, so that the cost of a page does not depend on the size of the practice.
 */
import type { clientsApi } from '@portal/contract/clients.ts';
import type { MatchedItems } from '@portal/contract/figures.ts';
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { clientRows, taxPositions } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, count, sql, type SQL } from '@portal/db/sql.ts';
import type { Actor } from '../../http/session.ts';
import { isIncompleteSql, isUnreadSql } from '../positions/figures-sql.ts';
import { getAssigneeLimit } from '../positions/visible-clients.ts';
import { matchesTaxPosition, type MatchedSql } from './client-figures.ts';
import { buildClientFilter, type ClientFilterSql } from './client-filters.ts';

export async function countClients(
  db: Db,
  practiceId: string,
  actor: Actor,
  filters: Omit<ParsedEndpointInput<typeof clientsApi.count>, 'company_id'>,
  today: PlainDate,
): Promise<EndpointOutput<typeof clientsApi.count>> {
  const viewer = { assignedTo: getAssigneeLimit(actor), today };
  const [matchingCounts, totalCount] = await Promise.all([
    countMatchingClients(db, buildClientFilter(practiceId, filters, viewer)),
    countMatchingClients(db, buildClientFilter(practiceId, {}, viewer)),
  ]);
  return { count: matchingCounts.count, all: totalCount.count, matched: matchingCounts.matched, today };
}

async function countMatchingClients(db: Db, { conditions, values, tax, listMatched, getFirstDate, rows }: ClientFilterSql) {
  const matchedSql = listMatched();
  const query = db
    .select({ count: count(), matched: selectMatchedSums(matchedSql, tax) })
    .from(rows)
    .$dynamic();
  // The items that the first filter by date found are joined, so they needn't be looked for a second time.
  const isByDate = getFirstDate() !== undefined;
  const narrowed = tax === undefined ? query : query.leftJoin(taxPositions, matchesTaxPosition(tax));
  const joined = matchedSql.reduce((left, { found }, place) => {
    const name = sql.raw(`m${place}`);
    return left[isByDate && place === 0 ? 'innerJoin' : 'leftJoin'](
      sql`(${found}) ${name}`,
      sql`${name}.client_id = ${clientRows.clientId}`,
    );
  }, narrowed);
  const [row] = await joined
    .where(and(...conditions(isByDate ? 'without_dates' : undefined)))
    .prepare('')
    .execute(values);
  const [first, ...furtherMatches] = row?.matched ?? [];
  return { count: row?.count ?? 0, matched: first ? { ...first, further: furtherMatches } : null };
}

type MatchedSums = Omit<MatchedItems, 'further'>;

/** Returns the sums of what each filter found, as JSON. */
function selectMatchedSums(matchedSql: readonly MatchedSql[], tax: Tax | undefined): SQL<readonly MatchedSums[]> {
  const isIncomplete = tax === undefined ? isIncompleteSql('client_rows') : isUnreadSql('tax_positions');
  const sums = matchedSql.map(({ filter }, place) => {
    const toColumn = (name: 'items' | 'amount_pence' | 'unknown_amounts'): SQL => sql.raw(`m${place}.${name}`);
    return sql`json_build_object('filter', ${sql.raw(`'${filter}'`)}, 'items', sum(${toColumn('items')})::int,
      'amount_pence', sum(${toColumn('amount_pence')})::bigint,
      'is_partial', coalesce(bool_or(${isIncomplete} or ${toColumn('unknown_amounts')} > 0), false))`;
  });
  return sql<readonly MatchedSums[]>`json_build_array(${sql.join(sums, sql`, `)})`;
}
