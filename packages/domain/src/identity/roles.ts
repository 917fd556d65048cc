/** The kinds of company in the portal and the roles of their users. */

/** The kind of company. */
export const COMPANY_KINDS = ['trader', 'practice', 'client'] as const;
export type CompanyKind = (typeof COMPANY_KINDS)[number];

/** The roles of users in a trader's company (docs/decisions/0066-people-of-a-company.md). */
export const TRADER_ROLES = ['trader_owner', 'trader_bookkeeper', 'trader_accountant', 'trader_viewer'] as const;
export type TraderRole = (typeof TRADER_ROLES)[number];

/** The roles of a practice's members. */
export const PRACTICE_ROLES = ['practice_admin', 'team_member'] as const;
export type PracticeRole = (typeof PRACTICE_ROLES)[number];

/** A user’s role in a company. */
export const ROLES = [...TRADER_ROLES, ...PRACTICE_ROLES, 'client'] as const;
export type Role = (typeof ROLES)[number];

/** Returns true for roles in a trader's company. */
export function isTraderRole(role: Role | undefined): role is TraderRole {
  return (TRADER_ROLES as readonly (Role | undefined)[]).includes(role);
}
