/** The email address that a practice's messages are sent from, and how a message is sent. */
import type { MessageRouteState } from '@portal/contract/messages.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, practiceBrands, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { getSendingLimits } from '@portal/domain/messages/sending-limits.ts';
import type { AppDeps } from '../../app-deps.ts';
import { buildMessage } from '../../mail/build-message.ts';
import { renderMessage, type MessageSignature } from '../../mail/render-message.ts';
import { sendBySmtp } from '../../mail/send-by-smtp.ts';
import { toEmailColour } from '../client-portal/client-portal-emails.ts';
import { findMailbox } from '../mailbox/find-mailbox.ts';
import { isConnectedToHmrc } from '../practice/is-connected-to-hmrc.ts';
import { findCurrentAuthor } from '../team/find-current-author.ts';
import type { Mailbox } from '../mailbox/mailbox-tokens.ts';
import type { MessageAttempt } from './message-attempts.ts';

/** Returns how messages are currently sent, as the screens show it. */
export async function getRouteState(deps: AppDeps, companyId: string, userId: string): Promise<MessageRouteState> {
  const { db } = deps.database;
  const mailbox = await findMailbox(db, companyId);
  const author = await loadAuthor(db, companyId, userId);
  const route = mailbox?.provider ?? 'smtp';
  const address = mailbox?.address ?? deps.mailer.address;
  const { perMinute, perDay } = getSendingLimits(route, address, await isConnectedToHmrc(db, companyId));
  return {
    route,
    address,
    reply_to: mailbox?.address ?? author.email,
    is_waiting: mailbox?.status === 'lost',
    per_minute: perMinute,
    per_day: perDay,
  };
}

/** `signature` is null if the practice has chosen neither a logo nor a colour. */
export type Author = { readonly practice: string; readonly email: string; readonly signature: MessageSignature | null };

/** `userId` wrote the message; if they have left, the practice's owner is its author. */
export async function loadAuthor(db: Db | Tx, companyId: string, userId: string): Promise<Author> {
  const [company] = await db
    .select({ name: companies.name, colour: practiceBrands.colour, logo: practiceBrands.logo })
    .from(companies)
    .leftJoin(practiceBrands, eq(practiceBrands.companyId, companies.id))
    .where(eq(companies.id, companyId));
  const { name = '', colour = null, logo = null } = company ?? {};
  const signature = colour === null && logo === null ? null : { name, colour: toEmailColour(colour), logo: logo ?? undefined };
  const authorId = await findCurrentAuthor(db, companyId, userId);
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, authorId));
  return { practice: name, email: user?.email ?? '', signature };
}

type LeavingPerson = { readonly to: string; readonly subject: string; readonly body: string; readonly attempt: MessageAttempt };

/** Sends through the practice's own mailbox. A failure is a ProviderError. */
export async function sendByMailbox(
  deps: AppDeps,
  mailbox: Mailbox,
  accessToken: string,
  author: Author,
  { to, subject, body, attempt }: LeavingPerson,
): Promise<void> {
  const client = deps.mailboxes[mailbox.provider];
  // The token was read with this client a moment ago, so the client exists.
  if (!client) throw new Error(`${mailbox.provider} isn’t set up`);
  const from = { name: author.practice, address: mailbox.address };
  await client.sender.send(
    accessToken,
    await buildMessage({ from, to, subject, ...renderMessage(body, author.signature) }, attempt.attemptId),
  );
}

/** Sends from our address, with the practice's name; replies go to the author. A failure is a ProviderError. */
export async function sendFromPortal(deps: AppDeps, author: Author, { to, subject, body, attempt }: LeavingPerson): Promise<void> {
  const name = `${author.practice} via ${deps.site.brand}`;
  const { companyId, ...message } = attempt;
  const mail = {
    to,
    subject,
    ...renderMessage(body, author.signature),
    author: { name, replyTo: author.email },
    sentFor: { companyId, message },
  };
  await sendBySmtp(deps.mailer, mail, attempt.attemptId);
}
