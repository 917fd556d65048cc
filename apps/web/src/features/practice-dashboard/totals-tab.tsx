/** The totals for all taxes or for one: problems first, then deadlines, then the totals and the year. */
import { practiceTotalsEndpoints, type PracticeDashboard } from '@portal/contract/practice-totals.ts';
import { AGENT_TAXES, type AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { NoFiguresNotice } from '../../components/practice/no-figures-notice.tsx';
import { PositionChanges } from '../../components/practice/position-changes.tsx';
import { RefreshStatus } from '../../components/practice/refresh-status.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Text } from '../../ui/text.tsx';
import { CashCard } from './cash-card.tsx';
import { DashboardSkeleton } from './dashboard-skeleton.tsx';
import { NothingImported } from './nothing-imported.tsx';
import { TotalCards } from './total-cards.tsx';

export type TotalsTabName = PracticeDashboard['tax'];

/** The taxes of a tab that HMRC's agent APIs cover. */
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
      return apiQuery(practiceTotalsEndpoints.get, { company_id: companyId, tax: tab });
    case 'paye':
      return apiQuery(practiceTotalsEndpoints.paye, { company_id: companyId });
    case 'ct':
      return apiQuery(practiceTotalsEndpoints.corporationTax, { company_id: companyId });
    case 'sa':
      return apiQuery(practiceTotalsEndpoints.selfAssessment, { company_id: companyId });
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
            {data.state !== 'ready' && data.syncing.length === 0 && (
              <NoFiguresNotice companyId={companyId} isAdmin={data.scope === 'practice'} />
            )}
            <TotalCards data={data} companyId={companyId} />
            <CashCard data={data} companyId={companyId} />
            <Row>
              <PositionChanges companyId={companyId} tax={tab === 'all' ? undefined : tab} />
            </Row>
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
