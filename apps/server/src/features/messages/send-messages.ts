/**
 * Sends a practice's due messages sequentially, each at most once (docs/decisions/0053-messages-and-mailboxes.md): the attempt is committed
 * before the call and its result afterwards. An attempt without a result is never repeated automatically.
 */
import { randomUUID } from 'node:crypto';
import { clientMessageRecipients as recipients, clientMessages, clients } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq, inArray, lte, sql } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { findNextSendAt, getSendingLimits, type MessageRoute } from '@portal/domain/messages/sending-limits.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { describeUndeliverable, findUndeliverable } from '../../mail/undeliverable-addresses.ts';
import { findMailbox } from '../mailbox/find-mailbox.ts';
import { findMailboxToken, type Mailbox, markMailboxLost } from '../mailbox/mailbox-tokens.ts';
import { isConnectedToHmrc } from '../practice/is-connected-to-hmrc.ts';
import { enqueueSending } from './enqueue-sending.ts';
import { loadAuthor, sendByMailbox, sendFromPortal } from './message-route.ts';
import { endAttempt, endLostAttempts, publishOutcome, startAttempt, type MessageAttempt } from './message-attempts.ts';

/** Short, so that other jobs can run and a shutdown doesn't wait long. */
const TIME_BUDGET_MS = 15_000;
/** Used when the provider asks us to wait and doesn't say how long. */
const DEFAULT_WAIT_MS = 60_000;

/** `token` is `rejected` when the provider has just rejected it, and `renewed` after that. */
type Run = { readonly companyId: string; token: 'usual' | 'rejected' | 'renewed' };

/** Nothing more can be sent now. The sweep continues later. */
const WAIT_OUTCOME = 'wait';

export async function sendMessages(deps: AppDeps, companyId: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + TIME_BUDGET_MS;
  const run: Run = { companyId, token: 'usual' };
  await endLostAttempts(deps, companyId);
  for (;;) {
    if (signal.aborted) return;
    const next = await findNext(deps, companyId);
    if (!next) return;
    if (performance.now() > deadline) return enqueueSending(deps, deps.database.db, companyId);
    if ((await sendNext(deps, run, next)) === WAIT_OUTCOME) return;
  }
}

/** HMRC's link is useless once its request has been accepted, cancelled or replaced, or has expired. */
const isOutdated = (today: PlainDate) => sql<boolean>`exists (select from authorisation_emails e
  left join client_authorisations a on a.company_id = e.company_id and a.client_id = e.client_id and a.tax = e.tax
    and a.invitation_id = e.invitation_id and a.status = 'link_sent' and a.expires_on > ${today}::date
  where e.company_id = ${recipients.companyId} and e.message_id = ${recipients.messageId} and e.client_id = ${recipients.clientId}
    and a.client_id is null)`;

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
    })
    .from(recipients)
    .innerJoin(clientMessages, and(eq(clientMessages.companyId, recipients.companyId), eq(clientMessages.id, recipients.messageId)))
    .innerJoin(clients, and(eq(clients.companyId, recipients.companyId), eq(clients.id, recipients.clientId)))
    .where(and(eq(recipients.companyId, companyId), eq(recipients.status, 'queued'), lte(clientMessages.sendAt, clock.now())))
    .orderBy(desc(clientMessages.isTest), asc(clientMessages.sendAt), asc(clientMessages.id), asc(recipients.position))
    .limit(1);
  return next;
}

async function sendNext(deps: AppDeps, run: Run, next: NextRecipient): Promise<typeof WAIT_OUTCOME | undefined> {
  const { companyId } = run;
  const { db } = deps.database;
  if (!next.isCurrent) return cancelNext(deps, companyId, next, 'The client was archived or closed before the message was sent.');
  if (next.isOutdated) return cancelNext(deps, companyId, next, 'The request was answered or ended before the email was sent.');
  const undeliverable = await findUndeliverable(db, companyId, next.to);
  if (undeliverable) return failNext(deps, companyId, next, describeUndeliverable(undeliverable));
  const mailbox = await findMailbox(db, companyId);
  if (mailbox?.status === 'lost') return WAIT_OUTCOME;
  const route = mailbox?.provider ?? 'smtp';
  const sentFrom = mailbox?.address ?? deps.mailer.address;
  if (await shouldWait(deps, companyId, next, route, sentFrom)) return WAIT_OUTCOME;
  const token = mailbox && (await tryGetToken(deps, mailbox, run));
  if (mailbox && token === undefined) return WAIT_OUTCOME;
  const author = await loadAuthor(db, companyId, next.authorId);
  const attempt: MessageAttempt = { companyId, messageId: next.messageId, clientId: next.clientId, attemptId: randomUUID() };
  if (!(await startAttempt(deps, attempt, route, sentFrom))) return undefined;
  try {
    const outgoing = { ...next, attempt };
    await (mailbox && token !== undefined ? sendByMailbox(deps, mailbox, token, author, outgoing) : sendFromPortal(deps, author, outgoing));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return endFailedAttempt(deps, run, attempt, mailbox, error);
  }
  await endAttempt(deps, attempt, { status: 'sent' });
  return undefined;
}

