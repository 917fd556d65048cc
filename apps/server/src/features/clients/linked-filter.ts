/** Filters for the lists that other screens' numbers link to: by the last refresh, its reason, one action, or the preview of requests. */
import { toActionFilter } from '@portal/contract/client-filter-values.ts';
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import { REQUEST_OUTCOMES } from '@portal/domain/authorisations/request-outcome.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { matchesRequestPlan } from '../authorisation-requests/request-plan-sql.ts';
import { hasRefresh, hasRefreshReason } from './hmrc-filters.ts';

type LinkedFilter = {
  readonly conditions: readonly (() => SQL)[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly shape: readonly string[];
};

/** Returns the parts of a list's filter; see `ClientFilterSql`. */
export function buildLinkedFilter({ refresh, refresh_reason: reason, action, request_plan: plan, tax }: ClientFilters): LinkedFilter {
  const actionFilter = action === undefined ? undefined : toActionFilter(action);
  return {
    conditions: [
      ...(refresh === undefined ? [] : [() => hasRefresh(refresh, tax, reason !== undefined)]),
      ...(reason === undefined || refresh !== undefined ? [] : [() => hasRefreshReason(tax)]),
      ...(actionFilter === undefined ? [] : [() => belongsToAction(actionFilter.kind)]),
      ...(plan === undefined ? [] : [() => matchesRequestPlan(plan)]),
    ],
    values: { ...(reason === undefined ? {} : { reason }), ...(actionFilter === undefined ? {} : { actionId: actionFilter.id }) },
    shape: [
      ...(refresh === undefined ? [] : [refresh]),
      ...(reason === undefined ? [] : ['reason']),
      ...(actionFilter === undefined ? [] : [actionFilter.kind]),
      ...(plan === undefined ? [] : [plan]),
    ],
  };
}

/** Which clients of a bulk change to select: all, those that undo restored, or those it left unchanged. */
const CHANGE_CONDITIONS: Readonly<Partial<Record<ReturnType<typeof toActionFilter>['kind'], SQL>>> = {
  change: sql`true`,
  change_restored: sql`e ? 'restored'`,
  change_kept: sql`not (e ? 'restored')`,
};

/** Requires the placeholders `companyId` and `actionId`. */
function belongsToAction(kind: ReturnType<typeof toActionFilter>['kind']): SQL {
  const key = sql`x.company_id = ${sql.placeholder('companyId')}`;
  const id = sql.placeholder('actionId');
  const part = CHANGE_CONDITIONS[kind];
  if (part !== undefined)
    return sql`exists (select from client_changes x, jsonb_array_elements(x.clients) e
      where ${key} and x.id = ${id} and (e->>'id')::uuid = ${clientRows.clientId} and ${part})`;
  if (kind === 'statement' || kind === 'statement_updated') {
    const outcome = kind === 'statement' ? sql`true` : sql`x.outcome = 'taken'`;
    return sql`exists (select from tax_statement_clients x where ${key} and x.statement_id = ${id} and x.client_id = ${clientRows.clientId} and ${outcome})`;
  }
  const outcome = REQUEST_OUTCOMES.find((item) => kind === `requests_${item}`);
  return sql`exists (select from authorisation_run_clients x where ${key} and x.run_id = ${id} and x.client_id = ${clientRows.clientId}
    and ${outcome === undefined ? sql`true` : sql`x.outcome = ${sql.raw(`'${outcome}'`)}`})`;
}
