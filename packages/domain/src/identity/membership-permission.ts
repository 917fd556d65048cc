import type { CompanyPermission } from '../company-people/company-access.ts';
import type { Permission } from '../team/permissions.ts';

/** What a person may do beyond the role: a team member of a practice, or a bookkeeper or accountant of a trader's company. */
export type MembershipPermission = Permission | CompanyPermission;
