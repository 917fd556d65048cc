/** What a person of a trader's company may do beyond the role, and which changes of its people are allowed. */
import { AppError } from '../app-error.ts';
import type { TraderRole } from '../identity/roles.ts';

/** What an owner may allow a bookkeeper or an accountant. An owner may do both; a viewer neither. */
export const COMPANY_PERMISSIONS = ['file_returns', 'accept_advances'] as const;
export type CompanyPermission = (typeof COMPANY_PERMISSIONS)[number];

/** The names on screens and in emails. */
export const COMPANY_PERMISSION_NAMES: Readonly<Record<CompanyPermission, string>> = {
  file_returns: 'File VAT returns',
  accept_advances: 'Accept refund offers',
};

/** The role names on screens and in emails. */
export const TRADER_ROLE_NAMES: Readonly<Record<TraderRole, string>> = {
  trader_owner: 'Owner',
  trader_bookkeeper: 'Bookkeeper',
  trader_accountant: 'Accountant',
  trader_viewer: 'Viewer',
};

/** The permissions that a role can have. Those of an owner follow from the role, so none are stored. */
export function keepGrantable(role: TraderRole, permissions: readonly string[]): CompanyPermission[] {
  if (role === 'trader_owner' || role === 'trader_viewer') return [];
  return COMPANY_PERMISSIONS.filter((permission) => permissions.includes(permission));
}

/**
 * Throws if the company would have no owner. `owners` are the ids of all owners, and `userId` is the person who stops being one or leaves.
 */
export function assertOwnerStays(owners: readonly string[], userId: string): void {
  if (owners.some((owner) => owner !== userId)) return;
  throw new AppError('conflict', 'company_people.last_owner', 'A company needs an owner. Make someone else an owner first.');
}
