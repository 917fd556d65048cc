import { sql, type SQL } from '@portal/db/sql.ts';

/**
 * Matches companies (table `c`) to a search: every word must be in the name; a VAT number, company number or row id matches from its start.
 */
export function matchCompany(q: string, id: SQL): SQL {
  const words = q.toLowerCase().split(/\s+/u);
  const nameMatches = sql.join(
    words.map((word) => sql`strpos(lower(c.name), ${word}) > 0`),
    sql` and `,
  );
  const compact = q.replaceAll(/\s|^GB/giu, '').toLowerCase();
  return sql`((${nameMatches}) or starts_with(c.vrn, ${compact}) or starts_with(lower(c.company_number), ${compact}) or starts_with(${id}::text, ${compact}))`;
}
