/**
 * The emails of a practice's queue that aren't messages: they leave through the practice's mailbox, each at most once
 * (docs/decisions/0090-emails-through-the-mailbox.md). Without a mailbox our own queue sends them.
 */
import { randomUUID } from 'node:crypto';
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientEmails } from '@portal/db/schema/schema.ts';
import { and, asc, eq, inArray, isNotNull, sql } from '@portal/db/sql.ts';
import type { ClientEmailNeed, ClientEmailStatus } from '@portal/domain/messages/client-email-status.ts';
import type { MessageRoute } from '@portal/domain/messages/sending-limits.ts';
import type { AppDeps } from '../../app-deps.ts';
import { addLogo } from '../../mail/add-logo.ts';
import { buildMessage } from '../../mail/build-message.ts';
import { enqueueMail } from '../../mail/enqueue-email.ts';
import type { OutgoingEmail } from '../../mail/mailer.ts';
import { repeatAfterOutage } from '../../repeat-after-outage.ts';
import type { Mailbox } from '../mailbox/mailbox-tokens.ts';
import { LOST_REASON, SAVE_RESULT_MS, type AttemptEnd } from '../messages/message-attempts.ts';
import type { QueueItem, StartedAttempt } from '../messages/queue-item.ts';
import { notify } from '../staff-notifications/notify.ts';
import { findCurrentAuthor } from '../team/find-current-author.ts';
import { createAuthor, findPracticeName } from './email-author.ts';
import { isEmail, toSealContext, type EmailKey } from './email-key.ts';

type EmailAttempt = EmailKey & { readonly attemptId: string };
type EmailRow = typeof clientEmails.$inferSelect;

/** What an email needs is still open. See ClientEmailNeed. */
const NEEDS: Readonly<Record<ClientEmailNeed, string>> = {
  request: `select from client_requests r join client_request_items i on i.company_id = r.company_id and i.request_id = r.id
    where r.company_id = client_emails.company_id and r.id = client_emails.needed_for_id and r.cancelled_at is null
      and i.state in ('open', 'returned')`,
  approval: `select from return_approvals a where a.company_id = client_emails.company_id and a.id = client_emails.needed_for_id
      and a.state = 'sent' and a.ended_at is null`,
  letter: `select from engagement_letters l where l.company_id = client_emails.company_id and l.id = client_emails.needed_for_id
      and l.signed_at is null and l.superseded_at is null`,
  proposal: `select from advance_proposals p where p.company_id = client_emails.company_id and p.id = client_emails.needed_for_id
      and p.started_at is null and p.ended_at is null`,
};
const IS_NEEDED = sql<boolean>`case needed_for ${sql.raw(
  Object.entries(NEEDS)
    .map(([need, rows]) => `when '${need}' then exists (${rows})`)
    .join(' '),
)} else true end`;
const HAS_ACCESS = sql<boolean>`exists (select from client_people p join users u on u.id = p.user_id
  where p.company_id = client_emails.company_id and p.client_id = client_emails.client_id and lower(u.email) = lower(client_emails.email))`;

export async function findNextEmail(deps: AppDeps, companyId: string): Promise<QueueItem | undefined> {
  const [next] = await deps.database.db
    .select({ email: clientEmails, isNeeded: IS_NEEDED, hasAccess: HAS_ACCESS })
    .from(clientEmails)
    .where(and(eq(clientEmails.companyId, companyId), eq(clientEmails.status, 'queued'), isNotNull(clientEmails.sealed)))
    .orderBy(asc(clientEmails.createdAt), asc(clientEmails.id))
    .limit(1);
  if (!next) return undefined;
  const mail = openEmail(deps, next.email);
  return {
    to: next.email.email,
    notBefore: next.email.notBefore,
    outdated: getOutdatedReason(deps, next),
    isEssential: mail.sentFor?.isEssential === true,
    usesReserve: true,
    end: (status, reason) => endUnattempted(deps, next.email, reason, status === 'failed'),
    handOver: () => handOver(deps, next.email, mail),
    start: (route, sentFrom) => startAttempt(deps, next.email, mail, { route, sentFrom }),
  };
}

function openEmail({ tokenCipher }: AppDeps, row: EmailRow): OutgoingEmail {
  if (row.sealed === null) throw new Error('an email is waiting without its text');
  return JSON.parse(tokenCipher.open(row.sealed, toSealContext(row))) as OutgoingEmail;
}

type NextEmail = { readonly email: EmailRow; readonly isNeeded: boolean; readonly hasAccess: boolean };

/** An email can wait for days. What it says may then be over, and its reader may no longer see the client's figures. */
function getOutdatedReason({ clock }: AppDeps, { email, isNeeded, hasAccess }: NextEmail): string | undefined {
  if (!hasAccess) return `${email.email} no longer had access to the client when it could be sent.`;
  const isOver = email.neededUntil !== null && email.neededUntil < clock.today();
  return isOver || !isNeeded ? 'It had been answered, withdrawn or overtaken before it could be sent.' : undefined;
}

/** What has become pointless needs no one's attention; an address that bounced does. */
async function endUnattempted(deps: AppDeps, key: EmailKey, reason: string, needsAttention: boolean): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const endedEmails = await tx
      .update(clientEmails)
      .set({ status: 'not_sent', reason, endedAt: deps.clock.now(), sealed: null })
      .where(and(isEmail(key), eq(clientEmails.status, 'queued')))
      .returning();
    if (needsAttention) await notifySenders(deps, tx, endedEmails);
  });
}

