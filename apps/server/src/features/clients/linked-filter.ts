/** Filters that the numbers of other screens open: by the last refresh, its reason, or one action. */
import { toActionFilter } from '@portal/contract/client-filter-values.ts';
import type { ClientFilters } from '@portal/contract/clients.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import { REQUEST_OUTCOMES } from '@portal/domain/authorisations/request-outcome.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { hasRefresh, hasRefreshReason } from './hmrc-filters.ts';

type LinkedFilter = {
  readonly conditions: readonly (() => SQL)[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly shape: readonly string[];
};

/** The parts of a list's filter, see `ClientFilterSql`. */
export function buildLinkedFilter({ refresh, refresh_reason: reason, action, tax }: ClientFilters): LinkedFilter {
  const found = action === undefined ? undefined : toActionFilter(action);
  return {
    conditions: [
      ...(refresh === undefined ? [] : [() => hasRefresh(refresh, tax)]),
      ...(reason === undefined ? [] : [() => hasRefreshReason(tax)]),
      ...(found === undefined ? [] : [() => isOfAction(found.kind)]),
    ],
    values: { ...(reason === undefined ? {} : { reason }), ...(found === undefined ? {} : { actionId: found.id }) },
    shape: [
      ...(refresh === undefined ? [] : [refresh]),
      ...(reason === undefined ? [] : ['reason']),
      ...(found === undefined ? [] : [found.kind]),
    ],
  };
}

/** Needs the placeholders `companyId` and `actionId`. */
function isOfAction(kind: ReturnType<typeof toActionFilter>['kind']): SQL {
  const key = sql`x.company_id = ${sql.placeholder('companyId')}`;
  const id = sql.placeholder('actionId');
  if (kind === 'change')
    return sql`exists (select from client_changes x, jsonb_array_elements(x.clients) e
      where ${key} and x.id = ${id} and (e->>'id')::uuid = ${clientRows.clientId})`;
  if (kind === 'statement' || kind === 'statement_updated') {
    const outcome = kind === 'statement' ? sql`true` : sql`x.outcome = 'taken'`;
    return sql`exists (select from tax_statement_clients x where ${key} and x.statement_id = ${id} and x.client_id = ${clientRows.clientId} and ${outcome})`;
  }
  const outcome = REQUEST_OUTCOMES.find((one) => kind === `requests_${one}`);
  return sql`exists (select from authorisation_run_clients x where ${key} and x.run_id = ${id} and x.client_id = ${clientRows.clientId}
    and ${outcome === undefined ? sql`true` : sql`x.outcome = ${sql.raw(`'${outcome}'`)}`})`;
}
