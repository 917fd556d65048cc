/** Counts a member's open tasks by day, for the calendar and its feed. */
import type { Db } from '@portal/db/database.ts';
import { workItems } from '@portal/db/schema/schema.ts';
import { and, between, count, eq, isNull, ne } from '@portal/db/sql.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleWork } from './visible-work-items.ts';

export type WorkDay = { readonly due_on: PlainDate; readonly tasks: number };
type Days = { readonly first: PlainDate; readonly last: PlainDate; readonly ownerId: string };

/** A team member sees only those of a colleague's tasks that belong to their own clients. */
export function countWorkDays(db: Db, actor: Actor, companyId: string, { first, last, ownerId }: Days) {
  return db
    .select({ due_on: workItems.dueOn, tasks: count() })
    .from(workItems)
    .where(
      and(
        eq(workItems.companyId, companyId),
        eq(workItems.ownerId, ownerId),
        ne(workItems.status, 'done'),
        isNull(workItems.removedAt),
        between(workItems.dueOn, first, last),
        isVisibleWork(actor),
      ),
    )
    .groupBy(workItems.dueOn)
    .orderBy(workItems.dueOn);
}
