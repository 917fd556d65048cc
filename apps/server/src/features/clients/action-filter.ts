/** The clients of one action, for the lists that the numbers of its result open. */
import { toActionFilter, type ClientFilters } from '@portal/contract/clients.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import { REQUEST_OUTCOMES } from '@portal/domain/authorisations/request-outcome.ts';
import { sql, type SQL } from 'drizzle-orm';

/** Needs the placeholders `companyId` and `actionId`. */
export function isOfAction({ kind }: ActionFilter): SQL {
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

export type ActionFilter = ReturnType<typeof toActionFilter>;

/** Kind and ID of the action in the filters. */
export function findAction({ action }: ClientFilters): ActionFilter | undefined {
  return action === undefined ? undefined : toActionFilter(action);
}
