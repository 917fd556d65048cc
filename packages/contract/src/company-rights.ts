/**
 * Defines which roles and permissions give which right in a trader's company. The server enforces this table (http/policies.ts), and the
 * company's people page shows it.
 */
import type { CompanyPermission } from '@portal/domain/company-people/company-access.ts';
import { TRADER_ROLES, type TraderRole } from '@portal/domain/identity/roles.ts';
import type { Access } from './endpoint.ts';

/** The access rules of a trader's company. */
export type CompanyAccess = Extract<Access, `company.${string}`>;

type CompanyRight = {
  /** The name shown on the company's people page and in errors. */
  readonly name: string;
  /** Roles that have the right regardless of permissions. */
  readonly roles: readonly TraderRole[];
  /** The permission that gives the right to a bookkeeper or an accountant. */
  readonly permission?: CompanyPermission;
};

const OWNERS = ['trader_owner'] as const;

export const COMPANY_RIGHTS: Readonly<Record<CompanyAccess, CompanyRight>> = {
  'company.read': { name: 'View returns, refunds and documents', roles: TRADER_ROLES },
  'company.prepare': {
    name: 'Upload books, adjust returns and refresh HMRC’s figures',
    roles: ['trader_owner', 'trader_bookkeeper', 'trader_accountant'],
  },
  'company.file_return': { name: 'File VAT returns', roles: OWNERS, permission: 'file_returns' },
  'company.accept_advance': { name: 'Accept refund offers', roles: OWNERS, permission: 'accept_advances' },
  'company.manage': { name: 'Connect HMRC, change the bank account and close the company', roles: OWNERS },
  'company.api': { name: 'Create API keys', roles: OWNERS },
  'company.leave': { name: 'Leave the company', roles: TRADER_ROLES },
  'company.people': { name: 'Invite, change and remove people', roles: OWNERS },
};

/** Returns whether an access rule is about a trader's company. */
export function isCompanyAccess(access: Access): access is CompanyAccess {
  return access in COMPANY_RIGHTS;
}

/** Returns whether someone with this role and these permissions has the right. */
export function hasCompanyRight(access: CompanyAccess, role: TraderRole, permissions: readonly string[]): boolean {
  const { roles, permission } = COMPANY_RIGHTS[access];
  if (roles.includes(role)) return true;
  return permission !== undefined && role !== 'trader_viewer' && permissions.includes(permission);
}
