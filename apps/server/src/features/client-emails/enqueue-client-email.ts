/**
 * Emails a client's users for the practice, through its own mailbox if it has connected one, otherwise from our address, usually under its
 * name and with its reply address. Emails are kept on the client's timeline.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { clientEmails } from '@portal/db/schema/schema.ts';
import type { ClientEmailNeed } from '@portal/domain/messages/client-email-status.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import { composeEmail, hideLinks } from '../../mail/compose-email.ts';
import type { EmailContent } from '../../mail/email-content.ts';
import { enqueueMail } from '../../mail/enqueue-email.ts';
import type { OutgoingEmail } from '../../mail/mailer.ts';
import { findMailbox } from '../mailbox/find-mailbox.ts';
import { enqueueSending } from '../messages/enqueue-sending.ts';
import { isConnectedToHmrc } from '../practice/is-connected-to-hmrc.ts';
import { createAuthor } from './email-author.ts';
import { isEmail, toSealContext } from './email-key.ts';

export type ClientEmail = {
  readonly practiceId: string;
  readonly clientId: string;
  readonly to: string;
  /** The member who triggered the email and gets the replies. If null, replies go to the practice's owner. */
  readonly sentBy: string | null;
  readonly content: EmailContent;
  /** What the client has to answer. If the email has to wait for a mailbox, it isn't sent once that has ended. */
  readonly neededFor?: { readonly kind: ClientEmailNeed; readonly id: string };
  /** The last day on which the email is useful. */
  readonly neededUntil?: PlainDate;
  /** About access to the portal itself. Always leaves from our address, and so never waits for a mailbox. */
  readonly isSecurity?: true;
};

export async function enqueueClientEmail(deps: AppDeps, tx: Tx, email: ClientEmail): Promise<void> {
  const { practiceId: companyId, content } = email;
  // An invitation's link proves its reader's address, so it mustn't lie in the practice's sent items.
  const isOurs = email.isSecurity === true || content.sentFor?.invitation !== undefined;
  const id = randomUUID();
  const mail = await storeClientEmail(deps, tx, email, id);
  if (isOurs || !(await findMailbox(tx, companyId))) return enqueueMail(deps, tx, mail);
  const sealed = deps.tokenCipher.seal(JSON.stringify(mail), toSealContext({ companyId, id }));
  await tx
    .update(clientEmails)
    .set({
      sealed,
      neededFor: email.neededFor?.kind ?? null,
      neededForId: email.neededFor?.id ?? null,
      neededUntil: email.neededUntil ?? null,
    })
    .where(isEmail({ companyId, id }));
  await enqueueSending(deps, tx, companyId);
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
