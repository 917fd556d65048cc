/**
 * Queues an email with the link of an HMRC authorisation request as a message to the client
 * (docs/decisions/0053-messages-and-mailboxes.md), in the transaction that stores the request.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { authorisationEmails as emails, clientMessageRecipients, clientMessages } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { composeRequestEmail, type RequestEmailBlocker, type RequestEmailKind } from '@portal/domain/authorisations/request-email.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { TAX_NAMES, type AgentTax } from '@portal/domain/uk-tax/tax.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { selectClientAddress } from '../messages/client-address-sql.ts';
import { enqueueSending } from '../messages/enqueue-sending.ts';

export type RequestKey = { readonly companyId: string; readonly clientId: string; readonly tax: AgentTax };

export type QueuedEmail = {
  readonly kind: RequestEmailKind;
  /** The user who receives replies and is notified if the email fails. */
  readonly requestedBy: string;
  /** The message that contains the email. All clients of a run share one. */
  readonly messageId: string;
  /** A user's ID, or "rules". */
  readonly actor: string;
  readonly ip?: string;
};

/**
 * Queues the email unless this request already had one of its kind. Returns null if it was queued, otherwise the information that is
 * missing.
 */
export async function queueRequestEmail(
  deps: AppDeps,
  tx: Tx,
  key: RequestKey,
  { kind, requestedBy, messageId, actor, ip }: QueuedEmail,
): Promise<RequestEmailBlocker | null | 'had_before'> {
  const request = await findRequest(tx, key, requestedBy);
  if (!request) return 'had_before';
  const id = kind === 'repeat' ? messageId : randomUUID();
  const { companyId, clientId, tax } = key;
  const blocker = findBlocker(request);
  const invitationId = request.invitation_id;
  const row = { companyId, id, clientId, tax, invitationId, kind, requestedBy, createdAt: deps.clock.now(), messageId: null, gap: blocker };
  const insertedEmails = await tx.insert(emails).values(row).onConflictDoNothing().returning({ id: emails.id });
  if (insertedEmails.length === 0) return 'had_before';
  if (blocker === null) await writeMessage(deps, tx, key, { id, kind, requestedBy, messageId }, request);
  await recordAudit(tx, {
    companyId,
    at: deps.clock.now(),
    actor,
    action: blocker === null ? 'authorisation_request.emailed' : 'authorisation_request.not_emailed',
    subject: clientId,
    after: { tax, request: invitationId, kind, ...(blocker === null ? { message: messageId } : { reason: blocker }) },
    ...(ip === undefined ? {} : { ip }),
  });
  return blocker;
}

/** Queues the email that waited for HMRC's link, now that HMRC has issued it. */
export async function queueWaitingEmail(deps: AppDeps, tx: Tx, key: RequestKey): Promise<void> {
  const [waitingEmail] = await tx
    .select()
    .from(emails)
    .where(
      and(
        eq(emails.companyId, key.companyId),
        eq(emails.clientId, key.clientId),
        eq(emails.tax, key.tax),
        eq(emails.gap, 'no_link'),
        isNow(),
      ),
    )
    .for('update');
  if (!waitingEmail) return;
  const { id, kind, requestedBy, companyId } = waitingEmail;
  const request = await findRequest(tx, key, requestedBy);
  if (!request || findBlocker(request) === 'no_link') return;
  const blocker = findBlocker(request);
  if (blocker === null) return writeMessage(deps, tx, key, { id, kind, requestedBy, messageId: randomUUID() }, request);
  await tx
    .update(emails)
    .set({ gap: blocker })
    .where(and(eq(emails.companyId, companyId), eq(emails.id, id)));
}

/** The email belongs to the authorisation request that is currently pending. */
const isNow =
  () => sql`exists (select from client_authorisations a where a.company_id = ${emails.companyId} and a.client_id = ${emails.clientId}
  and a.tax = ${emails.tax} and a.invitation_id = ${emails.invitationId} and a.status = 'link_sent')`;

type Request = {
  readonly invitation_id: string;
  readonly url: string | null;
  readonly expires_on: PlainDate | null;
  readonly email: string | null;
  readonly client: string;
  readonly practice: string;
  readonly sender: string;
};

async function findRequest(tx: Tx, { companyId, clientId, tax }: RequestKey, requestedBy: string): Promise<Request | undefined> {
  const { rows } = await tx.execute<Request>(sql`
    select a.invitation_id, a.client_action_url as url, a.expires_on::text as expires_on, ${selectClientAddress()} as email, c.name as client,
      o.name as practice, (select u.full_name from users u where u.id = ${requestedBy}::uuid) as sender
    from client_authorisations a join clients c on c.company_id = a.company_id and c.id = a.client_id join companies o on o.id = a.company_id
    where a.company_id = ${companyId}::uuid and a.client_id = ${clientId}::uuid and a.tax = ${tax} and a.status = 'link_sent'
      and a.invitation_id is not null and c.status not in ('inactive', 'closed')
    for update of a`);
  return rows[0];
}

function findBlocker({ url, expires_on: expiresOn, email }: Request): RequestEmailBlocker | null {
  return url === null || expiresOn === null ? 'no_link' : email === null ? 'no_email' : null;
}

type QueuedMessage = { readonly id: string; readonly kind: RequestEmailKind; readonly requestedBy: string; readonly messageId: string };

async function writeMessage(deps: AppDeps, tx: Tx, key: RequestKey, { id, kind, requestedBy, messageId }: QueuedMessage, request: Request) {
  const { companyId, clientId, tax } = key;
  const { url, expires_on: expiresOn, email, client, practice, sender } = request;
  if (url === null || expiresOn === null || email === null) throw new Error('an email of a request was written with a gap');
  const at = deps.clock.now();
  const isReminder = kind === 'reminder';
  const facts = { isReminder, tax, practice, sender, expiresOn };
  // All clients of a run share one message, so its text has placeholders for the client's name and link.
  const sharedContent = composeRequestEmail({ ...facts, client: '{client}', url: '{link}' });
  const message = { companyId, id: messageId, createdBy: requestedBy, createdAt: at, sendAt: at, leftOut: 0 };
  const subject = `${isReminder ? 'Authorisation request reminder' : 'Authorisation request'}: ${TAX_NAMES[tax]}`;
  await tx
    .insert(clientMessages)
    .values({ ...message, subject, body: sharedContent.body })
    .onConflictDoNothing();
  const emailContent = composeRequestEmail({ ...facts, client, url });
  const position = sql<number>`(select count(*)::int from client_message_recipients r where r.company_id = ${companyId}::uuid and r.message_id = ${messageId}::uuid)`;
  const recipient = { companyId, messageId, clientId, position, email, ...emailContent, status: 'queued' as const };
  await tx.insert(clientMessageRecipients).values(recipient);
  await tx
    .update(emails)
    .set({ messageId, gap: null })
    .where(and(eq(emails.companyId, companyId), eq(emails.id, id)));
  await enqueueSending(deps, tx, companyId);
}
