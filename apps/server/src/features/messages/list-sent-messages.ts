/** Lists messages sent to one client, as the client received them, for the timeline. */
import type { TimelineEntry } from '@portal/contract/client-dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { clientMessageRecipients as recipients, clientMessages, users } from '@portal/db/schema/schema.ts';
import { and, desc, eq, inArray } from '@portal/db/sql.ts';

type ClientKey = { readonly practiceId: string; readonly clientId: string };

/** Newest first. Includes messages that may have been sent, and those that bounced. */
export async function listSentMessages(db: Db, { practiceId, clientId }: ClientKey, limit: number): Promise<TimelineEntry[]> {
  const rows = await db
    .select({
      id: recipients.messageId,
      at: recipients.endedAt,
      status: recipients.status,
      email: recipients.email,
      subject: recipients.subject,
      body: recipients.body,
      reason: recipients.reason,
      author: users.fullName,
    })
    .from(recipients)
    .innerJoin(clientMessages, and(eq(clientMessages.companyId, recipients.companyId), eq(clientMessages.id, recipients.messageId)))
    .innerJoin(users, eq(users.id, clientMessages.createdBy))
    .where(
      and(
        eq(recipients.companyId, practiceId),
        eq(recipients.clientId, clientId),
        inArray(recipients.status, ['sent', 'bounced', 'unknown']),
        eq(clientMessages.isTest, false),
      ),
    )
    .orderBy(desc(recipients.endedAt))
    .limit(limit);
  return rows.flatMap(({ id, at, status, email, subject, body, reason, author }) => {
    if (at === null) return [];
    const outcomeText = status === 'sent' ? 'Email sent' : status === 'bounced' ? 'Email bounced' : 'Email may have been sent';
    // The reason from a report: the message bounced, is delayed, or was reported as spam.
    const detail = `To ${email}${reason === null || status === 'unknown' ? '' : `. ${reason}`}\n\n${body}`;
    return [{ key: `message-${id}`, at, kind: 'message' as const, title: `${outcomeText}: ${subject}`, detail, who: author }];
  });
}
