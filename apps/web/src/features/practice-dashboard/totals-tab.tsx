/** The totals of all taxes or of one: problems first, then deadlines, then totals and the year. */
import { practiceDashboardApi, type PracticeDashboard } from '@portal/contract/practice-dashboard.ts';
import { AGENT_TAXES, type AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { RefreshStatus } from '../../components/practice/refresh-status.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CashCard } from './cash-card.tsx';
import { DashboardSkeleton } from './dashboard-skeleton.tsx';
import { NothingImported } from './nothing-imported.tsx';
import { TotalCards } from './total-cards.tsx';

export type TotalsTabName = PracticeDashboard['tax'];

/** The taxes of a tab that HMRC's service for agents' software covers. */
const REFRESHED_TAXES: Readonly<Record<TotalsTabName, readonly AgentTax[]>> = {
  all: AGENT_TAXES,
  vat: ['vat'],
  paye: [],
  ct: [],
  sa: ['sa'],
};

function getTabQuery(tab: TotalsTabName, companyId: string) {
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

export function TotalsTab({ companyId, tab }: { companyId: string; tab: TotalsTabName }) {
  const query = useQuery({ ...getTabQuery(tab, companyId), enabled: companyId !== '', placeholderData: keepPreviousData });
  const taxes = REFRESHED_TAXES[tab];
  return (
    <LoadState query={query} skeleton={<DashboardSkeleton />}>
      {(data) =>
        data.state === 'nothing_imported' ? (
          <NothingImported companyId={companyId} isAdmin={data.scope === 'practice'} />
        ) : (
          <Stack gap={24}>
            <StateNotice data={data} companyId={companyId} />
            <TotalCards data={data} companyId={companyId} />
            <CashCard data={data} />
            <Sources data={data} />
            {taxes.length > 0 && <RefreshStatus companyId={companyId} isAdmin={data.scope === 'practice'} taxes={taxes} />}
          </Stack>
        )
      }
    </LoadState>
  );
}

function Sources({ data }: { data: PracticeDashboard }) {
  return (
    <Text size="small" tone="quiet">
      {data.scope === 'assigned' && 'Only clients assigned to you. '}
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

function StateNotice({ data, companyId }: { data: PracticeDashboard; companyId: string }) {
  if (data.state === 'ready' || data.syncing.length > 0) return null;
  return (
    <Notice tone="warning" title="No figures yet">
      So far you only see statutory deadlines. To see amounts, connect HMRC or import statements.{' '}
      <TextLink to={pageLink('practiceClients', { company_id: companyId })}>View clients</TextLink>
    </Notice>
  );
}
