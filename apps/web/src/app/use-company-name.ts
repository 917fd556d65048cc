import { identityApi } from '@portal/contract/identity.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery } from '../lib/api.ts';
import { deleteSavedCompanyId } from '../lib/company-id.ts';

/** The name behind the dashboard's initials; undefined while or where it cannot be read. That is logged only: nobody is disturbed for two letters (specification 8). */
export function useCompanyName(companyId: string): string | undefined {
  const { data, error } = useQuery({ ...apiQuery(identityApi.dashboardCompanyName, { company_id: companyId }), enabled: companyId !== '' });
  useEffect(() => {
    // A session that ended is no fault of the name: the browser is on its way to the login page.
    if (error !== null && error.status !== 401) console.error(`The company name could not be read: ${error.message}`);
    if (error?.status === 404) deleteSavedCompanyId(companyId);
  }, [error, companyId]);
  return data?.name;
}
