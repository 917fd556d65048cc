/** A trader's returns as the dashboard shows them. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { filings, hmrcReturns, obligations, periodFigures } from '@portal/db/schema/schema.ts';
import { getReturnState } from '@portal/domain/vat-returns/return-state.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, getTableColumns, sql, type GetColumnData, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { AppDeps } from '../../app-deps.ts';
import { isAttemptLost, toObligationOutput } from '../vat-returns/get-return.ts';

/**
 * Every return HMRC lists, oldest first, with the newest filing attempt, the figures of the current books and HMRC's copy. PostgreSQL
 * builds them as one JSON value, because reading forty columns for each return takes several times as long.
 */
export function prepareReturns(db: Db) {
  const { companyId: _c, obligationId: _o, fileId: _f, flagged: _flagged, ...figures } = getTableColumns(periodFigures);
  const { companyId: _hc, obligationId: _ho, readAt: _at, ...hmrcReturn } = getTableColumns(hmrcReturns);
  const newestFilingId = sql`(select n.id from filings n where n.company_id = ${obligations.companyId} and n.obligation_id = ${obligations.id} order by n.sent_at desc limit 1)`;
  const obligation = {
    id: obligations.id,
    periodStart: obligations.periodStart,
    periodEnd: obligations.periodEnd,
    dueOn: obligations.dueOn,
    status: obligations.status,
    receivedOn: obligations.receivedOn,
  };
  const filing = { state: filings.state, instanceId: filings.instanceId, callDeadlineAt: filings.callDeadlineAt, boxes: filings.boxes };
  type Row = {
    readonly obligation: Values<typeof obligation>;
    readonly filing: Values<typeof filing> | null;
    readonly figures: Values<typeof figures> | null;
    readonly hmrcReturn: Values<typeof hmrcReturn> | null;
  };
  const row = sql`json_build_object('obligation', ${jsonObject(obligation)}, 'filing', ${jsonObjectIfFound(filings.id, filing)},
    'figures', ${jsonObjectIfFound(periodFigures.companyId, figures)}, 'held', ${jsonObjectIfFound(hmrcReturns.companyId, hmrcReturn)})`;
  return db
    .select({ rows: sql<Row[]>`coalesce(json_agg(${row} order by ${obligations.periodEnd}, ${obligations.periodStart}), '[]')` })
    .from(obligations)
    .leftJoin(filings, and(eq(filings.companyId, obligations.companyId), eq(filings.id, newestFilingId)))
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
    .prepare('dashboard_returns');
}

type Columns = Readonly<Record<string, AnyPgColumn>>;
/** Column values as JSON holds them. An instant is text in PostgreSQL's format. */
type Values<Of extends Columns> = { readonly [Name in keyof Of]: GetColumnData<Of[Name]> };

function jsonObject(columns: Columns): SQL {
  const members = Object.entries(columns).map(([name, column]) => sql`${sql.raw(`'${name}'`)}, ${column}`);
  return sql`json_build_object(${sql.join(members, sql`, `)})`;
}

/** The columns of a left join as JSON, or null if the join found no row. `requiredColumn` is never null in a found row. */
function jsonObjectIfFound(requiredColumn: AnyPgColumn, columns: Columns): SQL {
  return sql`case when ${requiredColumn} is not null then ${jsonObject(columns)} end`;
}

/** ID of the current books: the file applied last. */
export function currentFileId() {
  return sql`(select f.id from books_files f where f.company_id = ${sql.placeholder('companyId')} and f.applied_at is not null order by f.applied_at desc limit 1)`;
}

type Row = Awaited<ReturnType<ReturnType<typeof prepareReturns>['execute']>>[number]['rows'][number];
export type DashboardReturn = { readonly row: Row; readonly obligation: DashboardOutput['obligations'][number] };

export function toDashboardReturn(deps: AppDeps, row: Row, today: PlainDate): DashboardReturn {
  const { obligation, filing, figures } = row;
  const state = getReturnState(
    {
      periodEnd: obligation.periodEnd,
      fulfilled: obligation.status === 'fulfilled',
      hasFigures: figures !== null,
      attempt: filing ? { state: filing.state, lost: isAttemptLost(deps, filing) } : undefined,
    },
    today,
  );
  return { row, obligation: toObligationOutput(obligation, state, today) };
}
