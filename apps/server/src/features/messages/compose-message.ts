/** Composes a message to clients: previews it, sends the author a test, and sends it now or later. */
import type { messagesApi } from '@portal/contract/messages.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientMessageRecipients, clientMessages, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueSending } from './enqueue-sending.ts';
import { getRouteState } from './message-route.ts';
import { planRecipients } from './plan-recipients.ts';

const SAMPLE_SIZE = 3;
const MAX_LEFT_OUT_LISTED = 20;
const MAX_AHEAD_MS = 90 * 86_400_000;
/** Recipients are inserted in groups to keep within PostgreSQL's limit on parameters. */
const INSERT_SIZE = 500;

type PreviewCall = Call<typeof messagesApi.preview>;

export async function previewMessage(
  deps: AppDeps,
  { input, tenant, actor }: PreviewCall,
): Promise<EndpointOutput<typeof messagesApi.preview>> {
  const companyId = tenant.practiceId;
  const scope = { companyId, actor, today: deps.clock.today() };
  const { messages, leftOut } = await planRecipients(deps.database.db, scope, input);
  return {
    recipients: messages.length,
    samples: messages.slice(0, SAMPLE_SIZE),
    left_out: leftOut.length,
    left_out_clients: leftOut.slice(0, MAX_LEFT_OUT_LISTED),
    route: await getRouteState(deps, companyId, actor.userId),
  };
}

export async function sendTestMessage(
  deps: AppDeps,
  { input, tenant, actor }: Call<typeof messagesApi.sendTest>,
): Promise<{ email: string }> {
  const companyId = tenant.practiceId;
  const { client_id: clientId, message_id: id, ...content } = input;
  return deps.database.db.transaction(async (tx) => {
    const scope = { companyId, actor, today: deps.clock.today() };
    const { messages, leftOut } = await planRecipients(tx, scope, { client_ids: [clientId], ...content });
    const [message] = messages;
    if (!message && leftOut.length === 0) throw createNotFoundError();
    if (!message) {
      throw new AppError(
        'conflict',
        'messages.left_out',
        'This client won’t get the message, so there’s nothing to test. Choose another client.',
      );
    }
    const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, actor.userId));
    const email = user?.email ?? '';
    const at = deps.clock.now();
    const isNew = await insertMessage(tx, {
      companyId,
      id,
      ...content,
      createdBy: actor.userId,
      createdAt: at,
      sendAt: at,
      isTest: true,
      leftOut: 0,
    });
    if (!isNew) return { email };
    const test = { ...message, email, subject: `Test: ${message.subject}` };
    await insertRecipients(tx, companyId, id, [test]);
    await enqueueSending(deps, tx, companyId);
    return { email };
  });
}

export async function sendMessage(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof messagesApi.send>,
): Promise<EndpointOutput<typeof messagesApi.send>> {
  const companyId = tenant.practiceId;
  const { message_id: id, recipients: expectedRecipients, send_at: sendAt, subject, body, client_ids, matching } = input;
  const at = deps.clock.now();
  const leavesAt = getSendTime(sendAt, at);
  return deps.database.db.transaction(async (tx) => {
    const sentBefore = await findSentCount(tx, companyId, id, actor.userId);
    if (sentBefore !== undefined) return { message_id: id, recipients: sentBefore };
    const scope = { companyId, actor, today: deps.clock.today() };
    const { messages, leftOut } = await planRecipients(tx, scope, { client_ids, matching, subject, body });
    if (messages.length !== expectedRecipients) {
      const recipientCountText = messages.length.toLocaleString('en-GB');
      const message = `${recipientCountText} of these clients would now get the message, not ${expectedRecipients.toLocaleString('en-GB')}. Nothing was sent. Check the preview, then try again.`;
      throw new AppError('conflict', 'messages.count_changed', message, { found: messages.length });
    }
    const row = { companyId, id, subject, body, createdBy: actor.userId, createdAt: at, sendAt: leavesAt, isTest: false };
    // A concurrent second request waits here and then finds the first request's message.
    if (!(await insertMessage(tx, { ...row, leftOut: leftOut.length }))) return { message_id: id, recipients: messages.length };
    await insertRecipients(tx, companyId, id, messages);
    const after = { subject, recipients: messages.length, left_out: leftOut.length, send_at: leavesAt };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'message.created', subject: id, after, ip: caller.ip });
    if (leavesAt <= at) await enqueueSending(deps, tx, companyId);
    return { message_id: id, recipients: messages.length };
  });
}

function getSendTime(sendAt: Instant | undefined, now: Instant): Instant {
  if (sendAt === undefined || sendAt <= now) return now;
  if (sendAt <= addMilliseconds(now, MAX_AHEAD_MS)) return sendAt;
  throw new AppError('invalid', 'input.invalid', 'Choose a time in the next 90 days.', { field: 'send_at' });
}

/** Returns how many recipients an earlier request with this ID had, or undefined if there wasn't one. */
async function findSentCount(tx: Tx, companyId: string, id: string, userId: string): Promise<number | undefined> {
  const [message] = await tx
    .select({ createdBy: clientMessages.createdBy })
    .from(clientMessages)
    .where(and(eq(clientMessages.companyId, companyId), eq(clientMessages.id, id)));
  if (!message) return undefined;
  if (message.createdBy !== userId) throw createNotFoundError();
  return tx.$count(
    clientMessageRecipients,
    and(eq(clientMessageRecipients.companyId, companyId), eq(clientMessageRecipients.messageId, id)),
  );
}

async function insertMessage(tx: Tx, message: typeof clientMessages.$inferInsert): Promise<boolean> {
  const insertedMessages = await tx.insert(clientMessages).values(message).onConflictDoNothing().returning({ id: clientMessages.id });
  return insertedMessages.length > 0;
}

type NewRecipient = { readonly client_id: string; readonly email: string; readonly subject: string; readonly body: string };

async function insertRecipients(tx: Tx, companyId: string, messageId: string, messages: readonly NewRecipient[]): Promise<void> {
  const rows = messages.map(({ client_id: clientId, email, subject, body }, position) => {
    return { companyId, messageId, clientId, position, email, subject, body, status: 'queued' as const };
  });
  for (let start = 0; start < rows.length; start += INSERT_SIZE) {
    await tx.insert(clientMessageRecipients).values(rows.slice(start, start + INSERT_SIZE));
  }
}
