/** The plan for an authorisation request in SQL, for the client list. Must agree with `planRequest`; a test compares them. */
import type { RequestPlanFilter } from '@portal/contract/client-filter-values.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { authorisationStatusSql } from '../authorisations/authorisation-status-sql.ts';

const COLUMNS = {
  vat: { hasTax: sql`c.has_vat`, reference: sql`c.vrn`, fact: sql`c.vat_registered_on` },
  sa: { hasTax: sql`c.has_sa`, reference: sql`c.nino`, fact: sql`c.postcode` },
} as const;

/** Needs the placeholder `today`. */
export function matchesRequestPlan(filter: RequestPlanFilter): SQL {
  const tax = AGENT_TAXES.find((one) => filter.startsWith(`${one}:`)) ?? 'vat';
  const { hasTax, reference, fact } = COLUMNS[tax];
  const status = authorisationStatusSql(sql`c.company_id`, sql`c.id`, tax, sql`${sql.placeholder('today')}::date`);
  return sql`exists (select from clients c left join client_authorisations l
    on l.company_id = c.company_id and l.client_id = c.id and l.tax = ${sql.raw(`'${tax}'`)}
    cross join lateral (select ${status} as status) s
    where c.company_id = ${clientRows.companyId} and c.id = ${clientRows.clientId} and case
      when not ${hasTax} then 'no_tax'
      when c.status in ('inactive', 'closed') then 'not_current'
      when s.status in ('authorised', 'expiring') then 'authorised'
      when s.status = 'suspended' then 'insolvent'
      when s.status = 'link_sent' and l.client_action_url is not null then 'pending'
      when ${reference} is null then 'no_reference'
      when ${fact} is null then 'no_fact'
      else 'ready' end = ${sql.raw(`'${filter.slice(tax.length + 1)}'`)})`;
}
