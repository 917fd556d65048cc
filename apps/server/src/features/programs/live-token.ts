import type { Db, Tx } from '@portal/db/database.ts';
import { programGrants, programTokens } from '@portal/db/schema/schema.ts';
import { and, eq, exists, gt, isNull, ne } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';

/** Returns whether an app can still get access: its code hasn't been used yet, or it has a refresh token. */
export function hasLiveToken(db: Db | Tx, now: Instant) {
  return exists(
    db
      .select({ id: programTokens.grantId })
      .from(programTokens)
      .where(
        and(
          eq(programTokens.companyId, programGrants.companyId),
          eq(programTokens.grantId, programGrants.id),
          ne(programTokens.kind, 'access'),
          isNull(programTokens.usedAt),
          gt(programTokens.expiresAt, now),
        ),
      ),
  );
}
