/** Builds a trader's returns as the dashboard shows them. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import {
  advances,
  advanceTransitions,
  filings,
  hmrcReturns,
  obligations,
  periodFigures,
  returnAdjustments,
  type FiledBoxes,
} from '@portal/db/schema/schema.ts';
import { getReturnState } from '@portal/domain/vat-returns/return-state.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import type { BoxAmount } from '@portal/domain/vat-returns/return-adjustments.ts';
import { parseInstant, toLondonDate } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, getTableColumns, isNotNull, or, sql, type GetColumnData, type SQL } from '@portal/db/sql.ts';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { AppDeps } from '../../app-deps.ts';
import { getReturnCharge } from '../vat-returns/find-found-return.ts';
import { isAttemptLost, toObligationOutput } from '../vat-returns/get-return.ts';
import { IS_STILL_EXPECTED } from '../vat-returns/is-still-expected.ts';
import { toAdjustedBoxes, toNineBoxes } from '../vat-returns/to-nine-boxes.ts';

/**
 * Returns every return that HMRC expects or has, oldest first, with the current filing attempt, the figures of the current books and HMRC's copy.
 * PostgreSQL builds them as a single JSON value, because reading forty columns for each return would take several times as long.
 */
export function prepareReturns(db: Db) {
  const { companyId: _c, obligationId: _o, fileId: _f, flagged: _flagged, ...figures } = getTableColumns(periodFigures);
  const { companyId: _hc, obligationId: _ho, readAt: _at, ...hmrcReturn } = getTableColumns(hmrcReturns);
  const currentFilingId = sql`(select n.id from filings n where n.company_id = ${obligations.companyId} and n.obligation_id = ${obligations.id} order by (n.state in ('sending', 'unknown', 'accepted')) desc, n.sent_at desc limit 1)`;
  const obligation = {
    id: obligations.id,
    periodStart: obligations.periodStart,
    periodEnd: obligations.periodEnd,
    dueOn: obligations.dueOn,
    status: obligations.status,
    receivedOn: obligations.receivedOn,
  };
  const filing = { state: filings.state, instanceId: filings.instanceId, callDeadlineAt: filings.callDeadlineAt, boxes: filings.boxes };
  type StatementRow = {
    readonly obligation: Values<typeof obligation>;
    readonly filing: Values<typeof filing> | null;
    readonly figures: Values<typeof figures> | null;
    readonly hmrcReturn: Values<typeof hmrcReturn> | null;
    /** Users' adjustments to the boxes of the books. */
    readonly adjustments: readonly BoxAmount[];
    /** The newest advance on the refund that was paid out. */
    readonly advance: { readonly state: AdvanceState; readonly paidAt: string } | null;
  };
  const advance = sql`(select json_build_object('state', a.state, 'paidAt', t.at) from ${advances} a
    join ${advanceTransitions} t on t.company_id = a.company_id and t.advance_id = a.id and t.to_state = 'paid'
    where a.company_id = ${obligations.companyId} and a.obligation_id = ${obligations.id} order by t.at desc limit 1)`;
  const adjustments = sql`(select coalesce(json_agg(json_build_object('box', r.box, 'amount', r.amount_pence)), '[]')
    from ${returnAdjustments} r where r.company_id = ${obligations.companyId} and r.obligation_id = ${obligations.id} and r.removed_at is null)`;
  const row = sql`json_build_object('obligation', ${buildJsonObject(obligation)}, 'filing', ${buildJsonObjectIfFound(filings.id, filing)},
    'figures', ${buildJsonObjectIfFound(periodFigures.companyId, figures)}, 'hmrcReturn', ${buildJsonObjectIfFound(hmrcReturns.companyId, hmrcReturn)},
    'adjustments', ${adjustments}, 'advance', ${advance})`;
  return db
    .select({ rows: sql<StatementRow[]>`coalesce(json_agg(${row} order by ${obligations.periodEnd}, ${obligations.periodStart}), '[]')` })
    .from(obligations)
    .leftJoin(filings, and(eq(filings.companyId, obligations.companyId), eq(filings.id, currentFilingId)))
    .leftJoin(
      periodFigures,
      and(
        eq(periodFigures.companyId, obligations.companyId),
        eq(periodFigures.obligationId, obligations.id),
        eq(periodFigures.fileId, selectCurrentFileId()),
      ),
    )
    .leftJoin(hmrcReturns, and(eq(hmrcReturns.companyId, obligations.companyId), eq(hmrcReturns.obligationId, obligations.id)))
    .where(and(eq(obligations.companyId, sql.placeholder('companyId')), or(IS_STILL_EXPECTED, isNotNull(filings.id))))
    .prepare('dashboard_returns');
}

