/**
 * Maintains the identity columns of client_rows (name, references, taxes, assignees, search text) and creates the rows.
 * `positions/write-client-rows.ts` writes the amounts of existing rows. Nothing else writes this table.
 */
import type { Tx } from '@portal/db/database.ts';
import { toSearchText, type SearchableClient } from '@portal/domain/clients/search-text.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { sql } from '@portal/db/sql.ts';

/**
 * Call it in the same transaction as any change to these clients or their assignments. Uses two statements for any number of clients. A new
 * row has no amounts yet.
 */
export async function upsertClientRows(tx: Tx, companyId: string, clientIds: string | readonly string[]): Promise<void> {
  const ids = typeof clientIds === 'string' ? [clientIds] : clientIds;
  if (ids.length === 0) return;
  const { rows } = await tx.execute<SearchableClient & { id: string }>(sql`
    select id, name, client_code, vrn, vat_group_vrn, utr, company_number, nino, paye_reference, accounts_office_reference, postcode, email, phone
    from clients where company_id = ${companyId}::uuid
      and id in (select wanted::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as wanted)`);
  const searchRows = rows.map((client) => ({ id: client.id, search: toSearchText(client) }));
  await tx.execute(sql`
    insert into client_rows (company_id, client_id, name, sort_name, kind, status, vrn, utr, company_number, client_code,
      has_vat, has_paye, has_ct, has_sa, next_due_on, owed_pence, overdue_pence, refund_pence, attention, members, search)
    select c.company_id, c.id, c.name, lower(c.name), c.kind, c.status, c.vrn, c.utr, c.company_number, c.client_code,
      c.has_vat, c.has_paye, c.has_ct, c.has_sa, ${NEVER_DUE}::date, 0, 0, 0, 'no_data',
      coalesce((
        select jsonb_agg(jsonb_build_object('user_id', m.user_id, 'full_name', u.full_name, 'duty', m.duty) order by u.full_name, m.user_id, m.duty)
        from client_members m join users u on u.id = m.user_id where m.company_id = c.company_id and m.client_id = c.id), '[]'::jsonb),
      wanted.search
    from jsonb_to_recordset(${JSON.stringify(searchRows)}::jsonb) as wanted(id uuid, search text)
    join clients c on c.company_id = ${companyId}::uuid and c.id = wanted.id
    on conflict (company_id, client_id) do update set name = excluded.name, sort_name = excluded.sort_name, kind = excluded.kind,
      status = excluded.status, vrn = excluded.vrn, utr = excluded.utr, company_number = excluded.company_number,
      client_code = excluded.client_code, has_vat = excluded.has_vat, has_paye = excluded.has_paye, has_ct = excluded.has_ct,
      has_sa = excluded.has_sa, members = excluded.members, search = excluded.search`);
}
