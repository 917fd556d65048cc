import type { Db, Tx } from '@portal/db/database.ts';
import { memberships } from '@portal/db/schema/schema.ts';
import { sql } from '@portal/db/sql.ts';
import { getOwnerSql } from './lock-team.ts';

/**
 * Finds the author of something written for the practice, or the practice's owner if the author has left: replies and failures must reach
 * someone who works there.
 */
export async function findCurrentAuthor<Id extends string | null>(db: Db | Tx, companyId: string, userId: Id): Promise<string | Id> {
  const { rows } = await db.execute<{ id: string | null }>(sql`
    select coalesce((select m.user_id from ${memberships} m where m.company_id = ${companyId}::uuid and m.user_id = ${userId}::uuid),
      ${getOwnerSql(companyId)}) as id`);
  return rows[0]?.id ?? userId;
}
