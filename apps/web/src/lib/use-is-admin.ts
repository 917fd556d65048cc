import { practiceApi } from '@portal/contract/practice.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api.ts';

/** Returns whether the user is an admin of the practice, or false until known. */
export function useIsAdmin(companyId: string): boolean {
  const profile = useQuery({ ...apiQuery(practiceApi.accountantProfile, { company_id: companyId }), enabled: companyId !== '' });
  return profile.data?.role === 'admin';
}
