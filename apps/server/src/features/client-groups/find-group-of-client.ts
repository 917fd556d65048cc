import type { Db } from '@portal/db/database.ts';
import { sql } from '@portal/db/sql.ts';

/** Returns the group of a client, or null. */
export async function findGroupOfClient(db: Db, companyId: string, clientId: string): Promise<{ group_id: string; name: string } | null> {
  const { rows } = await db.execute<{ group_id: string; name: string }>(sql`
    select g.id as group_id, g.name from client_group_members m join client_groups g on g.company_id = m.company_id and g.id = m.group_id
    where m.company_id = ${companyId}::uuid and m.client_id = ${clientId}::uuid`);
  return rows[0] ?? null;
}
