/** The messages of a practice's queue. */
import { randomUUID } from 'node:crypto';
import { clientMessageRecipients as recipients, clientMessages, clients, memberships } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq, lte, sql } from '@portal/db/sql.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import { endAttempt, publishOutcome, startAttempt, type MessageAttempt } from './message-attempts.ts';
import { loadAuthor, sendByMailbox, sendFromPortal } from './message-route.ts';
import type { QueueItem } from './queue-item.ts';

/** HMRC's link is useless once its request has been accepted, cancelled or replaced, or has expired. */
const isOutdated = (today: PlainDate) => sql<boolean>`exists (select from authorisation_emails e
  left join client_authorisations a on a.company_id = e.company_id and a.client_id = e.client_id and a.tax = e.tax
    and a.invitation_id = e.invitation_id and a.status = 'link_sent' and a.expires_on > ${today}::date
  where e.company_id = ${recipients.companyId} and e.message_id = ${recipients.messageId} and e.client_id = ${recipients.clientId}
    and a.client_id is null)`;

/**
 * Someone scheduled it and has since left, or may no longer message clients. What was sent at once, or by a rule, continues: a long queue
 * would otherwise end in the middle.
 */
const IS_AUTHOR_GONE = sql<boolean>`(${clientMessages.sendAt} > ${clientMessages.createdAt} and not exists (
  select from ${memberships} m where m.company_id = ${clientMessages.companyId} and m.user_id = ${clientMessages.createdBy}
    and (m.role = 'practice_admin' or 'message_clients' = any(m.permissions))))`;

type NextRecipient = NonNullable<Awaited<ReturnType<typeof findNext>>>;

async function findNext({ database: { db }, clock }: AppDeps, companyId: string) {
  const [next] = await db
    .select({
      messageId: recipients.messageId,
      clientId: recipients.clientId,
      to: recipients.email,
      subject: recipients.subject,
      body: recipients.body,
      notBefore: recipients.notBefore,
      authorId: clientMessages.createdBy,
      isCurrent: sql<boolean>`${clients.status} not in ('inactive', 'closed')`,
      isOutdated: isOutdated(clock.today()),
      isAuthorGone: IS_AUTHOR_GONE,
    })
    .from(recipients)
    .innerJoin(clientMessages, and(eq(clientMessages.companyId, recipients.companyId), eq(clientMessages.id, recipients.messageId)))
    .innerJoin(clients, and(eq(clients.companyId, recipients.companyId), eq(clients.id, recipients.clientId)))
    .where(and(eq(recipients.companyId, companyId), eq(recipients.status, 'queued'), lte(clientMessages.sendAt, clock.now())))
    .orderBy(desc(clientMessages.isTest), asc(clientMessages.sendAt), asc(clientMessages.id), asc(recipients.position))
    .limit(1);
  return next;
}

export async function findNextMessage(deps: AppDeps, companyId: string): Promise<QueueItem | undefined> {
  const next = await findNext(deps, companyId);
  return (
    next && {
      to: next.to,
      notBefore: next.notBefore,
      outdated: getOutdatedReason(next),
      isEssential: false,
      usesReserve: false,
      end: (status, reason) => endNext(deps, companyId, next, status, reason),
      start: async (route, sentFrom) => {
        const author = await loadAuthor(deps.database.db, companyId, next.authorId);
        const attempt: MessageAttempt = { companyId, messageId: next.messageId, clientId: next.clientId, attemptId: randomUUID() };
        if (!(await startAttempt(deps, attempt, route, sentFrom))) return undefined;
        const leaving = { ...next, attempt };
        return {
          send: (through) =>
            through ? sendByMailbox(deps, through.mailbox, through.accessToken, author, leaving) : sendFromPortal(deps, author, leaving),
          end: (end) => endAttempt(deps, attempt, end),
        };
      },
    }
  );
}

function getOutdatedReason({ isCurrent, isOutdated: isAnswered, isAuthorGone }: NextRecipient): string | undefined {
  if (isAuthorGone) return 'Its author had left, or could no longer message clients, when it was due.';
  if (!isCurrent) return 'The client was archived or closed before the message was sent.';
  return isAnswered ? 'The request was answered or ended before the email was sent.' : undefined;
}

/** Ends a recipient without an attempt. A practice member may send again, for example once the address is allowed again. */
async function endNext(
  deps: AppDeps,
  companyId: string,
  { messageId, clientId }: NextRecipient,
  status: 'cancelled' | 'failed',
  reason: string,
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const endedMessages = await tx
      .update(recipients)
      .set({ status, endedAt: deps.clock.now(), reason })
      .where(
        and(
          eq(recipients.companyId, companyId),
          eq(recipients.messageId, messageId),
          eq(recipients.clientId, clientId),
          eq(recipients.status, 'queued'),
        ),
      )
      .returning({ messageId: recipients.messageId, clientId: recipients.clientId });
    if (status === 'failed') await publishOutcome(deps, tx, companyId, endedMessages, status);
  });
}
