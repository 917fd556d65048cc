/**
 * Sends a practice's due emails sequentially, each at most once (docs/decisions/0053-messages-and-mailboxes.md): the attempt is committed
 * before the call and its result afterwards. An attempt without a result is never repeated automatically.
 */
import { clientEmails, clientMessageRecipients as recipients } from '@portal/db/schema/schema.ts';
import { and, desc, eq, sql } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { findNextSendAt, getSendingLimits, type MessageRoute } from '@portal/domain/messages/sending-limits.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { describeUndeliverableAddress, findUndeliverableAddress } from '../../mail/undeliverable-addresses.ts';
import { endLostEmails, findNextEmail } from '../client-emails/email-queue.ts';
import { findMailbox } from '../mailbox/find-mailbox.ts';
import { findMailboxToken, type Mailbox, markMailboxLost } from '../mailbox/mailbox-tokens.ts';
import { isConnectedToHmrc } from '../practice/is-connected-to-hmrc.ts';
import { enqueueSending } from './enqueue-sending.ts';
import { endLostAttempts } from './message-attempts.ts';
import { findNextMessage } from './message-queue.ts';
import type { QueueItem, StartedAttempt } from './queue-item.ts';

/** Short, so that other jobs can run and a shutdown doesn't wait long. */
const TIME_BUDGET_MS = 15_000;
/** Used when the provider asks us to wait and doesn't say how long. */
const DEFAULT_WAIT_MS = 60_000;
const DAY_MS = 86_400_000;

/** `token` is `rejected` when the provider has just rejected it, and `renewed` after that. */
type Run = { readonly companyId: string; token: 'usual' | 'rejected' | 'renewed' };

/** Nothing more can be sent now. The sweep continues later. */
const WAIT_OUTCOME = 'wait';

export async function sendMessages(deps: AppDeps, companyId: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + TIME_BUDGET_MS;
  const run: Run = { companyId, token: 'usual' };
  await endLostAttempts(deps, companyId);
  await endLostEmails(deps, companyId);
  for (;;) {
    if (signal.aborted) return;
    // Emails about one matter first: a message to thousands of clients takes days.
    const next = (await findNextEmail(deps, companyId)) ?? (await findNextMessage(deps, companyId));
    if (!next) return;
    if (performance.now() > deadline) return enqueueSending(deps, deps.database.db, companyId);
    if ((await sendToNextRecipient(deps, run, next)) === WAIT_OUTCOME) return;
  }
}

async function sendToNextRecipient(deps: AppDeps, run: Run, next: QueueItem): Promise<typeof WAIT_OUTCOME | undefined> {
  const { companyId } = run;
  const { db } = deps.database;
  if (next.outdated !== undefined) return endNextRecipient(next, 'cancelled', next.outdated);
  const undeliverableReason = next.isEssential ? undefined : await findUndeliverableAddress(db, companyId, next.to);
  if (undeliverableReason) return endNextRecipient(next, 'failed', describeUndeliverableAddress(undeliverableReason));
  const mailbox = await findMailbox(db, companyId);
  if (mailbox?.status === 'lost') return WAIT_OUTCOME;
  if (!mailbox && next.handOver) {
    await next.handOver();
    return undefined;
  }
  const route = mailbox?.provider ?? 'smtp';
  const sentFrom = mailbox?.address ?? deps.mailer.address;
  if (await shouldWait(deps, companyId, next, route, sentFrom)) return WAIT_OUTCOME;
  const accessToken = mailbox && (await tryGetToken(deps, mailbox, run));
  if (mailbox && accessToken === undefined) return WAIT_OUTCOME;
  const attempt = await next.start(route, sentFrom);
  if (!attempt) return undefined;
  try {
    await attempt.send(mailbox && accessToken !== undefined ? { mailbox, accessToken } : undefined);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return endFailedAttempt(deps, run, attempt, mailbox, error);
  }
  await attempt.end({ status: 'sent' });
  return undefined;
}

async function endNextRecipient(next: QueueItem, status: 'cancelled' | 'failed', reason: string): Promise<undefined> {
  await next.end(status, reason);
  return undefined;
}

/** The provider’s limits and its request to wait apply across all instances, because attempts are stored in the database. */
async function shouldWait(
  deps: AppDeps,
  companyId: string,
  { notBefore, usesReserve }: QueueItem,
  route: MessageRoute,
  address: string,
): Promise<boolean> {
  const now = deps.wallClock.now();
  if (notBefore !== null && notBefore > now) return true;
  const { db } = deps.database;
  const { perMinute, perDay, reservePerDay } = getSendingLimits(route, address, await isConnectedToHmrc(db, companyId));
  const findAttempt = (limit: number) => findEarlierAttempt(deps, { companyId, route, since: addMilliseconds(now, -DAY_MS) }, limit);
  const earlierAttempts = {
    minuteAgo: await findAttempt(perMinute),
    dayAgo: await findAttempt(usesReserve ? perDay + reservePerDay : perDay),
    unknown: await findEarlierAttempt(deps, { companyId, route, since: addMilliseconds(now, -DAY_MS), isUnknown: true }, 1),
  };
  return findNextSendAt(earlierAttempts, now) !== undefined;
}

type Attempts = { readonly companyId: string; readonly route: MessageRoute; readonly since: Instant; readonly isUnknown?: true };

/** Returns the time of the attempt that many attempts ago, of messages and other emails together. */
async function findEarlierAttempt(
  { database: { db } }: AppDeps,
  { companyId, route, since, isUnknown }: Attempts,
  count: number,
): Promise<Instant | null> {
  const list = (table: typeof recipients | typeof clientEmails) =>
    db
      .select({ at: table.attemptedAt })
      .from(table)
      .where(
        and(
          eq(table.companyId, companyId),
          eq(table.route, route),
          sql`${table.attemptedAt} > ${since}`,
          isUnknown ? eq(table.status, 'unknown') : undefined,
        ),
      );
  const [row] = await list(recipients)
    .unionAll(list(clientEmails))
    .orderBy(desc(recipients.attemptedAt))
    .offset(count - 1)
    .limit(1);
  return row?.at ?? null;
}

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
  attempt: StartedAttempt,
  mailbox: Mailbox | undefined,
  error: ProviderError,
): Promise<typeof WAIT_OUTCOME | undefined> {
  const { detail, code, status, retryAfterSeconds } = error.facts;
  const reason = detail ?? code ?? null;
  deps.logger.warn({ err: error, companyId: run.companyId }, 'an email to a client was not sent');
  switch (error.failure) {
    case 'refused':
      await attempt.end({ status: 'failed', reason });
      return undefined;
    case 'unknown':
      await attempt.end({ status: 'unknown', reason });
      return undefined;
    case 'throttled':
    case 'unavailable': {
      const waitMs = retryAfterSeconds === undefined ? DEFAULT_WAIT_MS : retryAfterSeconds * 1000;
      await attempt.end({ status: 'queued', notBefore: addMilliseconds(deps.wallClock.now(), waitMs) });
      return WAIT_OUTCOME;
    }
    case 'unauthorized':
      await attempt.end({ status: 'queued' });
      if (!mailbox) return WAIT_OUTCOME;
      if (run.token === 'usual') {
        run.token = 'rejected';
        return undefined;
      }
      await markMailboxLost(deps, mailbox, status === 403 ? 'no_scope' : 'refused', error);
      return WAIT_OUTCOME;
  }
}
