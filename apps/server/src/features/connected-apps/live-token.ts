import type { Db, Tx } from '@portal/db/database.ts';
import { connectedAppGrants, connectedAppTokens } from '@portal/db/schema/schema.ts';
import { and, eq, exists, gt, isNull, ne } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';

/** Returns whether an app can still get access: its code hasn't been used yet, or it has a refresh token. */
export function hasLiveToken(db: Db | Tx, now: Instant) {
  return exists(
    db
      .select({ id: connectedAppTokens.grantId })
      .from(connectedAppTokens)
      .where(
        and(
          eq(connectedAppTokens.companyId, connectedAppGrants.companyId),
          eq(connectedAppTokens.grantId, connectedAppGrants.id),
          ne(connectedAppTokens.kind, 'access'),
          isNull(connectedAppTokens.usedAt),
          gt(connectedAppTokens.expiresAt, now),
        ),
      ),
  );
}
