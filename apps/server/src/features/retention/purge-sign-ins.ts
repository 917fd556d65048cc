import {
  booksConnectionStates,
  challenges,
  emailChanges,
  loginLinks,
  mailboxStates,
  sessions,
  signInStates,
} from '@portal/db/schema/schema.ts';
import { lt } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';

/** Deletes expired sessions, links and unfinished sign-ins. */
export async function purgeSignIns({ database: { db }, wallClock }: Pick<AppDeps, 'database' | 'wallClock'>): Promise<void> {
  const now = wallClock.now();
  for (const table of [sessions, emailChanges, loginLinks, signInStates, mailboxStates, booksConnectionStates, challenges])
    await db.delete(table).where(lt(table.expiresAt, now));
}
