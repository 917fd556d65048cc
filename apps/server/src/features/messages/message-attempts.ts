/** One attempt to send to one recipient: stored before the call, and ended only once. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientMessageRecipients as recipients, clientMessages } from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { MessageRoute } from '@portal/domain/messages/sending-limits.ts';
import type { AppDeps } from '../../app-deps.ts';
import { repeatAfterOutage } from '../../repeat-after-outage.ts';
import { findCurrentAuthor } from '../team/find-current-author.ts';
import { notify } from '../staff-notifications/notify.ts';
import { recordWebhooks } from '../webhooks/record-webhook.ts';

export type MessageAttempt = {
  readonly companyId: string;
  readonly messageId: string;
  readonly clientId: string;
  readonly attemptId: string;
};

/** How long saving the result of a call is retried while the database is unavailable. After that a practice member decides. */
export const SAVE_RESULT_MS = 100_000;

/** Shown where a practice member decides whether to send again. */
export const LOST_REASON = 'The portal stopped while sending.';

function isRecipient({ companyId, messageId, clientId }: MessageAttempt) {
  return and(eq(recipients.companyId, companyId), eq(recipients.messageId, messageId), eq(recipients.clientId, clientId));
}

/** Returns false if the recipient was cancelled in the meantime. */
export async function startAttempt(deps: AppDeps, attempt: MessageAttempt, route: MessageRoute, sentFrom: string): Promise<boolean> {
  const startedAttempts = await deps.database.db
    .update(recipients)
    .set({
      status: 'sending',
      attemptId: attempt.attemptId,
      attemptedAt: deps.wallClock.now(),
      route,
      sentFrom,
      notBefore: null,
      endedAt: null,
      reason: null,
    })
    .where(and(isRecipient(attempt), eq(recipients.status, 'queued')))
    .returning({ clientId: recipients.clientId });
  return startedAttempts.length > 0;
}

export type AttemptEnd =
  | { readonly status: 'sent' }
  | { readonly status: 'failed' | 'unknown'; readonly reason: string | null }
  /** The message was certainly not sent. */
  | { readonly status: 'queued'; readonly notBefore?: Instant };

/** Also ends an attempt that another process assumed lost, unless someone has decided about it. */
export async function endAttempt(deps: AppDeps, attempt: MessageAttempt, end: AttemptEnd): Promise<void> {
  const isOpen = and(isRecipient(attempt), eq(recipients.attemptId, attempt.attemptId), inArray(recipients.status, ['sending', 'unknown']));
  const change =
    end.status === 'queued'
      ? {
          status: end.status,
          attemptId: null,
          attemptedAt: null,
          route: null,
          sentFrom: null,
          notBefore: end.notBefore ?? null,
          endedAt: null,
        }
      : { status: end.status, endedAt: deps.clock.now(), reason: 'reason' in end ? end.reason : null };
  await repeatAfterOutage(deps, SAVE_RESULT_MS, () =>
    deps.database.db.transaction(async (tx) => {
      const endedRecipients = await tx.update(recipients).set(change).where(isOpen).returning(RECIPIENT);
      if (end.status === 'failed' || end.status === 'unknown')
        await publishOutcome(deps, tx, attempt.companyId, endedRecipients, end.status);
      else if (end.status !== 'queued') await recordOutcomes(deps, tx, attempt.companyId, endedRecipients, end.status);
    }),
  );
}

const RECIPIENT = { messageId: recipients.messageId, clientId: recipients.clientId };
type Recipient = Pick<MessageAttempt, 'messageId' | 'clientId'>;

export async function recordOutcomes(
  deps: AppDeps,
  tx: Tx,
  companyId: string,
  endedRecipients: readonly Recipient[],
  status: string,
): Promise<void> {
  if (endedRecipients.length === 0) return;
  const data = endedRecipients.map(({ messageId, clientId }) => ({ message_id: messageId, client_id: clientId, status }));
  await recordWebhooks(tx, { companyId, event: 'message.outcome', at: deps.clock.now(), data });
}

/** Notifies webhooks and the author that a message wasn't sent or that its outcome is unknown. */
export async function publishOutcome(
  deps: AppDeps,
  tx: Tx,
  companyId: string,
  endedRecipients: readonly Recipient[],
  status: 'failed' | 'unknown',
): Promise<void> {
  await recordOutcomes(deps, tx, companyId, endedRecipients, status);
  await notifyAuthors(deps, tx, companyId, endedRecipients, status);
}

/** Ends attempts whose process died, with an unknown outcome. Only the job that sends a practice's messages may call this. */
export async function endLostAttempts(deps: AppDeps, companyId: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const lostAttempts = await tx
      .update(recipients)
      .set({ status: 'unknown', endedAt: deps.clock.now(), reason: LOST_REASON })
      .where(and(eq(recipients.companyId, companyId), eq(recipients.status, 'sending')))
      .returning(RECIPIENT);
    await publishOutcome(deps, tx, companyId, lostAttempts, 'unknown');
  });
}

/** Notifies once for each message and outcome, however many clients it concerns. */
async function notifyAuthors(
  deps: AppDeps,
  tx: Tx,
  companyId: string,
  endedRecipients: readonly { readonly messageId: string }[],
  outcome: 'failed' | 'unknown',
): Promise<void> {
  if (endedRecipients.length === 0) return;
  const messages = await tx
    .select({ id: clientMessages.id, subject: clientMessages.subject, createdBy: clientMessages.createdBy })
    .from(clientMessages)
    .where(
      and(
        eq(clientMessages.companyId, companyId),
        inArray(clientMessages.id, [...new Set(endedRecipients.map(({ messageId }) => messageId))]),
        eq(clientMessages.isTest, false),
      ),
    );
  const authors = new Map<string, string>();
  for (const { createdBy } of messages) authors.set(createdBy, await findCurrentAuthor(tx, companyId, createdBy));
  const title =
    outcome === 'failed'
      ? 'A message wasn’t sent to a client'
      : 'A message to a client may have been sent. Decide whether to send it again';
  await notify(
    deps,
    tx,
    companyId,
    messages.map(({ id, subject, createdBy }) => ({
      kind: 'message_not_sent',
      key: `${id} ${outcome}`,
      title: `${title}: ${subject}`,
      path: `${PAGES.practiceMessages.path}?company_id=${companyId}&message_id=${id}`,
      userIds: [authors.get(createdBy) ?? createdBy],
    })),
  );
}
