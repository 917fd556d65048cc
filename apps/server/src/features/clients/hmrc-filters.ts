/** Conditions of the client list on HMRC's authorisations and the last refresh. A tax counts only while the client has it. */
import type { ClientFilters } from '@portal/contract/clients.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import { SOON_DAYS } from '@portal/domain/clients/attention.ts';
import { LINK_DAYS } from '@portal/domain/authorisations/describe-authorisation.ts';
import { sql, type SQL } from 'drizzle-orm';

const TODAY = sql`${sql.placeholder('today')}::date`;

/** The taxes of HMRC's Agent Authorisation API (docs/reference/hmrc.md section 5). */
const AGENT_TAX_ROWS = sql`(values ('vat', ${clientRows.hasVat}), ('sa', ${clientRows.hasSa})) as t(tax, has)`;
const ALL_TAX_ROWS = sql`(values ('vat', ${clientRows.hasVat}), ('paye', ${clientRows.hasPaye}), ('ct', ${clientRows.hasCt}),
  ('sa', ${clientRows.hasSa})) as t(tax, has)`;

const isTax = (tax: string | undefined): SQL => (tax === undefined ? sql`t.has` : sql`t.has and t.tax = ${tax}`);

/** The day on which HMRC ends a request, as in describe-authorisation.ts. */
const REQUEST_ENDS = sql`coalesce(a.expires_on, (a.sent_at at time zone 'Europe/London')::date + ${sql.raw(String(LINK_DAYS))})`;
const IS_OPEN_REQUEST = sql`a.status = 'link_sent' and (${REQUEST_ENDS} is null or ${REQUEST_ENDS} > ${TODAY})`;

const STATES: Readonly<Record<NonNullable<ClientFilters['authorisation']>, SQL>> = {
  missing: sql`(coalesce(a.status, 'not_started') in ('not_started', 'expired', 'revoked') or (a.status = 'link_sent' and ${REQUEST_ENDS} <= ${TODAY}))`,
  pending: IS_OPEN_REQUEST,
  expiring: sql`${IS_OPEN_REQUEST} and ${REQUEST_ENDS} <= ${TODAY} + ${sql.raw(String(SOON_DAYS))}`,
};

/** Needs the placeholder `today`. */
export function hasAuthorisation(state: NonNullable<ClientFilters['authorisation']>, tax: string | undefined): SQL {
  return sql`exists (select from ${AGENT_TAX_ROWS} left join client_authorisations a on a.company_id = ${clientRows.companyId}
    and a.client_id = ${clientRows.clientId} and a.tax = t.tax where ${isTax(tax)} and ${STATES[state]})`;
}

/** A missing authorisation has its own filter. A failure that is retried by itself needs no action. */
export function hasFailedRefresh(tax: string | undefined): SQL {
  return sql`exists (select from ${ALL_TAX_ROWS} join client_syncs y on y.company_id = ${clientRows.companyId}
    and y.client_id = ${clientRows.clientId} and y.tax = t.tax where ${isTax(tax)} and y.state = 'failed' and y.retry_at is null
    and coalesce(y.reason, '') not in ('not_authorised', 'authorisation_revoked'))`;
}
