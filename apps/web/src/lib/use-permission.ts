import { practiceApi } from '@portal/contract/practice.ts';
import type { Permission } from '@portal/domain/team/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api.ts';

/** Returns whether the user has a permission in the practice, or false until known. Admins have all permissions. */
export function usePermission(companyId: string, permission: Permission): boolean {
  const profile = useQuery({ ...apiQuery(practiceApi.accountantProfile, { company_id: companyId }), enabled: companyId !== '' });
  return profile.data?.permissions.includes(permission) ?? false;
}
