/** What the clock does to grants: HMRC ends each 18 months after the consent (reference FACTS, section 2), whether or not a call finds out. */
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { and, eq, gt, isNull, lte, or } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { WARNING_DAYS } from '../connections/grant-status.ts';
import { endGrant, isLiveGrant } from './end-grant.ts';
import { mailGrantNews } from './mail-grant-news.ts';

/** Ends those that are over and warns of those that soon will be, one transaction each: a death in between finds the rest undone. */
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
      // The nearest stage alone: whoever connects or comes back late is not sent the earlier ones too.
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
