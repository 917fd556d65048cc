/** Logs a user out on all devices. */
import type { Db, Tx } from '@portal/db/database.ts';
import { challenges } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { endAllSessions } from '../../http/session.ts';

/** Ends a user's sessions, and sign-ins that are waiting for their second factor. */
export async function endAllSignIns(db: Db | Tx, userId: string): Promise<void> {
  await endAllSessions(db, userId);
  await db.delete(challenges).where(eq(challenges.userId, userId));
}
