/** A user's permissions in a trader's company beyond the role, and the rules for changing its users. */
import { AppError } from '../app-error.ts';
import type { TraderRole } from '../identity/roles.ts';

/** Permissions that an owner may give a bookkeeper or an accountant. An owner has both; a viewer has neither. */
export const COMPANY_PERMISSIONS = ['file_returns', 'accept_advances'] as const;
export type CompanyPermission = (typeof COMPANY_PERMISSIONS)[number];

/** Names used on screens and in emails. */
export const COMPANY_PERMISSION_NAMES: Readonly<Record<CompanyPermission, string>> = {
  file_returns: 'File VAT returns',
  accept_advances: 'Accept refund offers',
};

/** Role names used on screens and in emails. */
export const TRADER_ROLE_NAMES: Readonly<Record<TraderRole, string>> = {
  trader_owner: 'Owner',
  trader_bookkeeper: 'Bookkeeper',
  trader_accountant: 'Accountant',
  trader_viewer: 'Viewer',
};

/** Keeps only the permissions that a role can have. An owner's are implied by the role, so none are stored. */
export function filterGrantablePermissions(role: TraderRole, permissions: readonly string[]): CompanyPermission[] {
  if (role === 'trader_owner' || role === 'trader_viewer') return [];
  return COMPANY_PERMISSIONS.filter((permission) => permissions.includes(permission));
}

/**
 * Throws if the company would be left without an owner. `owners` are the ids of all owners; `userId` is the user who is leaving or will no
 * longer be an owner.
 */
export function assertOwnerStays(owners: readonly string[], userId: string): void {
  if (owners.some((owner) => owner !== userId)) return;
  throw new AppError('conflict', 'company_people.last_owner', 'A company must have an owner. Make someone else an owner first.');
}
