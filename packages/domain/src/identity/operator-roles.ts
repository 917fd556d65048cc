/** What our own staff may do. A person may have several roles; each gives only its own rights. */

/** `support` has only what every operator has: to read, to add notes, and to look at the portal as a user. `mlro` is the money laundering reporting officer. */
export const OPERATOR_ROLES = ['administrator', 'underwriter', 'releaser', 'finance', 'mlro', 'support'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The roles by their names on screen. */
export const OPERATOR_ROLE_NAMES: Readonly<Record<OperatorRole, string>> = {
  administrator: 'Administrator',
  underwriter: 'Underwriter',
  releaser: 'Releaser',
  finance: 'Finance',
  mlro: 'MLRO',
  support: 'Support',
};

/** Whether a text names a role. */
export function isOperatorRole(text: string): text is OperatorRole {
  return (OPERATOR_ROLES as readonly string[]).includes(text);
}
