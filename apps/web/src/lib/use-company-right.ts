import { hasCompanyRight, type CompanyAccess } from '@portal/contract/company-rights.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { TRADER_ROLES } from '@portal/domain/identity/roles.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api.ts';

/**
 * Returns whether the user has a right over a trader's company. Returns undefined until known, and for users who don't belong to the
 * company (operators, the demo).
 */
export function useCompanyRight(companyId: string, access: CompanyAccess): boolean | undefined {
  const companies = useQuery({ ...apiQuery(identityApi.userCompanies, {}), enabled: companyId !== '', staleTime: 60_000 });
  const ownCompany = companies.data?.find(({ company_id: id }) => id === companyId);
  const role = TRADER_ROLES.find((known) => known === ownCompany?.role);
  return role === undefined || ownCompany === undefined ? undefined : hasCompanyRight(access, role, ownCompany.permissions);
}
