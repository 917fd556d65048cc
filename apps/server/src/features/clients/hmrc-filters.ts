/** Conditions of the client list on HMRC's authorisations and the last refresh. A tax counts only while the client has it. */
import { clientRows } from '@portal/db/schema/schema.ts';
import type { AuthorisationFilter } from '@portal/domain/authorisations/describe-authorisation.ts';
import { AGENT_TAXES, type AgentTax, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { matchesAuthorisationFilter } from '../authorisations/authorisation-status-sql.ts';

const TODAY = sql`${sql.placeholder('today')}::date`;

const ALL_TAX_ROWS = sql`(values ('vat', ${clientRows.hasVat}), ('paye', ${clientRows.hasPaye}), ('ct', ${clientRows.hasCt}),
  ('sa', ${clientRows.hasSa})) as t(tax, has)`;

const isTax = (tax: string | undefined): SQL => (tax === undefined ? sql`t.has` : sql`t.has and t.tax = ${tax}`);

const HAS_TAX: Readonly<Record<AgentTax, SQLWrapper>> = { vat: clientRows.hasVat, sa: clientRows.hasSa };

/**
 * PAYE and corporation tax have no authorisation that software could ask for, so a filter on them finds nothing. Needs the placeholder
 * `today`.
 */
export function hasAuthorisation(filter: AuthorisationFilter, tax: Tax | undefined): SQL {
  const [companyId, clientId] = [sql`${clientRows.companyId}`, sql`${clientRows.clientId}`];
  const conditions = AGENT_TAXES.filter((covered) => tax === undefined || tax === covered).map(
    (covered) => sql`(${HAS_TAX[covered]} and ${matchesAuthorisationFilter(filter, { companyId, clientId, tax: covered, today: TODAY })})`,
  );
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

/** A missing authorisation has its own filter. A failure that is retried by itself needs no action. */
export function hasFailedRefresh(tax: string | undefined): SQL {
  return sql`exists (select from ${ALL_TAX_ROWS} join client_syncs y on y.company_id = ${clientRows.companyId}
    and y.client_id = ${clientRows.clientId} and y.tax = t.tax where ${isTax(tax)} and y.state = 'failed' and y.retry_at is null
    and coalesce(y.reason, '') not in ('not_authorised', 'authorisation_revoked'))`;
}

/** HMRC identifies a person of Self Assessment by the National Insurance number. */
export function isWithoutNino(tax: Tax | undefined): SQL {
  if (tax !== undefined && tax !== 'sa') return sql`false`;
  return sql`(${clientRows.hasSa} and exists (select from clients c where c.company_id = ${clientRows.companyId}
    and c.id = ${clientRows.clientId} and c.nino is null))`;
}
