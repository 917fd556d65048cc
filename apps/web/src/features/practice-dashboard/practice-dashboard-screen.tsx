/**
 * What all clients owe, must file and will be repaid: problems first, then deadlines, then totals. One tab for each tax and one for all.
 */
import { practiceDashboardApi, type PracticeDashboard } from '@portal/contract/practice-dashboard.ts';
import { AGENT_TAXES, type AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { pageLink } from '../../lib/page-link.ts';
import { clientImportLink } from '../../lib/practice-home.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { NoPracticeCard } from '../../components/practice/no-practice-card.tsx';
import { Page } from '../../ui/page.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { NoFiguresNotice } from '../../components/practice/no-figures-notice.tsx';
import { PositionChanges } from '../../components/practice/position-changes.tsx';
import { PracticeNav } from '../../components/practice/practice-nav.tsx';
import { RefreshStatus } from '../../components/practice/refresh-status.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { DashboardSkeleton } from './dashboard-skeleton.tsx';
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

/** The taxes of a tab that HMRC's service for agents' software covers. */
const REFRESHED_TAXES: Readonly<Record<Tab, readonly AgentTax[]>> = { all: AGENT_TAXES, vat: ['vat'], paye: [], ct: [], sa: ['sa'] };

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
  const taxes = REFRESHED_TAXES[tab];
  if ((settled && companyId === '') || query.error?.status === 404) return <NoPracticeCard title="Dashboard" />;
  const title = 'Dashboard';
  // Nothing is shown yet that the lead would move.
  if (query.isPending) {
    return (
      <Page title={title}>
        <DashboardSkeleton />
      </Page>
    );
  }
  return (
    <Page title={title} lead={query.data?.scope === 'assigned' ? 'Clients assigned to you' : undefined}>
      <PracticeNav companyId={companyId} />
      <LoadState query={query} skeleton={<DashboardSkeleton />}>
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
              <Stack gap={24}>
                {data.state !== 'ready' && data.syncing.length === 0 && (
                  <NoFiguresNotice companyId={companyId} isAdmin={data.scope === 'practice'} />
                )}
                <TotalCards data={data} companyId={companyId} />
                <CashCard data={data} />
                <Row>
                  <PositionChanges companyId={companyId} tax={tab === 'all' ? undefined : tab} />
                </Row>
                <Sources data={data} />
                {taxes.length > 0 && <RefreshStatus companyId={companyId} isAdmin={data.scope === 'practice'} taxes={taxes} />}
              </Stack>
            </>
          )
        }
      </LoadState>
    </Page>
  );
}

function Sources({ data }: { data: PracticeDashboard }) {
  return (
    <Text size="small" tone="quiet">
      Calculated on <InstantText at={data.counted_at} />, from HMRC, your imported statements, Companies House and statutory deadlines.
      {data.read_from !== null && data.read_to !== null && (
        <>
          {' '}
          Figures from <InstantText at={data.read_from} /> to <InstantText at={data.read_to} />.
        </>
      )}
    </Text>
  );
}

function NothingImported({ companyId, isAdmin }: { companyId: string; isAdmin: boolean }) {
  const importLink = clientImportLink(companyId);
  return (
    <SectionCard title={isAdmin ? 'Add your clients to get started' : 'No clients assigned to you yet'}>
      <Stack align="start">
        <Text measure>
          {isAdmin
            ? 'You’ll then see what your clients owe, what must be filed and when, and which refunds they’re due.'
            : 'When an admin of your practice assigns clients to you, their figures appear here.'}
        </Text>
        {isAdmin && (
          <Button to={importLink ?? pageLink('practiceClients', { company_id: companyId })}>
            {importLink === undefined ? 'Add a client' : 'Import clients'}
          </Button>
        )}
      </Stack>
    </SectionCard>
  );
}
