/** The practice's dashboard: today's work first, then what all clients owe, must file and will be repaid, for all taxes or for one. */
import { lazy, Suspense } from 'react';
import { useSearchParams } from '../../lib/search-params.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { usePracticeProfile } from '../../lib/practice-profile.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { DashboardSkeleton } from './dashboard-skeleton.tsx';
import { TodayTab } from './today-tab.tsx';
import type { TotalsTabName } from './totals-tab.tsx';

const TotalsTab = lazy(() => import('./totals-tab.tsx').then((file) => ({ default: file.TotalsTab })));

const TOTALS_TABS: readonly { readonly tab: TotalsTabName; readonly label: string }[] = [
  { tab: 'all', label: 'All taxes' },
  { tab: 'vat', label: TAX_NAMES.vat },
  { tab: 'paye', label: TAX_NAMES.paye },
  { tab: 'ct', label: TAX_NAMES.ct },
  { tab: 'sa', label: TAX_NAMES.sa },
];

export function PracticeDashboardScreen() {
  const { companyId } = useCompanyId();
  const [search] = useSearchParams();
  const tab = TOTALS_TABS.find((known) => known.tab === search.get('tax'))?.tab ?? 'today';
  const profile = usePracticeProfile(companyId);
  const isAdmin = profile.data?.role === 'admin';
  const query = { company_id: companyId };
  return (
    <PracticePage title="Dashboard">
      <PillTabs
        label="Views"
        current={tab}
        tabs={[
          { key: 'today', label: 'Today', to: getPageLink('practiceDashboard', query) },
          ...TOTALS_TABS.map(({ tab: key, label }) => ({ key, label, to: getPageLink('practiceDashboard', { ...query, tax: key }) })),
        ]}
      />
      {tab === 'today' ? (
        <TodayTab companyId={companyId} isAdmin={isAdmin} />
      ) : (
        <Suspense fallback={<DashboardSkeleton />}>
          <TotalsTab companyId={companyId} tab={tab} />
        </Suspense>
      )}
    </PracticePage>
  );
}