/** The provider’s limits and its request to wait apply across all instances, because attempts are stored in the database. */
async function shouldWait(
  deps: AppDeps,
  companyId: string,
  { notBefore }: NextRecipient,
  route: MessageRoute,
  address: string,
): Promise<boolean> {
  const now = deps.wallClock.now();
  if (notBefore !== null && notBefore > now) return true;
  const { db } = deps.database;
  const { perMinute, perDay } = getSendingLimits(route, address, await isConnectedToHmrc(db, companyId));
  const at = recipients.attemptedAt;
  const isOnRoute = and(eq(recipients.companyId, companyId), eq(recipients.route, route), sql`${at} > ${addMilliseconds(now, -DAY_MS)}`);
  const findAttempt = async (limit: number) => {
    const [row] = await db
      .select({ at })
      .from(recipients)
      .where(isOnRoute)
      .orderBy(desc(at))
      .offset(limit - 1)
      .limit(1);
    return row?.at ?? null;
  };
  const [unknownAttempt] = await db
    .select({ at })
    .from(recipients)
    .where(and(isOnRoute, eq(recipients.status, 'unknown')))
    .orderBy(desc(at))
    .limit(1);
  const earlierAttempts = {
    minuteAgo: await findAttempt(perMinute),
    dayAgo: await findAttempt(perDay),
    unknown: unknownAttempt?.at ?? null,
  };
  return findNextSendAt(earlierAttempts, now) !== undefined;
}

const DAY_MS = 86_400_000;

/** Returns undefined if nothing can be sent now: the mailbox is lost, or the provider can’t be reached and the sweep tries again. */
async function tryGetToken(deps: AppDeps, mailbox: Mailbox, run: Run): Promise<string | undefined> {
  try {
    const token = await findMailboxToken(deps, mailbox, run.token === 'rejected');
    if (run.token === 'rejected') run.token = 'renewed';
    return token;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error, companyId: run.companyId }, 'a mailbox’s token could not be renewed; its messages are on hold');
    return undefined;
  }
}

async function endFailedAttempt(
  deps: AppDeps,
  run: Run,
  attempt: MessageAttempt,
  mailbox: Mailbox | undefined,
  error: ProviderError,
): Promise<typeof WAIT_OUTCOME | undefined> {
  const { detail, code, status, retryAfterSeconds } = error.facts;
  const reason = detail ?? code ?? null;
  deps.logger.warn({ err: error, companyId: attempt.companyId, messageId: attempt.messageId }, 'a message to a client was not sent');
  switch (error.failure) {
    case 'refused':
      await endAttempt(deps, attempt, { status: 'failed', reason });
      return undefined;
    case 'unknown':
      await endAttempt(deps, attempt, { status: 'unknown', reason });
      return undefined;
    case 'throttled':
    case 'unavailable': {
      const waitMs = retryAfterSeconds === undefined ? DEFAULT_WAIT_MS : retryAfterSeconds * 1000;
      await endAttempt(deps, attempt, { status: 'queued', notBefore: addMilliseconds(deps.wallClock.now(), waitMs) });
      return WAIT_OUTCOME;
    }
    case 'unauthorized':
      await endAttempt(deps, attempt, { status: 'queued' });
      if (!mailbox) return WAIT_OUTCOME;
      if (run.token === 'usual') {
        run.token = 'rejected';
        return undefined;
      }
      await markMailboxLost(deps, mailbox, status === 403 ? 'no_scope' : 'refused', error);
      return WAIT_OUTCOME;
  }
}

const cancelNext = (deps: AppDeps, companyId: string, next: NextRecipient, reason: string) =>
  endNext(deps, companyId, next, 'cancelled', reason);
/** Fails without an attempt. A practice member may send again once the address is allowed again. */
const failNext = (deps: AppDeps, companyId: string, next: NextRecipient, reason: string) =>
  endNext(deps, companyId, next, 'failed', reason);

async function endNext(
  deps: AppDeps,
  companyId: string,
  { messageId, clientId }: NextRecipient,
  status: 'cancelled' | 'failed',
  reason: string,
): Promise<undefined> {
  await deps.database.db.transaction(async (tx) => {
    const endedMessages = await tx
      .update(recipients)
      .set({ status, endedAt: deps.clock.now(), reason })
      .where(
        and(
          eq(recipients.companyId, companyId),
          eq(recipients.messageId, messageId),
          eq(recipients.clientId, clientId),
          inArray(recipients.status, ['queued']),
        ),
      )
      .returning({ messageId: recipients.messageId, clientId: recipients.clientId });
    if (status === 'failed') await publishOutcome(deps, tx, companyId, endedMessages, status);
  });
  return undefined;
}
