/** Returns the dashboard from stored figures only. It doesn't call HMRC, so it is as fast as its queries. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { advances, bankAccounts, booksFiles, companies, hmrcConnections, hmrcObservations, shortfalls } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import type { TaskDifference } from '@portal/domain/tasks/list-advance-tasks.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { getValueOrForecast } from '@portal/domain/uk-tax/known.ts';
import { countWorkingDaysBetween } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { toNineBoxes } from '../vat-returns/to-nine-boxes.ts';
import { listDashboardTasks } from './dashboard-tasks.ts';
import { prepareNewestAdvance } from './newest-advance.ts';
import { selectCurrentFileId, prepareReturns, toDashboardReturn, type DashboardReturn } from './dashboard-returns.ts';

/** Statements are prepared once for each database, because building them for each call costs more than running them. */
export function prepareDashboard(deps: AppDeps): (companyId: string) => Promise<DashboardOutput> {
  const { db } = deps.database;
  const companyStatement = prepareCompany(db);
  const returnsStatement = prepareReturns(db);
  const getNewestAdvance = prepareNewestAdvance(deps);
  return async (companyId) => {
    const [[company], [listedObligations], advance] = await Promise.all([
      companyStatement.execute({ companyId }),
      returnsStatement.execute({ companyId }),
      getNewestAdvance(companyId),
    ]);
    if (!company) throw createNotFoundError();
    const today = deps.clock.today();
    const returns = (listedObligations?.rows ?? []).map((row) => toDashboardReturn(deps, row, company.charges, today));
    const hmrcStatus = company.hmrcStatus === null || company.hmrcStatus === 'postponed' ? 'not_connected' : company.hmrcStatus;
    const openPeriod = findOpenPeriod(returns, company, today);
    const tasks = listDashboardTasks({ companyId, company, hmrcStatus, returns, advance, now: deps.clock.now(), today });
    return {
      company: { company_id: companyId, name: company.name, vrn: company.vrn ?? '' },
      today,
      hmrc: { status: hmrcStatus, as_of: company.figuresAsOf },
      obligations: returns.map(({ obligation }) => obligation).toReversed(),
      open_period: openPeriod,
      next_deadline: findNextDeadline(returns, today),
      advance: advance ?? null,
      chart: returns.flatMap(toChartPoints).slice(-8),
      tasks,
    };
  };
}

function prepareCompany(db: Db) {
  const query = db
    .select({
      name: companies.name,
      partner: companies.partner,
      vrn: companies.vrn,
      hmrcStatus: hmrcConnections.status,
      figuresAsOf: hmrcConnections.figuresAsOf,
      consentEndsAt: hmrcConnections.consentEndsAt,
      fileName: booksFiles.fileName,
      appliedAt: booksFiles.appliedAt,
      charges: sql<unknown>`(select o.body from ${hmrcObservations} o where o.company_id = ${companies.id} and o.kind = 'liabilities' order by o.taken_at desc limit 1)`,
      differences: selectDueDifferences(),
      hasBankAccount: sql`exists (select 1 from ${bankAccounts} where ${bankAccounts.companyId} = ${companies.id})`.mapWith(Boolean),
    })
    .from(companies)
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, companies.id))
    .leftJoin(booksFiles, and(eq(booksFiles.companyId, companies.id), eq(booksFiles.id, selectCurrentFileId())))
    .where(eq(companies.id, sql.placeholder('companyId')));
  return query.prepare('dashboard_company');
}

/** Selects what a company owes us because HMRC repaid less, as JSON in the format of TaskDifference; null if there is nothing. */
function selectDueDifferences() {
  return sql<TaskDifference[] | null>`(
    select json_agg(json_build_object('obligation_id', a.obligation_id, 'state', a.state, 'refund', a.refund_pence) order by a.period_end)
    from ${shortfalls} s join ${advances} a on a.company_id = s.company_id and a.id = s.advance_id
    where s.company_id = ${companies.id} and s.status = 'due' and a.state in ('shortfall', 'collecting'))`;
}

const OPEN_STATES = ['open_running', 'no_books', 'ready', 'filing', 'outcome_unknown', 'refused'];

/** Returns the first period without a filed return. */
function findOpenPeriod(
  returns: readonly DashboardReturn[],
  company: { fileName: string | null; appliedAt: DashboardOutput['hmrc']['as_of'] },
  today: PlainDate,
): DashboardOutput['open_period'] {
  const openReturn = returns.find(({ obligation }) => OPEN_STATES.includes(obligation.state));
  if (!openReturn) return null;
  const { obligation, row } = openReturn;
  return {
    obligation_id: obligation.obligation_id,
    period_start: obligation.period_start,
    period_end: obligation.period_end,
    due_on: obligation.due_on,
    ended: obligation.period_end < today,
    estimate: row.figures && toNineBoxes(row.figures),
    rows: row.figures?.rows ?? 0,
    source: row.figures ? company.fileName : null,
    as_of: row.figures ? company.appliedAt : null,
  };
}

function findNextDeadline(returns: readonly DashboardReturn[], today: PlainDate): DashboardOutput['next_deadline'] {
  const openReturns = returns.filter(({ obligation }) => OPEN_STATES.includes(obligation.state)).map(({ obligation }) => obligation);
  const [nextReturn] = openReturns.toSorted((a, b) => (a.due_on < b.due_on ? -1 : 1));
  if (!nextReturn) return null;
  const workingDaysLeft = getValueOrForecast(countWorkingDaysBetween(today, nextReturn.due_on)) ?? 0;
  return { what: 'VAT return', due_on: nextReturn.due_on, working_days_left: Math.max(workingDaysLeft, 0), overdue: nextReturn.overdue };
}

/** Returns input VAT, output VAT and the net of both. */
function toChartPoints({ boxes, obligation }: DashboardReturn): DashboardOutput['chart'] {
  if (!boxes || !obligation.amount) return [];
  return [
    {
      period_end: obligation.period_end,
      vat_in_pence: boxes.box4_pence,
      vat_out_pence: boxes.box3_pence,
      net_pence: pence(boxes.box3_pence - boxes.box4_pence),
      source: obligation.amount.source,
    },
  ];
}
