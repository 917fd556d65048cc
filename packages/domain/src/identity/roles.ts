/** The kinds of company in the portal and the roles of their people. */

/** The kind of company. */
export const COMPANY_KINDS = ['trader', 'practice', 'client'] as const;
export type CompanyKind = (typeof COMPANY_KINDS)[number];

/** A person’s role in a company. */
export const ROLES = ['trader_owner', 'practice_admin', 'team_member', 'client'] as const;
export type Role = (typeof ROLES)[number];

/** The roles of people who work in a practice. */
export const PRACTICE_ROLES = ['practice_admin', 'team_member'] as const;
export type PracticeRole = (typeof PRACTICE_ROLES)[number];
