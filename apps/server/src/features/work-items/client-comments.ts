/** Comments on a client's tasks, for the client's timeline. */
import type { TimelineEntry } from '@portal/contract/client-dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { users, workItemComments, workItems } from '@portal/db/schema/schema.ts';
import { and, desc, eq, isNull } from '@portal/db/sql.ts';

export const COMMENTED_ACTION = 'work.commented';

type ClientKey = { readonly practiceId: string; readonly clientId: string };

/** Lists comments, newest first. */
export async function listClientComments(db: Db, { practiceId, clientId }: ClientKey, limit: number): Promise<TimelineEntry[]> {
  const rows = await db
    .select({
      key: workItemComments.id,
      at: workItemComments.writtenAt,
      task: workItems.title,
      detail: workItemComments.text,
      who: users.fullName,
    })
    .from(workItems)
    .innerJoin(workItemComments, and(eq(workItemComments.companyId, workItems.companyId), eq(workItemComments.workItemId, workItems.id)))
    .innerJoin(users, eq(users.id, workItemComments.authorId))
    .where(and(eq(workItems.companyId, practiceId), eq(workItems.clientId, clientId), isNull(workItems.removedAt)))
    .orderBy(desc(workItemComments.writtenAt), desc(workItemComments.id))
    .limit(limit);
  return rows.map(({ task, ...row }) => ({ ...row, kind: 'note', title: `Comment on “${task}”` }));
}
