import { identityApi } from '@portal/contract/identity.ts';
import { useQuery } from '@tanstack/react-query';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { PillTabs } from '../../ui/pill-tabs.tsx';

type OwnCompaniesProps = {
  page: 'clientsPortalDashboard' | 'clientsPortalMessages' | 'clientsPortalPapers' | 'clientsPortalSettings';
  companyId: string;
};

/** Switches between the client companies of a user who has several. */
export function OwnCompanies({ page, companyId }: OwnCompaniesProps) {
  const { data = [] } = useQuery({ ...apiQuery(identityApi.userCompanies, {}), staleTime: 60_000 });
  const ownCompanies = data.filter(({ kind }) => kind === 'client');
  if (ownCompanies.length < 2) return null;
  return (
    <PillTabs
      label={clientText('companies.label')}
      current={companyId}
      tabs={ownCompanies.map(({ company_id: key, name }) => ({ key, label: name, to: getPageLink(page, { company_id: key }) }))}
    />
  );
}
