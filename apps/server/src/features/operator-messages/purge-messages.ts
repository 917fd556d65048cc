/** Deletes old messages with their replies and notes, as the data retention policy promises. */
import { closedAccounts, contactEntries, contactMessages } from '@portal/db/schema/schema.ts';
import { getMessageCutOff } from '@portal/domain/operators/contact-messages.ts';
import { and, eq, inArray, ne, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';

export async function purgeMessages({ database: { db }, clock }: AppDeps): Promise<void> {
  const today = clock.today();
  const last = sql`greatest(${contactMessages.receivedAt}, ${contactMessages.answeredAt}, ${contactMessages.closedAt}, (select max(${contactEntries.at}) from ${contactEntries} where ${contactEntries.messageId} = ${contactMessages.id}))`;
  const isOlderThan = (topic: 'complaint' | 'other') => sql`${last} < ${getMessageCutOff(topic, today)}::date`;
  // No law requires an ordinary message of a person who has closed their account.
  const closedUserIds = db.select({ userId: closedAccounts.userId }).from(closedAccounts);
  await db
    .delete(contactMessages)
    .where(
      and(
        ne(contactMessages.state, 'open'),
        or(
          and(eq(contactMessages.topic, 'complaint'), isOlderThan('complaint')),
          and(ne(contactMessages.topic, 'complaint'), or(isOlderThan('other'), inArray(contactMessages.userId, closedUserIds))),
        ),
      ),
    );
}
