/** A trader's returns as the dashboard shows them. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { filings, hmrcReturns, obligations, periodFigures } from '@portal/db/schema/schema.ts';
import { returnStateOf } from '@portal/domain/filing/return-state.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { isLost, viewObligation } from '../vat-returns/get-return.ts';

/** Every return HMRC lists, oldest first, with the newest attempt to file it, the figures of today's books and what HMRC holds. */
export function prepareReturns(db: Db) {
  const { companyId: _c, obligationId: _o, fileId: _f, flagged: _flagged, ...figures } = getTableColumns(periodFigures);
  const { companyId: _hc, obligationId: _ho, readAt: _at, ...held } = getTableColumns(hmrcReturns);
  const newest = sql`(select n.id from filings n where n.company_id = ${obligations.companyId} and n.obligation_id = ${obligations.id} order by n.sent_at desc limit 1)`;
  const query = db
    .select({
      obligation: {
        id: obligations.id,
        periodStart: obligations.periodStart,
        periodEnd: obligations.periodEnd,
        dueOn: obligations.dueOn,
        status: obligations.status,
        receivedOn: obligations.receivedOn,
      },
      filing: { state: filings.state, instanceId: filings.instanceId, callEndsBy: filings.callEndsBy, boxes: filings.boxes },
      figures,
      held,
    })
    .from(obligations)
    .leftJoin(filings, and(eq(filings.companyId, obligations.companyId), eq(filings.id, newest)))
    .leftJoin(
      periodFigures,
      and(
        eq(periodFigures.companyId, obligations.companyId),
        eq(periodFigures.obligationId, obligations.id),
        eq(periodFigures.fileId, currentFileId()),
      ),
    )
    .leftJoin(hmrcReturns, and(eq(hmrcReturns.companyId, obligations.companyId), eq(hmrcReturns.obligationId, obligations.id)))
    .where(eq(obligations.companyId, sql.placeholder('companyId')))
    .orderBy(asc(obligations.periodEnd), asc(obligations.periodStart));
  return query.prepare('dashboard_returns');
}

/** The books that count: those applied last. */
export function currentFileId() {
  return sql`(select f.id from books_files f where f.company_id = ${sql.placeholder('companyId')} and f.applied_at is not null order by f.applied_at desc limit 1)`;
}

type Row = Awaited<ReturnType<ReturnType<typeof prepareReturns>['execute']>>[number];
export type DashboardReturn = { readonly row: Row; readonly obligation: DashboardOutput['obligations'][number] };

export function viewRow(deps: AppDeps, row: Row, today: PlainDate): DashboardReturn {
  const { obligation, filing, figures } = row;
  const state = returnStateOf(
    {
      periodEnd: obligation.periodEnd,
      fulfilled: obligation.status === 'fulfilled',
      hasFigures: figures !== null,
      attempt: filing ? { state: filing.state, lost: isLost(deps, filing) } : undefined,
    },
    today,
  );
  return { row, obligation: viewObligation(obligation, state, today) };
}
