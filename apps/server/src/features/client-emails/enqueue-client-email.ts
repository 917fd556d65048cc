/**
 * Emails a client's users for the practice, usually under its name and with its reply address. Emails are kept on the client's timeline.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { clientEmails, companies, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { composeEmail, hideLinks } from '../../mail/compose-email.ts';
import type { EmailContent } from '../../mail/email-content.ts';
import { enqueueMail } from '../../mail/enqueue-email.ts';
import type { OutgoingEmail } from '../../mail/mailer.ts';
import { findMailbox } from '../mailbox/find-mailbox.ts';
import { isConnectedToHmrc } from '../practice/is-connected-to-hmrc.ts';
import { findCurrentAuthor } from '../team/find-current-author.ts';

export type ClientEmail = {
  readonly practiceId: string;
  readonly clientId: string;
  readonly to: string;
  /** The member who triggered the email and gets the replies. If null, replies go to the practice's owner. */
  readonly sentBy: string | null;
  readonly content: EmailContent;
};

export async function enqueueClientEmail(deps: AppDeps, tx: Tx, email: ClientEmail): Promise<void> {
  await enqueueMail(deps, tx, await storeClientEmail(deps, tx, email));
}

/** Stores the text as it will be sent, without links, and returns the email for the queue or for a counted attempt. */
export async function storeClientEmail(
  deps: AppDeps,
  tx: Tx,
  { practiceId: companyId, clientId, to, sentBy, content }: ClientEmail,
  id: string = randomUUID(),
): Promise<OutgoingEmail> {
  // Invitations go to strangers, and anyone can create a practice. Until HMRC has confirmed the practice, they are sent in our name.
  const isOurs = content.sentFor?.invitation !== undefined && !(await isConnectedToHmrc(tx, companyId));
  const author = isOurs ? undefined : await createAuthor(deps, tx, companyId, sentBy);
  const sentFor = { ...content.sentFor, companyId, clientEmailId: id };
  const mail = composeEmail(deps.site, to, { ...content, sentFor });
  const { subject, text } = mail;
  await tx.insert(clientEmails).values({
    companyId,
    id,
    clientId,
    email: to,
    subject,
    body: hideLinks(deps.site, text),
    sentBy,
    replyTo: author?.replyTo ?? deps.mailer.address,
    status: 'queued',
    createdAt: deps.clock.now(),
  });
  return { ...mail, ...(author && { author }) };
}

async function createAuthor({ site }: AppDeps, tx: Tx, companyId: string, sentBy: string | null): Promise<OutgoingEmail['author']> {
  const [practice] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  const replyTo = await getReplyAddress(tx, companyId, sentBy);
  return { name: `${practice?.name ?? ''} via ${site.brand}`, replyTo, isAutomatic: true };
}

/** Returns the email address that replies to the practice's messages also go to. */
async function getReplyAddress(tx: Tx, companyId: string, sentBy: string | null): Promise<string> {
  const mailbox = await findMailbox(tx, companyId);
  if (mailbox) return mailbox.address;
  const authorId = await findCurrentAuthor(tx, companyId, sentBy);
  const [author] = authorId === null ? [] : await tx.select({ email: users.email }).from(users).where(eq(users.id, authorId));
  if (!author) throw new Error('a practice has neither a mailbox nor an owner');
  return author.email;
}
