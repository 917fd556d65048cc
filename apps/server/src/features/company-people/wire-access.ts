/** Converts roles and permissions of a company's users between the database and the API. */
import type { CompanyWireRole } from '@portal/contract/company-people.ts';
import { COMPANY_PERMISSIONS, filterGrantablePermissions, type CompanyPermission } from '@portal/domain/company-people/company-access.ts';
import type { TraderRole } from '@portal/domain/identity/roles.ts';

type StoredAccess = { readonly role: TraderRole; readonly permissions: readonly string[] };

/** An owner has every permission, whatever is stored. */
export function toWireAccess({ role, permissions }: StoredAccess): { role: CompanyWireRole; permissions: CompanyPermission[] } {
  return {
    role: toWireRole(role),
    permissions: role === 'trader_owner' ? [...COMPANY_PERMISSIONS] : filterGrantablePermissions(role, permissions),
  };
}

export function toWireRole(role: TraderRole): CompanyWireRole {
  return role.slice('trader_'.length) as CompanyWireRole;
}

/** Converts the access in a request to its stored form. */
export function toStoredAccess({
  role,
  permissions = [],
}: {
  readonly role: CompanyWireRole;
  readonly permissions?: readonly CompanyPermission[] | undefined;
}): { role: TraderRole; permissions: CompanyPermission[] } {
  const storedRole = `trader_${role}` as const;
  return { role: storedRole, permissions: filterGrantablePermissions(storedRole, permissions) };
}
