/** All VAT returns of a company, with their amounts. */
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { NoCompany } from './no-company.tsx';
import { ObligationsCard } from './obligations-card.tsx';
import { UnknownCompany } from './unknown-company.tsx';

export function VatReturnsScreen() {
  const { companyId, isSettled } = useCompanyId();
  const dashboard = useQuery({ ...apiQuery(dashboardApi.get, { company_id: companyId }), enabled: companyId !== '' });
  if (isSettled && companyId === '') return <NoCompany />;
  if (dashboard.data === undefined && dashboard.error?.status === 404) return <UnknownCompany />;
  return (
    <Page title="VAT returns" lead={dashboard.data?.company.name ?? <>&nbsp;</>}>
      <LoadState query={dashboard} skeleton={<TableSkeleton rows={8} />}>
        {(data) => <ObligationsCard data={data} title="All returns" />}
      </LoadState>
    </Page>
  );
}
