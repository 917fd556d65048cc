/** The rights of our own staff. An operator may have several roles; each gives only its own rights. */

/**
 * `support` has only the rights that every operator has: to read, to add notes, and to view the portal as a user. `mlro` is the money
 * laundering reporting officer.
 */
export const OPERATOR_ROLES = ['administrator', 'underwriter', 'releaser', 'finance', 'mlro', 'support'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The names of the roles on screen. */
export const OPERATOR_ROLE_NAMES: Readonly<Record<OperatorRole, string>> = {
  administrator: 'Administrator',
  underwriter: 'Underwriter',
  releaser: 'Releaser',
  finance: 'Finance',
  mlro: 'MLRO',
  support: 'Support',
};

/** Returns true if a text is the name of a role. */
export function isOperatorRole(text: string): text is OperatorRole {
  return (OPERATOR_ROLES as readonly string[]).includes(text);
}
