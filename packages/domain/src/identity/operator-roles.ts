/** The rights of our own staff. An operator may have several roles; each adds only its own rights. */

/**
 * `support` has only the rights that every operator has: reading, adding notes and viewing the portal as a user. `mlro` is the money
 * laundering reporting officer.
 */
export const OPERATOR_ROLES = ['administrator', 'underwriter', 'releaser', 'finance', 'mlro', 'support'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** Role names on screens. */
export const OPERATOR_ROLE_NAMES: Readonly<Record<OperatorRole, string>> = {
  administrator: 'Administrator',
  underwriter: 'Underwriter',
  releaser: 'Releaser',
  finance: 'Finance',
  mlro: 'MLRO',
  support: 'Support',
};

/** Returns true if the text is a role's name. */
export function isOperatorRole(text: string): text is OperatorRole {
  return (OPERATOR_ROLES as readonly string[]).includes(text);
}

/**
 * Whether a staff member can currently act as an operator. `enrolling`: signed in with the enrolment link, and still has to set up a second
 * factor. `needs_factor`: enrolled, but hasn't confirmed a second factor in this session.
 */
export const OPERATOR_STATUSES = ['active', 'enrolling', 'needs_factor'] as const;
export type OperatorStatus = (typeof OPERATOR_STATUSES)[number];
