/** Ends a user's access: on all devices, through links that haven't been used, and through keys and apps. */
import type { Db, Tx } from '@portal/db/database.ts';
import { calendarFeeds, challenges, emailChanges, loginLinks, signInStates } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import { endAllSessions } from '../../http/session.ts';
import { revokeApiKeysFor } from '../api-keys/end-api-keys.ts';
import { endApps } from '../connected-apps/end-apps.ts';

/** Ends a user's sessions, and sign-ins that are waiting for their second factor. */
export async function endAllSignIns(db: Db | Tx, userId: string): Promise<void> {
  await endAllSessions(db, userId);
  await db.delete(challenges).where(eq(challenges.userId, userId));
}

/**
 * Ends what an attacker may have started and could still complete: links, sign-ins that are waiting for a second factor, methods being
 * added, and a change of the email address. Returns whether such a change was cancelled.
 */
export async function endPendingAccess(tx: Tx, user: { id: string; email: string }, now: Instant): Promise<boolean> {
  const isUnused = and(eq(loginLinks.email, user.email), isNull(loginLinks.usedAt));
  await tx.update(loginLinks).set({ usedAt: now }).where(isUnused);
  await tx.delete(challenges).where(eq(challenges.userId, user.id));
  await tx.delete(signInStates).where(eq(signInStates.linkTo, user.id));
  // A change of the address that only waits for the new mailbox would give the account away after all.
  const cancelledChanges = await tx.delete(emailChanges).where(eq(emailChanges.userId, user.id)).returning({ userId: emailChanges.userId });
  return cancelledChanges.length > 0;
}

/** Ends what works without logging in. Returns what stopped working, in words. */
export async function endKeysAndApps(tx: Tx, userId: string, now: Instant): Promise<string[]> {
  const feeds = await tx.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId)).returning({ userId: calendarFeeds.userId });
  const endedByLabel = {
    'calendar links': feeds.length,
    'API keys': await revokeApiKeysFor(tx, { userId }, now),
    'connected apps': await endApps(tx, { userId }, now),
  };
  return Object.entries(endedByLabel).flatMap(([label, count]) => (count > 0 ? [label] : []));
}
