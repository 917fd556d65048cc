/**
 * The SQL version of the authorisation status, for filters and counts of many clients. Must agree with `getAuthorisationStatus`; a test
 * compares them.
 */
import {
  FILTERED_STATUSES,
  REQUEST_LINK_TTL_DAYS,
  type Authorisation,
  type AuthorisationFilter,
} from '@portal/domain/authorisations/describe-authorisation.ts';
import { SOON_DAYS } from '@portal/domain/clients/attention.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { sql, type SQL } from '@portal/db/sql.ts';

/** The day on which HMRC ends a request. */
const REQUEST_ENDS = sql`coalesce(a.expires_on, (a.sent_at at time zone 'Europe/London')::date + ${sql.raw(String(REQUEST_LINK_TTL_DAYS))})`;

type AuthorisationKey = { readonly companyId: SQL; readonly clientId: SQL; readonly tax: AgentTax; readonly today: SQL };

/**
 * Returns the status of a client for a tax. `expiring` counts as authorised, because it concerns the practice's connection and not the
 * client. `today` may be a placeholder.
 */
export function getAuthorisationStatusSql(companyId: SQL, clientId: SQL, tax: AgentTax, today: SQL): SQL<Authorisation> {
  return sql<Authorisation>`coalesce((select ${getAuthorisationRowStatusSql(today)}
    from client_authorisations a where a.company_id = ${companyId} and a.client_id = ${clientId} and a.tax = ${sql.raw(`'${tax}'`)}), 'not_checked')`;
}

/** Returns the status of a row `a` of client_authorisations, or `not_checked` if a left join found none. */
export function getAuthorisationRowStatusSql(today: SQL): SQL<Authorisation> {
  return sql<Authorisation>`case
    when a.status is null or a.status = 'unsupported' then 'not_checked'
    when a.status = 'link_sent' and ${REQUEST_ENDS} <= ${today} then 'expired'
    when a.status = 'expiring' then 'authorised'
    else a.status end`;
}

/** Returns a condition that is true if the filter matches the client for a tax. */
export function matchesAuthorisationFilter(filter: AuthorisationFilter, { companyId, clientId, tax, today }: AuthorisationKey): SQL {
  const statuses = sql.raw(FILTERED_STATUSES[filter].map((status) => `'${status}'`).join(', '));
  const condition = sql`${getAuthorisationStatusSql(companyId, clientId, tax, today)} in (${statuses})`;
  if (filter !== 'expiring') return condition;
  return sql`(${condition} and exists (select from client_authorisations a where a.company_id = ${companyId} and a.client_id = ${clientId}
    and a.tax = ${sql.raw(`'${tax}'`)} and ${REQUEST_ENDS} <= ${today} + ${sql.raw(String(SOON_DAYS))}))`;
}
