import type { Db } from '@portal/db/database.ts';
import { sql } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';

/**
 * Finds the clients whose facts may have changed since the last run. Users' changes are in the audit trail, whose entries commit in the
 * order of their numbers. Readings, deliveries and tasks created by rules aren't all in it, so their times are compared.
 */
export async function findChangedClients(
  db: Db,
  companyId: string,
  { sequence, since }: { readonly sequence: number; readonly since: Instant | null },
): Promise<string[]> {
  const from = since ?? '1970-01-01T00:00:00.000Z';
  const { rows } = await db.execute<{ id: string }>(sql`
    with entries as (
      select subject, after from audit_entries where company_id = ${companyId}::uuid and sequence > ${sequence}
    ), named as (
      select subject as id from entries
      union select jsonb_array_elements_text(after -> 'client_ids') from entries where jsonb_typeof(after -> 'client_ids') = 'array'
    ), changed as (
      select c.id from named n join clients c on c.company_id = ${companyId}::uuid and c.id::text = n.id
      union select client_id from tax_positions where company_id = ${companyId}::uuid and as_of >= ${from}::timestamptz
      union select client_id from position_changes where company_id = ${companyId}::uuid and changed_at >= ${from}::timestamptz
      union select client_id from client_syncs where company_id = ${companyId}::uuid and read_at >= ${from}::timestamptz
      union select client_id from client_authorisations where company_id = ${companyId}::uuid and checked_at >= ${from}::timestamptz
      union select client_id from client_invitations where company_id = ${companyId}::uuid
        and greatest(sent_at, bounced_at, accepted_at, revoked_at) >= ${from}::timestamptz
      union select client_id from client_message_recipients where company_id = ${companyId}::uuid and ended_at >= ${from}::timestamptz
      union select client_id from client_book_balances where company_id = ${companyId}::uuid and entered_at >= ${from}::timestamptz
      union select client_id from client_turnovers where company_id = ${companyId}::uuid and known_at >= ${from}::timestamptz
      union select client_id from work_items where company_id = ${companyId}::uuid and client_id is not null and updated_at >= ${from}::timestamptz
      union select id from clients where company_id = ${companyId}::uuid and greatest(updated_at, register_read_at, register_people_read_at) >= ${from}::timestamptz
    )
    select id from changed order by id`);
  return rows.map(({ id }) => id);
}
