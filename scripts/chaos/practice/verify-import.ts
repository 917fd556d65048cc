/** Checks an import after all the kills: each row has exactly one outcome, and each client exists once. */
import type { ClientImport } from '@portal/contract/client-imports.ts';
import type { Db } from '@portal/db/database.ts';
import { sql } from '@portal/db/sql.ts';

type ImportCounts = {
  readonly rows: number;
  readonly open: number;
  readonly wrongly_applied: number;
  readonly made_rows: number;
  readonly matched_rows: number;
  readonly made_clients: number;
  readonly clients_of_import: number;
  readonly without_client: number;
  readonly same_client: number;
  readonly without_row: number;
  readonly without_position: number;
  readonly completions: number;
};

/** Returns one sentence for each violated rule. */
export async function verifyImport(db: Db, companyId: string, validatedImport: ClientImport): Promise<string[]> {
  const counts = await countRows(db, companyId, validatedImport.import_id);
  const rules: [boolean, string][] = [
    [counts.rows === validatedImport.rows_total, `${counts.rows} of ${validatedImport.rows_total} rows are stored`],
    [counts.open === 0, `${counts.open} rows were not applied`],
    [counts.wrongly_applied === 0, `${counts.wrongly_applied} rows were applied by mistake`],
    [counts.made_rows === validatedImport.counts.new, `${counts.made_rows} rows created a client, ${validatedImport.counts.new} expected`],
    [
      counts.matched_rows === validatedImport.counts.matched,
      `${counts.matched_rows} rows completed a client, ${validatedImport.counts.matched} expected`,
    ],
    [counts.made_clients === counts.made_rows, `${counts.made_rows} rows created ${counts.made_clients} clients`],
    [
      counts.clients_of_import === counts.made_rows,
      `${counts.clients_of_import} clients belong to an import that created ${counts.made_rows}`,
    ],
    [counts.without_client === 0, `${counts.without_client} rows refer to a missing client`],
    [counts.same_client === 0, `${counts.same_client} clients were created by several rows`],
    [counts.without_row === 0, `${counts.without_row} clients are missing from the list, or listed without existing`],
    [counts.without_position === 0, `${counts.without_position} taxes of new clients have no position`],
    [counts.completions === 1, `the audit trail contains ${counts.completions} completions`],
  ];
  return rules.filter(([isMet]) => !isMet).map(([, sentence]) => sentence);
}

async function countRows(db: Db, companyId: string, importId: string): Promise<ImportCounts> {
  const { rows } = await db.execute<ImportCounts>(sql`
    with r as (select * from client_import_rows where company_id = ${companyId} and import_id = ${importId}),
      c as (select * from clients where company_id = ${companyId} and import_id = ${importId}),
      made as (select client_id, count(*) as times from r where outcome = 'new' group by client_id)
    select (select count(*) from r)::int as rows,
      (select count(*) from r where outcome in ('new', 'matched') and (applied_at is null or client_id is null))::int as open,
      (select count(*) from r where outcome not in ('new', 'matched') and applied_at is not null)::int as wrongly_applied,
      (select count(*) from r where outcome = 'new')::int as made_rows,
      (select count(*) from r where outcome = 'matched')::int as matched_rows,
      (select count(*) from made where client_id is not null)::int as made_clients,
      (select count(*) from c)::int as clients_of_import,
      (select count(*) from r where client_id is not null
        and not exists (select from clients k where k.company_id = ${companyId} and k.id = r.client_id))::int as without_client,
      (select count(*) from made where times > 1)::int as same_client,
      (select count(*) from clients k full join client_rows l on l.company_id = k.company_id and l.client_id = k.id
        where coalesce(k.company_id, l.company_id) = ${companyId} and (k.id is null or l.client_id is null))::int as without_row,
      (select count(*) from c cross join lateral (values ('vat', has_vat), ('paye', has_paye), ('ct', has_ct), ('sa', has_sa)) as t(tax, has)
        where has and not exists (
          select from tax_positions p where p.company_id = c.company_id and p.client_id = c.id and p.tax = t.tax))::int as without_position,
      (select count(*) from audit_entries where company_id = ${companyId} and action = 'clients.imported'
        and subject = ${importId})::int as completions`);
  const [counts] = rows;
  if (!counts) throw new Error('the count query returned no row');
  return counts;
}
