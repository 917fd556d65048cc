import type { Db, Tx } from '@portal/db/database.ts';
import { batchHeaderConfirmations, practices, syncRuns, users } from '@portal/db/schema/schema.ts';
import { and, desc, eq, isNull, max } from '@portal/db/sql.ts';

/** Finds the newest record of HMRC's confirmation. One without headers is a withdrawal. */
export async function findConfirmation(db: Db | Tx) {
  const [row] = await db
    .select({ found: batchHeaderConfirmations, recordedBy: users.fullName })
    .from(batchHeaderConfirmations)
    .innerJoin(users, eq(users.id, batchHeaderConfirmations.recordedBy))
    .orderBy(desc(batchHeaderConfirmations.recordedAt), desc(batchHeaderConfirmations.id))
    .limit(1);
  if (!row) return undefined;
  const { headers, note, recordedAt } = row.found;
  return { headers: [...headers], note, recorded_by: row.recordedBy, recorded_at: recordedAt };
}

export async function getNightlyRefresh(db: Db, companyId: string) {
  const [practice] = await db.select({ isOn: practices.nightlyRefresh }).from(practices).where(eq(practices.companyId, companyId));
  const [last] = await db
    .select({ startedAt: max(syncRuns.startedAt) })
    .from(syncRuns)
    .where(and(eq(syncRuns.companyId, companyId), isNull(syncRuns.startedBy)));
  const confirmation = await findConfirmation(db);
  return {
    is_on: practice?.isOn ?? false,
    is_confirmed: (confirmation?.headers.length ?? 0) > 0,
    last_started_at: last?.startedAt ?? null,
  };
}
