/**
 * Ends connections and sends warnings as time passes: HMRC ends each authorisation after 18 months (docs/reference/hmrc.md section 2), even
 * if no call notices it.
 */
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { and, eq, gt, isNull, lte, or } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { WARNING_DAYS } from '../connections/grant-status.ts';
import { endGrant, isLiveGrant } from './end-grant.ts';
import { mailGrantNews } from './mail-grant-news.ts';

/** One transaction for each connection, so that a crash leaves the rest for the next run. */
export async function watchGrants(deps: AppDeps): Promise<void> {
  const now = deps.clock.now();
  const ending = await deps.database.db
    .select({
      companyId: hmrcConnections.companyId,
      connectedAt: hmrcConnections.connectedAt,
      endsAt: hmrcConnections.consentEndsAt,
    })
    .from(hmrcConnections)
    .where(and(eq(hmrcConnections.status, 'connected'), lte(hmrcConnections.consentEndsAt, inDays(now, WARNING_DAYS[0]))));
  await tryEach(ending, async ({ endsAt, ...grant }) => {
    if (endsAt === null) return;
    await deps.database.db.transaction(async (tx) => {
      if (endsAt <= now) return void (await endGrant(deps, tx, grant, 'expired', 'rules'));
      // Only the latest stage is sent. Someone who connects late does not get the earlier warnings too.
      const stage = WARNING_DAYS.findLast((days) => endsAt <= inDays(now, days)) ?? WARNING_DAYS[0];
      const [warned] = await tx
        .update(hmrcConnections)
        .set({ warnedDays: stage })
        .where(and(isLiveGrant(grant), or(isNull(hmrcConnections.warnedDays), gt(hmrcConnections.warnedDays, stage))))
        .returning({ companyId: hmrcConnections.companyId });
      if (warned) await mailGrantNews(deps, tx, grant.companyId, { news: 'ending', endsAt });
    });
  });
}

function inDays(now: Instant, days: number): Instant {
  return addMilliseconds(now, days * 86_400_000);
}
