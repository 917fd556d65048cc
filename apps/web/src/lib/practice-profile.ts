import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import type { Permission } from '@portal/domain/team/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api.ts';

/** The practice, and the user's role in it. */
export type PracticeProfile = EndpointOutput<typeof practiceApi.accountantProfile>;

/** Reads the practice's profile. An error with status 404 means that the practice isn't one of the user's. */
export const usePracticeProfile = (companyId: string) =>
  useQuery({ ...apiQuery(practiceApi.accountantProfile, { company_id: companyId }), enabled: companyId !== '' });

/** Returns whether the user is an admin of the practice, or false until known. */
export const useIsAdmin = (companyId: string): boolean => usePracticeProfile(companyId).data?.role === 'admin';

/** Returns whether the user has a permission in the practice, or false until known. Admins have all permissions. */
export const usePermission = (companyId: string, permission: Permission): boolean =>
  usePracticeProfile(companyId).data?.permissions.includes(permission) ?? false;
