/** Cancels a message, or sends it again to one of its clients. */
import type { messagesApi } from '@portal/contract/messages.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientMessageRecipients as recipients, clientMessages } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { canResend } from '@portal/domain/messages/message-status.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { assertDeliverable } from '../../mail/undeliverable-addresses.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { enqueueSending } from './enqueue-sending.ts';
import { isOwnMessage } from './messages-queries.ts';

/** Messages already sent, or being sent now, are unaffected. */
export function cancelMessage(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof messagesApi.cancel>,
): Promise<{ cancelled: number }> {
  const companyId = tenant.practiceId;
  const { message_id: id } = input;
  return deps.database.db.transaction(async (tx) => {
    await assertMessage(tx, companyId, id, actor);
    const at = deps.clock.now();
    const cancelledRecipients = await tx
      .update(recipients)
      .set({ status: 'cancelled', endedAt: at })
      .where(and(eq(recipients.companyId, companyId), eq(recipients.messageId, id), eq(recipients.status, 'queued')))
      .returning({ clientId: recipients.clientId });
    if (cancelledRecipients.length === 0) return { cancelled: 0 };
    await tx
      .update(clientMessages)
      .set({ cancelledAt: at, cancelledBy: actor.userId })
      .where(and(eq(clientMessages.companyId, companyId), eq(clientMessages.id, id)));
    const after = { recipients: cancelledRecipients.length };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'message.cancelled', subject: id, after, ip: caller.ip });
    return { cancelled: cancelledRecipients.length };
  });
}

/** A client is never sent a message twice automatically: a practice member must decide. */
export function repeatMessage(deps: AppDeps, { input, tenant, actor, caller }: Call<typeof messagesApi.repeat>): Promise<{ done: true }> {
  const companyId = tenant.practiceId;
  const { message_id: messageId, client_id: clientId } = input;
  return deps.database.db.transaction(async (tx) => {
    await assertMessage(tx, companyId, messageId, actor);
    const isRecipient = and(eq(recipients.companyId, companyId), eq(recipients.messageId, messageId), eq(recipients.clientId, clientId));
    const [row] = await tx
      .select({ status: recipients.status, email: recipients.email })
      .from(recipients)
      .where(and(isRecipient, isVisibleTo(actor, recipients.companyId, recipients.clientId)))
      .for('update');
    if (!row) throw createNotFoundError();
    if (!canResend(row.status)) {
      const message = 'You can only resend a message that failed or may have been sent. Reload to see its current status.';
      throw new AppError('conflict', 'messages.not_repeatable', message);
    }
    await assertDeliverable(tx, companyId, row.email);
    // A new attempt, so a late result of the earlier one no longer counts.
    await tx.update(recipients).set({ status: 'queued', attemptId: null, endedAt: null, reason: null, notBefore: null }).where(isRecipient);
    const at = deps.clock.now();
    const change = { before: { status: row.status }, after: { client: clientId } };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'message.repeated', subject: messageId, ...change, ip: caller.ip });
    await enqueueSending(deps, tx, companyId);
    return { done: true as const };
  });
}

async function assertMessage(tx: Tx, companyId: string, id: string, actor: Actor): Promise<void> {
  const [message] = await tx
    .select({ id: clientMessages.id })
    .from(clientMessages)
    .where(and(eq(clientMessages.companyId, companyId), eq(clientMessages.id, id), isOwnMessage(actor)));
  if (!message) throw createNotFoundError();
}
