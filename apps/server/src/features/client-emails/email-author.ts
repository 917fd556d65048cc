/** The name and reply address of an email that our mail server sends for a practice. */
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { OutgoingEmail } from '../../mail/mailer.ts';
import { findMailbox } from '../mailbox/find-mailbox.ts';
import { findCurrentAuthor } from '../team/find-current-author.ts';

type Author = NonNullable<OutgoingEmail['author']>;

export async function findPracticeName(db: Db | Tx, companyId: string): Promise<string> {
  const [practice] = await db.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  return practice?.name ?? '';
}

export async function createAuthor({ site }: AppDeps, tx: Db | Tx, companyId: string, sentBy: string | null): Promise<Author> {
  const replyTo = await getReplyAddress(tx, companyId, sentBy);
  return { name: `${await findPracticeName(tx, companyId)} via ${site.brand}`, replyTo, isAutomatic: true };
}

/** Returns the email address that replies to the practice's messages also go to. */
async function getReplyAddress(tx: Db | Tx, companyId: string, sentBy: string | null): Promise<string> {
  const mailbox = await findMailbox(tx, companyId);
  // Replies mustn't reach the mailbox of someone who has left either. Another lost mailbox is still the practice's.
  if (mailbox && mailbox.lostReason !== 'owner_left') return mailbox.address;
  const authorId = await findCurrentAuthor(tx, companyId, sentBy);
  const [author] = authorId === null ? [] : await tx.select({ email: users.email }).from(users).where(eq(users.id, authorId));
  if (!author) throw new Error('a practice has neither a mailbox nor an owner');
  return author.email;
}
