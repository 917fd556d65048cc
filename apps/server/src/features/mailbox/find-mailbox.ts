import type { Db, Tx } from '@portal/db/database.ts';
import { mailboxes } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { Mailbox } from './mailbox-tokens.ts';

/** Returns the practice's mailbox, if any. */
export async function findMailbox(db: Db | Tx, companyId: string): Promise<Mailbox | undefined> {
  const [mailbox] = await db.select().from(mailboxes).where(eq(mailboxes.companyId, companyId));
  return mailbox;
}
