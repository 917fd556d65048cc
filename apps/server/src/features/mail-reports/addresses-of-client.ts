/** Lists each client's email addresses: its own, and those of its contacts, its users and its open invitations. */
import type { Tx } from '@portal/db/database.ts';
import { sql, type SQL } from '@portal/db/sql.ts';

/** Returns a subquery with rows of `client_id` and lower-case `email`. */
export const selectClientAddresses = (companyId: string): SQL => sql`(
  select c.id as client_id, lower(trim(c.email)) as email from clients c where c.company_id = ${companyId}::uuid and c.email <> ''
  union select k.client_id, lower(trim(k.email)) from client_contacts k where k.company_id = ${companyId}::uuid and k.email <> ''
  union select p.client_id, lower(u.email) from client_people p join users u on u.id = p.user_id where p.company_id = ${companyId}::uuid
  union select i.client_id, lower(i.email) from client_invitations i
    where i.company_id = ${companyId}::uuid and i.accepted_at is null and i.revoked_at is null)`;

export async function findClientOfAddress(tx: Tx, companyId: string, email: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ client_id: string }>(
    sql`select a.client_id from ${selectClientAddresses(companyId)} a where a.email = ${email} order by a.client_id limit 1`,
  );
  return rows[0]?.client_id;
}
