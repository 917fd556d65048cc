/**
 * Operators' actions on a message: reply, note, assign, close. Each runs in one transaction with its audit entry, which never contains the
 * message text.
 */
import type { EndpointInput } from '@portal/contract/endpoint.ts';
import type { operatorMessagesApi } from '@portal/contract/operator-messages.ts';
import type { Tx } from '@portal/db/database.ts';
import { contactEntries, contactMessages, operators } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';

type MessageRow = typeof contactMessages.$inferSelect;
type Sender = { readonly actor: Actor; readonly caller: { readonly ip: string } };

/** Runs a change on the locked message. */
async function changeMessage(
  deps: AppDeps,
  { actor, caller }: Sender,
  messageId: string,
  work: (tx: Tx, message: MessageRow) => Promise<{ action: string; after?: unknown } | undefined>,
): Promise<{ done: true }> {
  await deps.database.db.transaction(async (tx) => {
    const [message] = await tx.select().from(contactMessages).where(eq(contactMessages.id, messageId)).for('update');
    if (!message) throw createNotFoundError();
    const changedMessage = await work(tx, message);
    if (!changedMessage) return;
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at: deps.clock.now(),
      actor: actor.userId,
      action: changedMessage.action,
      subject: message.reference,
      ...(changedMessage.after === undefined ? {} : { after: changedMessage.after }),
      ip: caller.ip,
    });
  });
  return { done: true };
}

type ReplyInput = EndpointInput<typeof operatorMessagesApi.reply>;

/** Returns false if the entry is already stored. */
async function addEntry(
  deps: AppDeps,
  tx: Tx,
  kind: 'reply' | 'note',
  { message_id, entry_id, text }: ReplyInput,
  answeredBy: string,
): Promise<boolean> {
  const insertedReplies = await tx
    .insert(contactEntries)
    .values({ messageId: message_id, id: entry_id, kind, text, by: answeredBy, at: deps.clock.now() })
    .onConflictDoNothing()
    .returning({ id: contactEntries.id });
  return insertedReplies.length > 0;
}

/** Emails the reply to the sender's address and marks the message answered. */
export function replyToMessage(deps: AppDeps, call: Sender & { readonly input: ReplyInput }): Promise<{ done: true }> {
  const { input, actor } = call;
  return changeMessage(deps, call, input.message_id, async (tx, message) => {
    if (!(await addEntry(deps, tx, 'reply', input, actor.userId))) return undefined;
    await tx
      .update(contactMessages)
      .set({ state: 'answered', answeredAt: message.answeredAt ?? deps.clock.now(), assignedTo: message.assignedTo ?? actor.userId })
      .where(eq(contactMessages.id, message.id));
    await enqueueEmail(deps, tx, message.email, {
      subject: `${message.reference}: reply to your message`,
      preheader: input.text.slice(0, 120),
      heading: 'Reply to your message',
      paragraphs: input.text.split(/\n{2,}/u),
      facts: [
        ['From', actor.fullName],
        ['Reference', message.reference],
        ['You wrote on', formatInstant(message.receivedAt)],
      ],
      reason: `You’re receiving this because you contacted ${deps.site.brand} using our contact form. Email ${deps.site.contact.email} if you have more questions, and quote the reference.`,
    });
    return { action: 'contact_message.answered', after: { entry_id: input.entry_id } };
  });
}

export function noteMessage(deps: AppDeps, call: Sender & { readonly input: ReplyInput }): Promise<{ done: true }> {
  return changeMessage(deps, call, call.input.message_id, async (tx) =>
    (await addEntry(deps, tx, 'note', call.input, call.actor.userId))
      ? { action: 'contact_message.note_added', after: { entry_id: call.input.entry_id } }
      : undefined,
  );
}

export function assignMessage(
  deps: AppDeps,
  call: Sender & { readonly input: EndpointInput<typeof operatorMessagesApi.assign> },
): Promise<{ done: true }> {
  const { message_id: messageId, operator_id: operatorId } = call.input;
  return changeMessage(deps, call, messageId, async (tx, message) => {
    if (message.assignedTo === operatorId) return undefined;
    if (operatorId !== null) {
      const [operator] = await tx.select({ disabledAt: operators.disabledAt }).from(operators).where(eq(operators.userId, operatorId));
      if (operator?.disabledAt !== null) {
        throw new AppError('impossible', 'desk.not_an_operator', 'Choose an operator from the list.', { field: 'operator_id' });
      }
    }
    await tx.update(contactMessages).set({ assignedTo: operatorId }).where(eq(contactMessages.id, messageId));
    return { action: 'contact_message.assigned', after: { operator_id: operatorId } };
  });
}

export function setMessageState(
  deps: AppDeps,
  call: Sender & { readonly input: EndpointInput<typeof operatorMessagesApi.setState> },
): Promise<{ done: true }> {
  const { message_id: messageId, state } = call.input;
  return changeMessage(deps, call, messageId, async (tx, message) => {
    if (message.state === state) return undefined;
    const closedAt = state === 'closed' ? deps.clock.now() : null;
    await tx.update(contactMessages).set({ state, closedAt }).where(eq(contactMessages.id, messageId));
    return { action: `contact_message.${state === 'closed' ? 'closed' : 'reopened'}` };
  });
}
