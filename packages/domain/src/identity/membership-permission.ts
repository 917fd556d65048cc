import type { CompanyPermission } from '../company-people/company-access.ts';
import type { Permission } from '../team/permissions.ts';

/** Permissions beyond the role, for a practice's team member or for a bookkeeper or accountant of a trader's company. */
export type MembershipPermission = Permission | CompanyPermission;
