/** Keeps what gives access and is being added (sign-in methods, a password, keys, calendar links) from outlasting the sessions of its user. */
import type { Tx } from '@portal/db/database.ts';
import { sessions, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { createNotSignedInError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';

/** Throws unless the session still exists. Locks the user, as a password reset does, which ends all sessions. */
export async function lockSession(tx: Tx, { userId, sessionId }: Pick<Actor, 'userId' | 'sessionId'>): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
  const isThis = sessionId === undefined ? undefined : and(eq(sessions.id, sessionId), eq(sessions.userId, userId));
  const [session] = isThis ? await tx.select({ id: sessions.id }).from(sessions).where(isThis) : [];
  if (!session) throw createNotSignedInError();
}
