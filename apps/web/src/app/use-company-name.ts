import { identityApi } from '@portal/contract/identity.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery } from '../lib/api.ts';
import { deleteSavedCompanyId } from '../lib/saved-company-id.ts';

/**
 * Returns the company's name, for the dashboard's initials. Undefined until loaded. A failure is only logged (docs/product/specification.md
 * section 8).
 */
export function useCompanyName(companyId: string): string | undefined {
  const { data, error } = useQuery({ ...apiQuery(identityApi.dashboardCompanyName, { company_id: companyId }), enabled: companyId !== '' });
  useEffect(() => {
    // The session has ended and the browser is about to open the login page.
    if (error !== null && error.status !== 401) console.error(`The company name couldn’t be read: ${error.message}`);
    if (error?.status === 404) deleteSavedCompanyId(companyId);
  }, [error, companyId]);
  return data?.name;
}
