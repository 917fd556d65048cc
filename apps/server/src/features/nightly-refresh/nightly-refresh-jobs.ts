/** Starts the nightly refreshes of the practices that have switched them on, once an operator has confirmed HMRC's headers. */
import { hmrcConnections, practices, syncRuns } from '@portal/db/schema/schema.ts';
import { toLondonDate, toEpochMs, type Instant } from '@portal/domain/clock.ts';
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { buildBatchHeaders } from '@portal/providers/hmrc/fraud-headers.ts';
import { and, desc, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { startNightlySync } from '../sync/start-sync.ts';
import { findConfirmation } from './nightly-refresh-queries.ts';

/** Between two and five in the morning in London, when HMRC's rate limit is hardly used. */
const FIRST_HOUR = 2;
const LAST_HOUR = 4;

export function nightlyRefreshJobs(deps: AppDeps): Pick<PortalJobHandlers, 'nightly-refresh.sweep'> {
  return { 'nightly-refresh.sweep': () => startNightlyRefreshes(deps) };
}

async function startNightlyRefreshes(deps: AppDeps): Promise<void> {
  const hour = getLondonHour(deps.clock.now());
  if (hour < FIRST_HOUR || hour > LAST_HOUR) return;
  const { db } = deps.database;
  const confirmation = await findConfirmation(db);
  if (!confirmation || confirmation.headers.length === 0) return;
  const fraudHeaders = buildBatchHeaders(
    { productName: deps.site.brand, publicIp: deps.site.vendorPublicIp, version: deps.site.version },
    confirmation.headers,
  );
  const enabledPractices = await db
    .select({ companyId: practices.companyId })
    .from(practices)
    .innerJoin(hmrcConnections, and(eq(hmrcConnections.companyId, practices.companyId), eq(hmrcConnections.status, 'connected')))
    .where(eq(practices.nightlyRefresh, true));
  await tryEach(enabledPractices, async ({ companyId }) => {
    for (const tax of AGENT_TAXES) {
      const [last] = await db
        .select({ startedAt: syncRuns.startedAt })
        .from(syncRuns)
        .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.tax, tax), isNull(syncRuns.startedBy)))
        .orderBy(desc(syncRuns.startedAt))
        .limit(1);
      if (last && toLondonDate(last.startedAt) === deps.clock.today()) continue;
      await startNightlySync(deps, companyId, tax, fraudHeaders);
    }
  });
}

function getLondonHour(now: Instant): number {
  const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Europe/London' }).format(toEpochMs(now));
  return Number(hour);
}