type Columns = Readonly<Record<string, AnyPgColumn>>;
/** Column values as JSON. An instant is text in PostgreSQL's format. */
type Values<Of extends Columns> = { readonly [Name in keyof Of]: GetColumnData<Of[Name]> };

function buildJsonObject(columns: Columns): SQL {
  const members = Object.entries(columns).map(([name, column]) => sql`${sql.raw(`'${name}'`)}, ${column}`);
  return sql`json_build_object(${sql.join(members, sql`, `)})`;
}

/** Returns the columns of a left join as JSON, or null if the join found no row. `requiredColumn` is never null in a found row. */
function buildJsonObjectIfFound(requiredColumn: AnyPgColumn, columns: Columns): SQL {
  return sql`case when ${requiredColumn} is not null then ${buildJsonObject(columns)} end`;
}

/** Returns the ID of the current books: the file applied last. */
export function selectCurrentFileId() {
  return sql`(select f.id from books_files f where f.company_id = ${sql.placeholder('companyId')} and f.applied_at is not null order by f.applied_at desc limit 1)`;
}

type ReturnRow = Awaited<ReturnType<ReturnType<typeof prepareReturns>['execute']>>[number]['rows'][number];
export type DashboardReturn = {
  readonly row: ReturnRow;
  readonly obligation: DashboardOutput['obligations'][number];
  /** HMRC's copy if available, otherwise the filed boxes, otherwise the books. */
  readonly boxes: FiledBoxes | undefined;
};

/** `charges` is HMRC's newest list of charges as received; null if it was never read. */
export function toDashboardReturn(deps: AppDeps, row: ReturnRow, charges: unknown, today: PlainDate): DashboardReturn {
  const { obligation, filing, figures, hmrcReturn, adjustments, advance } = row;
  const state = getReturnState(
    {
      periodEnd: obligation.periodEnd,
      fulfilled: obligation.status === 'fulfilled',
      hasFigures: figures !== null,
      attempt: filing ? { state: filing.state, lost: isAttemptLost(deps, filing) } : undefined,
    },
    today,
  );
  const filedBoxes = hmrcReturn ? toNineBoxes(hmrcReturn) : filing?.state === 'accepted' ? filing.boxes : undefined;
  const boxes = filedBoxes ?? (figures ? toAdjustedBoxes(figures, adjustments) : undefined);
  const paidAt = advance && parseInstant(advance.paidAt);
  return {
    row,
    boxes,
    obligation: {
      ...toObligationOutput(obligation, state, today),
      amount: boxes ? { box5_pence: boxes.box5_pence, direction: boxes.direction, source: filedBoxes ? 'hmrc' : 'books' } : null,
      paid_on: paidAt ? toLondonDate(paidAt) : null,
      settled: SETTLED_STATES.includes(advance?.state ?? '') || (filedBoxes !== undefined && isChargeSettled(charges, obligation)),
    },
  };
}

const SETTLED_STATES = ['repaid', 'settled', 'written_off'];

function isChargeSettled(charges: unknown, period: { periodStart: PlainDate; periodEnd: PlainDate }): boolean {
  return charges !== null && getReturnCharge(charges, period)?.outstanding === 0;
}
