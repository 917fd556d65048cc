/** The SQL version of an authorisation request's plan, for the client list. Must agree with `planRequest`; a test compares them. */
import type { RequestPlanFilter } from '@portal/contract/client-filter-values.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import type { SkipReason } from '@portal/domain/authorisations/request-outcome.ts';
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { getAuthorisationRowStatusSql } from '../authorisations/authorisation-status-sql.ts';

const COLUMNS = {
  vat: {
    isGroupMember: sql`c.vat_group_role is not distinct from 'member'`,
    hasTax: sql`c.has_vat`,
    reference: sql`c.vrn`,
    fact: sql`c.vat_registered_on`,
  },
  sa: { isGroupMember: sql`false`, hasTax: sql`c.has_sa`, reference: sql`c.nino`, fact: sql`c.postcode` },
} as const;

/** Requires the placeholder `today`. */
export function matchesRequestPlan(filter: RequestPlanFilter): SQL {
  const tax = AGENT_TAXES.find((item) => filter.startsWith(`${item}:`)) ?? 'vat';
  const { isGroupMember, hasTax, reference, fact } = COLUMNS[tax];
  const status = getAuthorisationRowStatusSql(sql`${sql.placeholder('today')}::date`);
  const matchPlan = (plan: 'ready' | SkipReason): SQL => sql.raw(String(filter === `${tax}:${plan}`));
  // As a join, this can be hashed instead of running a subquery for each client. PostgreSQL would estimate half of the clients for a
  // boolean CASE and none for a compared one, and sort the whole list instead of stopping after a page: ten times as slow with 10,000
  // clients.
  return sql`exists (select from clients c left join client_authorisations a
    on a.company_id = c.company_id and a.client_id = c.id and a.tax = ${sql.raw(`'${tax}'`)}
    where c.company_id = ${clientRows.companyId} and c.id = ${clientRows.clientId} and case
      when ${isGroupMember} then ${matchPlan('in_vat_group')}
      when not ${hasTax} then ${matchPlan('no_tax')}
      when c.status in ('inactive', 'closed') then ${matchPlan('not_current')}
      when ${status} in ('authorised', 'expiring') then ${matchPlan('authorised')}
      when ${status} = 'suspended' then ${matchPlan('insolvent')}
      when ${status} = 'link_sent' and a.client_action_url is not null then ${matchPlan('pending')}
      when ${reference} is null then ${matchPlan('no_reference')}
      when ${fact} is null then ${matchPlan('no_fact')}
      else ${matchPlan('ready')} end)`;
}
