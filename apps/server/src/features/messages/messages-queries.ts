/** A practice's messages to clients, with the outcome for each. */
import type { MessageRecipient, MessageSummary, messagesApi, notificationsApi } from '@portal/contract/messages.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { clientMessageRecipients as recipients, clientMessages, clients, users } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq, inArray, sql, type SQL } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { getMessageStatus, RECIPIENT_STATUSES, type RecipientStatus } from '@portal/domain/messages/message-status.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { findMailbox } from '../mailbox/find-mailbox.ts';
import { getAssigneeLimit, isVisibleTo } from '../positions/visible-clients.ts';

const MAX_MESSAGES = 100;
const MAX_RECIPIENTS = 200;
const MAX_NOTIFICATIONS = 100;

/** An admin sees all messages; a team member sees only their own. */
export function isOwnMessage(actor: Actor): SQL | undefined {
  const userId = getAssigneeLimit(actor);
  return userId === undefined ? undefined : eq(clientMessages.createdBy, userId);
}

export async function listMessages(deps: AppDeps, companyId: string, actor: Actor): Promise<MessageSummary[]> {
  return summarise(deps, companyId, and(isOwnMessage(actor), eq(clientMessages.isTest, false)));
}

export async function getMessage(
  deps: AppDeps,
  companyId: string,
  actor: Actor,
  { message_id: id, status }: { readonly message_id: string; readonly status?: RecipientStatus | undefined },
): Promise<EndpointOutput<typeof messagesApi.details>> {
  const { db } = deps.database;
  const isThis = and(eq(clientMessages.id, id), isOwnMessage(actor));
  const [summary] = await summarise(deps, companyId, isThis);
  const [content] = await db
    .select({ body: clientMessages.body })
    .from(clientMessages)
    .where(and(eq(clientMessages.companyId, companyId), isThis));
  if (!summary || !content) throw createNotFoundError();
  return { message: { ...summary, body: content.body }, recipients: await listRecipients(db, companyId, actor, id, status) };
}

/** Statuses that need attention come first. */
const ATTENTION_ORDER = '{unknown,failed,bounced,sending,queued,cancelled,sent}';

function listRecipients(
  db: Db,
  companyId: string,
  actor: Actor,
  id: string,
  status: RecipientStatus | undefined,
): Promise<MessageRecipient[]> {
  return db
    .select({
      client_id: recipients.clientId,
      name: clients.name,
      email: recipients.email,
      status: recipients.status,
      route: recipients.route,
      sent_from: recipients.sentFrom,
      ended_at: recipients.endedAt,
      reason: recipients.reason,
    })
    .from(recipients)
    .innerJoin(clients, and(eq(clients.companyId, recipients.companyId), eq(clients.id, recipients.clientId)))
    .where(
      and(
        eq(recipients.companyId, companyId),
        eq(recipients.messageId, id),
        status === undefined ? undefined : eq(recipients.status, status),
        isVisibleTo(actor, recipients.companyId, recipients.clientId),
      ),
    )
    .orderBy(sql`array_position(${ATTENTION_ORDER}::text[], ${recipients.status})`, asc(recipients.position))
    .limit(MAX_RECIPIENTS);
}

/** The counts cover all recipients, including clients that the user no longer looks after. */
async function summarise(deps: AppDeps, companyId: string, condition: SQL | undefined): Promise<MessageSummary[]> {
  const { db } = deps.database;
  const messages = await db
    .select({
      message_id: clientMessages.id,
      subject: clientMessages.subject,
      left_out: clientMessages.leftOut,
      author: users.fullName,
      created_at: clientMessages.createdAt,
      send_at: clientMessages.sendAt,
      cancelledAt: clientMessages.cancelledAt,
    })
    .from(clientMessages)
    .innerJoin(users, eq(users.id, clientMessages.createdBy))
    .where(and(eq(clientMessages.companyId, companyId), condition))
    .orderBy(desc(clientMessages.createdAt), desc(clientMessages.id))
    .limit(MAX_MESSAGES);
  const counts = await countByStatus(
    db,
    companyId,
    messages.map((message) => message.message_id),
  );
  const isMailboxLost = (await findMailbox(db, companyId))?.status === 'lost';
  const now = deps.clock.now();
  return messages.map(({ cancelledAt, ...message }) => {
    const recipientCounts = counts.get(message.message_id) ?? { ...NO_RECIPIENTS };
    const status = getMessageStatus({
      isCancelled: cancelledAt !== null,
      isDue: message.send_at <= now,
      counts: recipientCounts,
      isMailboxLost,
    });
    return {
      ...message,
      status,
      counts: recipientCounts,
      recipients: RECIPIENT_STATUSES.reduce((sum, item) => sum + recipientCounts[item], 0),
    };
  });
}

const NO_RECIPIENTS = Object.fromEntries(RECIPIENT_STATUSES.map((status) => [status, 0])) as Record<RecipientStatus, number>;

async function countByStatus(db: Db, companyId: string, ids: string[]): Promise<Map<string, Record<RecipientStatus, number>>> {
  const counts = new Map<string, Record<RecipientStatus, number>>();
  if (ids.length === 0) return counts;
  const rows = await db
    .select({ id: recipients.messageId, status: recipients.status, count: sql`count(*)`.mapWith(Number) })
    .from(recipients)
    .where(and(eq(recipients.companyId, companyId), inArray(recipients.messageId, ids)))
    .groupBy(recipients.messageId, recipients.status);
  for (const { id, status, count } of rows) counts.set(id, { ...NO_RECIPIENTS, ...counts.get(id), [status]: count });
  return counts;
}

/** When sending ended; until then, when it is due. */
const ENDED_OR_DUE_AT = sql<Instant>`coalesce(${recipients.endedAt}, ${clientMessages.sendAt})`.mapWith(clientMessages.sendAt);

/** Lists the latest messages, one row for each client that the user may see. */
export function listNotifiedCustomers(
  db: Db,
  companyId: string,
  actor: Actor,
): Promise<EndpointOutput<typeof notificationsApi.customers>['customers']> {
  return db
    .select({
      client_id: recipients.clientId,
      name: clients.name,
      email: recipients.email,
      message_id: recipients.messageId,
      subject: recipients.subject,
      status: recipients.status,
      at: ENDED_OR_DUE_AT,
    })
    .from(recipients)
    .innerJoin(clientMessages, and(eq(clientMessages.companyId, recipients.companyId), eq(clientMessages.id, recipients.messageId)))
    .innerJoin(clients, and(eq(clients.companyId, recipients.companyId), eq(clients.id, recipients.clientId)))
    .where(
      and(
        eq(recipients.companyId, companyId),
        eq(clientMessages.isTest, false),
        isVisibleTo(actor, recipients.companyId, recipients.clientId),
      ),
    )
    .orderBy(desc(ENDED_OR_DUE_AT), asc(recipients.clientId))
    .limit(MAX_NOTIFICATIONS);
}
