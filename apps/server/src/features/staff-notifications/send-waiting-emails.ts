/** Sends emails that were held back during a member's quiet hours. */
import { memberships, staffNotifications, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull, lte } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { emailNotifications } from './notification-emails.ts';

export async function sendWaitingEmails(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const isWaiting = and(
    eq(staffNotifications.email, 'now'),
    isNull(staffNotifications.emailedAt),
    lte(staffNotifications.emailAt, deps.clock.now()),
  );
  const recipients = await db
    .selectDistinct({ companyId: staffNotifications.companyId, userId: staffNotifications.userId, address: users.email })
    .from(staffNotifications)
    .innerJoin(users, eq(users.id, staffNotifications.userId))
    // Someone who has left the practice gets no more emails about it.
    .innerJoin(memberships, and(eq(memberships.companyId, staffNotifications.companyId), eq(memberships.userId, staffNotifications.userId)))
    .where(isWaiting)
    .orderBy(asc(users.email));
  await tryEach(recipients, (person) =>
    db.transaction(async (tx) => {
      const isOwn = and(eq(staffNotifications.companyId, person.companyId), eq(staffNotifications.userId, person.userId));
      // Whichever instance updates a row first sends its email.
      const rows = await tx.update(staffNotifications).set({ emailedAt: deps.clock.now() }).where(and(isOwn, isWaiting)).returning();
      await emailNotifications(deps, tx, person, rows);
    }),
  );
}
