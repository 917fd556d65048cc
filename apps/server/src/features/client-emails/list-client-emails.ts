/** Lists the emails that the portal sent to one client for the practice, as they were sent, for the timeline. */
import type { TimelineEntry } from '@portal/contract/client-dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { clientEmails, users } from '@portal/db/schema/schema.ts';
import { and, desc, eq } from '@portal/db/sql.ts';
import { CLIENT_EMAIL_TITLES } from '@portal/domain/messages/client-email-status.ts';
import { canRepeatEmail } from './email-key.ts';

type ClientKey = { readonly practiceId: string; readonly clientId: string };

/** Lists emails newest first. Includes pending and unsent emails, so that none fails unnoticed. */
export async function listClientEmails(db: Db, { practiceId, clientId }: ClientKey, limit: number): Promise<TimelineEntry[]> {
  const rows = await db
    .select({
      id: clientEmails.id,
      createdAt: clientEmails.createdAt,
      endedAt: clientEmails.endedAt,
      status: clientEmails.status,
      email: clientEmails.email,
      subject: clientEmails.subject,
      body: clientEmails.body,
      reason: clientEmails.reason,
      who: users.fullName,
      sealed: clientEmails.sealed,
    })
    .from(clientEmails)
    .leftJoin(users, eq(users.id, clientEmails.sentBy))
    .where(and(eq(clientEmails.companyId, practiceId), eq(clientEmails.clientId, clientId)))
    .orderBy(desc(clientEmails.createdAt), desc(clientEmails.id))
    .limit(limit);
  return rows.map(({ id, createdAt, endedAt, status, email, subject, body, reason, who, sealed }) => ({
    key: `email-${id}`,
    at: endedAt ?? createdAt,
    kind: 'message' as const,
    title: `${CLIENT_EMAIL_TITLES[status]}: ${subject}`,
    detail: `To ${email}${reason === null ? '' : `. ${reason}`}\n\n${body}`,
    who,
    ...(canRepeatEmail({ status, sealed }) ? { email_id: id } : {}),
  }));
}
