import type { CompanyPermission } from '../company-people/company-access.ts';
import type { Permission } from '../team/permissions.ts';

/** Permissions beyond the role: of a team member of a practice, or of a bookkeeper or accountant of a trader's company. */
export type MembershipPermission = Permission | CompanyPermission;
