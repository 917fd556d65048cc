import { CALENDAR_FEED_PATH, type practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import { calendarFeeds } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { createFeed, readFeed, revokeFeed } from './calendar-feed.ts';
import { getCalendar, getCalendarDay } from './calendar-queries.ts';
import { listDueItems } from './due-items-queries.ts';
import { createTodayReader } from './today-queries.ts';
import { preparePracticeDashboard } from './practice-totals-queries.ts';

export function practiceDashboardHandlers(deps: AppDeps): Handlers<typeof practiceDashboardApi> {
  const { db } = deps.database;
  const readDashboard = preparePracticeDashboard(deps);
  const readToday = createTodayReader(deps);
  return {
    today: ({ tenant, actor }) => readToday(tenant.practiceId, actor),
    get: ({ input, tenant, actor }) => readDashboard(tenant.practiceId, actor, input.tax),
    paye: ({ tenant, actor }) => readDashboard(tenant.practiceId, actor, 'paye'),
    corporationTax: ({ tenant, actor }) => readDashboard(tenant.practiceId, actor, 'ct'),
    selfAssessment: ({ tenant, actor }) => readDashboard(tenant.practiceId, actor, 'sa'),
    calendar: ({ input, tenant, actor }) => getCalendar(db, tenant.practiceId, actor, input, deps.clock.today()),
    calendarDay: ({ input, tenant, actor }) => getCalendarDay(db, tenant.practiceId, actor, input),
    dueItems: ({ input, tenant, actor }) => listDueItems(deps, tenant.practiceId, actor, input),
    feed: async ({ tenant, actor }) => {
      const [row] = await db
        .select({ createdAt: calendarFeeds.createdAt, covers: calendarFeeds.covers })
        .from(calendarFeeds)
        .where(and(eq(calendarFeeds.companyId, tenant.practiceId), eq(calendarFeeds.userId, actor.userId)));
      return { created_at: row?.createdAt ?? null, covers: row?.covers ?? null };
    },
    createFeed: (call) => createFeed(deps, call),
    revokeFeed: (call) => revokeFeed(deps, call),
  };
}

/** Calendar apps don't send cookies, so the secret in the URL grants access. */
export function serveCalendarFeed(app: FastifyInstance, deps: AppDeps): void {
  app.get<{ Params: { file: string } }>(`/portal${CALENDAR_FEED_PATH}/:file`, async (request, reply) => {
    const token = /^([\w-]{43})\.ics$/.exec(request.params.file)?.[1];
    const calendarText = token === undefined ? undefined : await runAsSystem('calendar feed', () => readFeed(deps, token));
    if (calendarText === undefined) throw createNotFoundError();
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', 'attachment; filename="tax-calendar.ics"')
      .header('x-robots-tag', 'noindex')
      .send(calendarText);
  });
}
