/** The authorisation status in SQL, for filters and counts of many clients. Must agree with `getAuthorisationStatus`; a test compares them. */
import {
  LINK_DAYS,
  UNAUTHORISED_STATUSES,
  type Authorisation,
  type AuthorisationFilter,
} from '@portal/domain/authorisations/describe-authorisation.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { sql, type SQL } from 'drizzle-orm';

/**
 * The status of a client for a tax. `expiring` counts as authorised: it is about the practice's connection, not about the client. `today`
 * may be a placeholder.
 */
export function authorisationStatusSql(companyId: SQL, clientId: SQL, tax: AgentTax, today: SQL): SQL<Authorisation> {
  return sql<Authorisation>`coalesce((select case
      when a.status = 'link_sent'
        and coalesce(a.expires_on, (a.sent_at at time zone 'Europe/London')::date + ${sql.raw(String(LINK_DAYS))}) <= ${today} then 'expired'
      when a.status = 'expiring' then 'authorised'
      when a.status = 'unsupported' then 'not_started'
      else a.status end
    from client_authorisations a where a.company_id = ${companyId} and a.client_id = ${clientId} and a.tax = ${sql.raw(`'${tax}'`)}), 'not_started')`;
}

/** The stored statuses that a filter finds. */
export function toFilteredStatuses(filter: AuthorisationFilter): readonly string[] {
  return filter === 'not_authorised' ? UNAUTHORISED_STATUSES : [filter];
}
