import { clientAuthorisations, clientRows } from '@portal/db/schema/schema.ts';
import { sql, type SQL } from '@portal/db/sql.ts';

/**
 * Returns every client and tax, and whether it is linked: `company_id`, `client_id`, `name`, `sort_name`, `tax`, `linked`. Same rule as
 * `is_connection_linked` (migration 0053), which the triggers call for one connection; calling it for 10,000 clients would take seconds.
 */
export function getConnectionsSql(companyId: string): SQL {
  return sql`select r.company_id, r.client_id, r.name, r.sort_name, t.tax, coalesce(r.status = 'active' and t.has_tax
      and case when t.tax in ('paye', 'ct') then t.tax = any (r.read_taxes) else a.status in ('authorised', 'expiring') end, false) as linked
    from ${clientRows} r
    cross join lateral (values ('vat', r.has_vat), ('paye', r.has_paye), ('ct', r.has_ct), ('sa', r.has_sa)) t(tax, has_tax)
    left join ${clientAuthorisations} a on a.company_id = r.company_id and a.client_id = r.client_id and a.tax = t.tax
    where r.company_id = ${companyId}`;
}
