import { identityApi } from '@portal/contract/identity.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../lib/api.ts';

/** The name behind the dashboard's initials; undefined while or where it cannot be read. */
export function useCompanyName(companyId: string): string | undefined {
  return useQuery({ ...ask(identityApi.dashboardCompanyName, { company_id: companyId }), enabled: companyId !== '' }).data?.name;
}
