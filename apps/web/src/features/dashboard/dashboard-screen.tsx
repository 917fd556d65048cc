/** The trader's dashboard: problems, the next deadline, amounts, the advance, then the detail. */
import './dashboard.css';
import { dashboardApi, type DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { BELOW, useMediaQuery } from '../../lib/use-media-query.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { AdvanceCard } from './advance-card.tsx';
import { listProblems } from './list-problems.ts';
import { ConnectionCard } from './connection-card.tsx';
import { DashboardSkeleton } from './dashboard-skeleton.tsx';
import { DeadlineCard } from './deadline-card.tsx';
import { MoneyCard } from './money-card.tsx';
import { NoCompany } from './no-company.tsx';
import { ObligationsCard } from './obligations-card.tsx';
import { OpenPeriodCard } from './open-period-card.tsx';
import { ProblemsPanel } from './problems-panel.tsx';
import { TasksCard } from './tasks-card.tsx';
import { UnknownCompany } from './unknown-company.tsx';
import { useHmrcRefresh } from './use-hmrc-refresh.ts';

/** In these states, poll often so that the timeline follows the money. Otherwise once a minute is enough to show changes made elsewhere. */
const MOVING_STATES: ReadonlySet<string> = new Set(['accepted', 'in_review', 'approved', 'paying', 'paid']);
const MOVING_INTERVAL_MS = 5_000;
const IDLE_INTERVAL_MS = 60_000;

export function DashboardScreen() {
  const { companyId, settled } = useCompanyId();
  const dashboard = useQuery({
    ...apiQuery(dashboardApi.get, { company_id: companyId }),
    enabled: companyId !== '',
    refetchInterval: ({ state }) => (MOVING_STATES.has(state.data?.advance?.state ?? '') ? MOVING_INTERVAL_MS : IDLE_INTERVAL_MS),
  });
  if (settled && companyId === '') return <NoCompany />;
  if (dashboard.data === undefined && dashboard.error?.status === 404) return <UnknownCompany />;
  return (
    <Page
      title={dashboard.data?.company.name ?? 'Your VAT refunds'}
      lead={dashboard.data ? `VAT number ${formatVrn(dashboard.data.company.vrn)}` : <>&nbsp;</>}
    >
      <LoadState query={dashboard} skeleton={<DashboardSkeleton />}>
        {(data) => <Dashboard data={data} />}
      </LoadState>
    </Page>
  );
}

function Dashboard({ data }: { data: DashboardOutput }) {
  const refresh = useHmrcRefresh(data);
  const mainAction = chooseMainAction(data);
  // In a single column, tasks come before the list of returns.
  const narrow = useMediaQuery(BELOW.md);
  const tasks = <TasksCard data={data} isMain={mainAction === 'task'} />;
  return (
    <div className="p-dash">
      <div className="is-whole">
        <ProblemsPanel data={data} refresh={refresh} isMain={mainAction === 'problem'} />
      </div>
      <div className="p-dash-fill is-left-figure">
        <DeadlineCard data={data} isMain={mainAction === 'file'} />
      </div>
      <div className="p-dash-fill is-right-figure">
        <OpenPeriodCard data={data} />
      </div>
      <div className="p-dash-column is-left">
        <AdvanceCard data={data} isMain={mainAction === 'advance'} />
        {narrow ? tasks : null}
        <ObligationsCard data={data} />
      </div>
      <div className="p-dash-column is-right">
        {narrow ? null : tasks}
        <ConnectionCard data={data} refresh={refresh} />
        <MoneyCard data={data} />
      </div>
    </div>
  );
}

/** Chooses the screen's only filled button: a problem first, then an offer to accept, then a return to file, then a remaining task. */
function chooseMainAction(dashboard: DashboardOutput): 'problem' | 'advance' | 'file' | 'task' | 'none' {
  if (listProblems(dashboard).some((problem) => problem.action !== null)) return 'problem';
  if (dashboard.advance?.state === 'quoted' && dashboard.advance.eligible) return 'advance';
  if (dashboard.obligations.some((obligation) => obligation.state === 'ready')) return 'file';
  return dashboard.tasks.length > 0 ? 'task' : 'none';
}
