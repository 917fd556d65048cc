/**
 * What all clients owe, must file and will be repaid: problems first, then deadlines, then totals. One tab for each tax and one for all.
 */
import { practiceDashboardApi, type PracticeDashboard } from '@portal/contract/practice-dashboard.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { pageLink } from '../../lib/page-link.ts';
import { clientImportLink } from '../../lib/practice-home.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { NoPracticeCard } from '../../ui/no-practice-card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { PracticeNav } from '../../ui/practice-nav.tsx';
import { RefreshStatus } from '../../ui/refresh-status.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { PageSkeleton } from '../../ui/skeletons.tsx';
import { CashCard } from './cash-card.tsx';
import { TotalCards } from './total-cards.tsx';

type Tab = PracticeDashboard['tax'];

const TABS: readonly { readonly tab: Tab; readonly label: string }[] = [
  { tab: 'all', label: 'All taxes' },
  { tab: 'vat', label: TAX_NAMES.vat },
  { tab: 'paye', label: TAX_NAMES.paye },
  { tab: 'ct', label: TAX_NAMES.ct },
  { tab: 'sa', label: TAX_NAMES.sa },
];

function getTabQuery(tab: Tab, companyId: string) {
  switch (tab) {
    case 'all':
    case 'vat':
      return apiQuery(practiceDashboardApi.get, { company_id: companyId, tax: tab });
    case 'paye':
      return apiQuery(practiceDashboardApi.paye, { company_id: companyId });
    case 'ct':
      return apiQuery(practiceDashboardApi.corporationTax, { company_id: companyId });
    case 'sa':
      return apiQuery(practiceDashboardApi.selfAssessment, { company_id: companyId });
  }
}

export function PracticeDashboardScreen() {
  const { companyId, settled } = useCompanyId();
  const [search] = useSearchParams();
  const tab = TABS.find((known) => known.tab === search.get('tax'))?.tab ?? 'all';
  const query = useQuery({
    ...getTabQuery(tab, companyId),
    enabled: companyId !== '',
    placeholderData: keepPreviousData,
  });
  if ((settled && companyId === '') || query.error?.status === 404) return <NoPracticeCard title="Dashboard" />;
  return (
    <Page title="Dashboard" lead={query.data?.scope === 'assigned' ? 'The clients that are given to you.' : undefined}>
      <PracticeNav companyId={companyId} />
      <LoadState query={query} skeleton={<PageSkeleton />}>
        {(data) =>
          data.state === 'nothing_imported' ? (
            <NothingImported companyId={companyId} isAdmin={data.scope === 'practice'} />
          ) : (
            <>
              <PillTabs
                label="Taxes"
                current={tab}
                tabs={TABS.map(({ tab: key, label }) => ({
                  key,
                  label,
                  to: pageLink('practiceDashboard', { company_id: companyId, tax: key }),
                }))}
              />
              {tab !== 'paye' && tab !== 'ct' && (
                <RefreshStatus companyId={companyId} isAdmin={data.scope === 'practice'} {...(tab === 'all' ? {} : { taxes: [tab] })} />
              )}
              <Box sx={{ display: 'grid', gap: 3 }}>
                <StateNotice data={data} companyId={companyId} />
                <TotalCards data={data} companyId={companyId} />
                <CashCard data={data} />
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  Counted <InstantText at={data.counted_at} /> from HMRC, the statements you imported, Companies House and dates by rule.
                  {data.read_from !== null && data.read_to !== null && (
                    <>
                      {' '}
                      The oldest figure was read <InstantText at={data.read_from} />, the newest <InstantText at={data.read_to} />.
                    </>
                  )}
                </Typography>
              </Box>
            </>
          )
        }
      </LoadState>
    </Page>
  );
}

function NothingImported({ companyId, isAdmin }: { companyId: string; isAdmin: boolean }) {
  const importLink = clientImportLink(companyId);
  return (
    <SectionCard title={isAdmin ? 'Begin with your clients' : 'No clients are given to you yet'}>
      <Typography sx={{ mb: isAdmin ? 2 : 0, maxWidth: '60ch' }}>
        {isAdmin
          ? 'Once they are here, this page says what they owe, what must be filed and when, and what comes back.'
          : 'An admin of your practice gives clients into your care; then their figures appear here.'}
      </Typography>
      {isAdmin && (
        <Button component={Link} to={importLink ?? pageLink('practiceClients', { company_id: companyId })}>
          {importLink === undefined ? 'Add a client' : 'Import clients'}
        </Button>
      )}
    </SectionCard>
  );
}

function StateNotice({ data, companyId }: { data: PracticeDashboard; companyId: string }) {
  if (data.state === 'ready' || data.syncing.length > 0) return null;
  return (
    <Notice tone="warning" title="No figure has been read yet">
      What you see are dates by rule. <Link to={pageLink('practiceClients', { company_id: companyId })}>See the clients</Link>, and connect
      HMRC or import statements to know amounts.
    </Notice>
  );
}
