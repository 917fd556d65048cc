import { sql, type SQL } from '@portal/db/sql.ts';

/**
 * Returns the email address for automatic email to a client: its own, otherwise its oldest contact's, otherwise that of the first user with
 * access. Null if none has one. `client` is the table or alias in the statement.
 */
export function selectClientAddress(client: SQL = sql`c`): SQL<string | null> {
  return sql<string | null>`coalesce(nullif(${client}.email, ''),
    (select k.email from client_contacts k where k.company_id = ${client}.company_id and k.client_id = ${client}.id and k.email <> ''
      order by k.created_at, k.id limit 1),
    (select u.email from client_people p join users u on u.id = p.user_id
      where p.company_id = ${client}.company_id and p.client_id = ${client}.id order by p.joined_at, u.id limit 1))`;
}