/** The practice has disconnected its mailbox, so our server sends the email, and replies go to a person of the practice. */
async function handOver(deps: AppDeps, row: EmailRow, mail: OutgoingEmail): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const author = await createAuthor(deps, tx, row.companyId, row.sentBy);
    const handedOver = await tx
      .update(clientEmails)
      .set({ sealed: null, notBefore: null, replyTo: author.replyTo })
      .where(and(isEmail(row), eq(clientEmails.status, 'queued'), isNotNull(clientEmails.sealed)))
      .returning({ id: clientEmails.id });
    if (handedOver.length > 0) await enqueueMail(deps, tx, { ...mail, author });
  });
}

async function startAttempt(
  deps: AppDeps,
  { companyId, id }: EmailRow,
  mail: OutgoingEmail,
  via: { readonly route: MessageRoute; readonly sentFrom: string },
): Promise<StartedAttempt | undefined> {
  const attempt: EmailAttempt = { companyId, id, attemptId: randomUUID() };
  const complete = await addLogo(deps.database.db, mail);
  const practice = await findPracticeName(deps.database.db, companyId);
  const started = await deps.database.db
    .update(clientEmails)
    .set({ ...via, status: 'sending', attemptId: attempt.attemptId, attemptedAt: deps.wallClock.now(), notBefore: null, reason: null })
    .where(and(isEmail(attempt), eq(clientEmails.status, 'queued')))
    .returning({ id: clientEmails.id });
  if (started.length === 0) return undefined;
  return {
    send: async (through) => {
      if (!through) throw new Error('an email can only be sent by this queue through a mailbox');
      await sendEmail(deps, { ...through, practice }, complete, attempt.attemptId);
    },
    end: (end) => endAttempt(deps, attempt, end),
  };
}

type Through = { readonly mailbox: Mailbox; readonly accessToken: string; readonly practice: string };

async function sendEmail(
  deps: AppDeps,
  { mailbox, accessToken, practice }: Through,
  mail: OutgoingEmail,
  attemptId: string,
): Promise<void> {
  const client = deps.mailboxes[mailbox.provider];
  // The token was read with this client a moment ago, so the client exists.
  if (!client) throw new Error(`${mailbox.provider} isn’t set up`);
  const from = { name: practice, address: mailbox.address };
  await client.sender.send(accessToken, await buildMessage({ ...mail, from, isAutomatic: true }, attemptId));
}

const STATUSES: Readonly<Record<AttemptEnd['status'], ClientEmailStatus>> = {
  sent: 'sent',
  failed: 'not_sent',
  unknown: 'unknown',
  queued: 'queued',
};

/** Also ends an attempt that another process assumed lost, unless someone has decided about it. */
async function endAttempt(deps: AppDeps, attempt: EmailAttempt, end: AttemptEnd): Promise<void> {
  const isOpen = and(isEmail(attempt), eq(clientEmails.attemptId, attempt.attemptId), inArray(clientEmails.status, ['sending', 'unknown']));
  const status = STATUSES[end.status];
  const change =
    end.status === 'queued'
      ? { status, attemptId: null, attemptedAt: null, route: null, sentFrom: null, notBefore: end.notBefore ?? null, endedAt: null }
      : {
          status,
          endedAt: deps.clock.now(),
          reason: 'reason' in end ? end.reason : null,
          // A person may still send it again if it may not have arrived.
          ...(end.status === 'sent' && { sealed: null }),
        };
  await repeatAfterOutage(deps, SAVE_RESULT_MS, () =>
    deps.database.db.transaction(async (tx) => {
      const endedEmails = await tx.update(clientEmails).set(change).where(isOpen).returning();
      if (end.status === 'failed' || end.status === 'unknown') await notifySenders(deps, tx, endedEmails);
    }),
  );
}

/** Ends attempts whose process died, with an unknown outcome. Only the job that sends a practice's emails may call this. */
export async function endLostEmails(deps: AppDeps, companyId: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const lostEmails = await tx
      .update(clientEmails)
      .set({ status: 'unknown', endedAt: deps.clock.now(), reason: LOST_REASON })
      .where(and(eq(clientEmails.companyId, companyId), eq(clientEmails.status, 'sending'), isNotNull(clientEmails.sealed)))
      .returning();
    await notifySenders(deps, tx, lostEmails);
  });
}

async function notifySenders(deps: AppDeps, tx: Tx, endedEmails: readonly EmailRow[]): Promise<void> {
  for (const { companyId, id, clientId, attemptId, status, subject, sentBy } of endedEmails) {
    const title =
      status === 'unknown'
        ? 'An email to a client may have been sent. Decide whether to send it again'
        : 'An email wasn’t sent to a client';
    await notify(deps, tx, companyId, [
      {
        kind: 'message_not_sent',
        key: `${attemptId ?? id} ${status}`,
        clientId,
        title: `${title}: ${subject}`,
        path: `${PAGES.clientDashboard.path}?company_id=${companyId}&client_id=${clientId}`,
        userIds: [await findCurrentAuthor(tx, companyId, sentBy)].filter((userId) => userId !== null),
      },
    ]);
  }
}
