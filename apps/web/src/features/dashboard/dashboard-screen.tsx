/** The trader's dashboard: what to do next, the deadline and the amounts, the refund, then the details. */
import { dashboardApi, type DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { AdvanceCard } from './advance-card.tsx';
import { ConnectionCard } from './connection-card.tsx';
import styles from './dashboard-screen.module.css';
import { DashboardSkeleton } from './dashboard-skeleton.tsx';
import { DeadlineCard } from './deadline-card.tsx';
import { MoneyCard } from './money-card.tsx';
import { NoCompany } from './no-company.tsx';
import { ObligationsCard } from './obligations-card.tsx';
import { OpenPeriodCard } from './open-period-card.tsx';
import { RefreshFailure } from './refresh-failure.tsx';
import { TasksCard } from './tasks-card.tsx';
import { UnknownCompany } from './unknown-company.tsx';
import { useHmrcRefresh } from './use-hmrc-refresh.ts';

/**
 * In these states, polls often, so that the timeline keeps up with the payment. Otherwise, once a minute is enough to show changes made
 * elsewhere.
 */
const MOVING_STATES: ReadonlySet<string> = new Set(['accepted', 'in_review', 'approved', 'paying', 'paid']);
const MOVING_INTERVAL_MS = 5_000;
const IDLE_INTERVAL_MS = 60_000;

export function DashboardScreen() {
  const { companyId, isSettled } = useCompanyId();
  const dashboard = useQuery({
    ...apiQuery(dashboardApi.get, { company_id: companyId }),
    enabled: companyId !== '',
    refetchInterval: ({ state }) => (MOVING_STATES.has(state.data?.advance?.state ?? '') ? MOVING_INTERVAL_MS : IDLE_INTERVAL_MS),
  });
  if (isSettled && companyId === '') return <NoCompany />;
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
  return (
    <div className={styles.dashboard}>
      <Stack className={styles.whole}>
        <RefreshFailure data={data} refresh={refresh} />
        <TasksCard data={data} />
      </Stack>
      <div className={clsx(styles.figure, styles.leftFigure)}>
        <DeadlineCard data={data} />
      </div>
      <div className={clsx(styles.figure, styles.rightFigure)}>
        <OpenPeriodCard data={data} />
      </div>
      <Stack gap={24} className={styles.left}>
        <AdvanceCard data={data} />
        <ConnectionCard data={data} refresh={refresh} />
      </Stack>
      <div className={styles.right}>
        <MoneyCard data={data} />
      </div>
      <div className={styles.whole}>
        <ObligationsCard data={data} />
      </div>
    </div>
  );
}
