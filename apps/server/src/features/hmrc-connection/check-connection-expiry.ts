/**
 * Ends connections and sends warnings as time passes: HMRC ends each authorisation after 18 months (docs/reference/hmrc.md section 2), even
 * if no call detects it.
 */
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { and, eq, gt, isNull, lte, or } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { WARNING_DAYS } from '../connections/connection-status.ts';
import { endConnection, isCurrentConnection } from './end-connection.ts';
import { enqueueConnectionEmails } from './connection-emails.ts';

/** Uses one transaction for each connection, so that a crash leaves the rest for the next run. */
export async function checkConnectionExpiry(deps: AppDeps): Promise<void> {
  const now = deps.clock.now();
  const endingConnections = await deps.database.db
    .select({
      companyId: hmrcConnections.companyId,
      connectedAt: hmrcConnections.connectedAt,
      endsAt: hmrcConnections.consentEndsAt,
    })
    .from(hmrcConnections)
    .where(and(eq(hmrcConnections.status, 'connected'), lte(hmrcConnections.consentEndsAt, addDaysToInstant(now, WARNING_DAYS[0]))));
  await tryEach(endingConnections, async ({ endsAt, ...connection }) => {
    if (endsAt === null) return;
    await deps.database.db.transaction(async (tx) => {
      if (endsAt <= now) return void (await endConnection(deps, tx, connection, 'expired', 'rules'));
      // Only the latest stage is sent, so that a user who connects late does not get the earlier warnings too.
      const warningDays = WARNING_DAYS.findLast((days) => endsAt <= addDaysToInstant(now, days)) ?? WARNING_DAYS[0];
      const [warnedConnection] = await tx
        .update(hmrcConnections)
        .set({ warnedDays: warningDays })
        .where(and(isCurrentConnection(connection), or(isNull(hmrcConnections.warnedDays), gt(hmrcConnections.warnedDays, warningDays))))
        .returning({ companyId: hmrcConnections.companyId });
      if (warnedConnection) await enqueueConnectionEmails(deps, tx, connection.companyId, { change: 'ending', endsAt });
    });
  });
}

function addDaysToInstant(now: Instant, days: number): Instant {
  return addMilliseconds(now, days * 86_400_000);
}
