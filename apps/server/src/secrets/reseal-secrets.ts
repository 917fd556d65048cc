/** Seals with the newest key whatever an older one sealed, so that the older key can be taken out of the settings within the hour. */
import { authenticators, hmrcConnections } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { AppDeps } from '../app-deps.ts';

export async function resealSecrets({ database: { db }, tokenCipher }: AppDeps): Promise<void> {
  const reseal = (sealed: string): string => tokenCipher.seal(tokenCipher.open(sealed));
  // Each is written only where it is still what was read: a token that was renewed meanwhile carries the newest key already.
  for (const { userId, secret } of await db.select().from(authenticators)) {
    if (tokenCipher.isNewest(secret)) continue;
    await db
      .update(authenticators)
      .set({ secret: reseal(secret) })
      .where(and(eq(authenticators.userId, userId), eq(authenticators.secret, secret)));
  }
  const { companyId, accessToken, refreshToken } = hmrcConnections;
  const granted = await db
    .select({ companyId, accessToken, refreshToken })
    .from(hmrcConnections)
    .where(and(isNotNull(accessToken), isNotNull(refreshToken)));
  for (const grant of granted) {
    if (grant.accessToken === null || grant.refreshToken === null) continue;
    if (tokenCipher.isNewest(grant.accessToken) && tokenCipher.isNewest(grant.refreshToken)) continue;
    await db
      .update(hmrcConnections)
      .set({ accessToken: reseal(grant.accessToken), refreshToken: reseal(grant.refreshToken) })
      .where(and(eq(companyId, grant.companyId), eq(accessToken, grant.accessToken), eq(refreshToken, grant.refreshToken)));
  }
}
