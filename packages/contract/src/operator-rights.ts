/** Defines what each operator role may do, as shown on /admin/people. A test compares this table with the server's policies. */
import { OPERATOR_ROLES, type OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import type { Access } from './endpoint.ts';

type OperatorAccess = Extract<Access, `operator${string}`>;

/** The roles that have each right, in the order of a payment's stages. Every operator has read access. */
export const OPERATOR_RIGHTS_MATRIX: readonly {
  readonly what: string;
  readonly access: OperatorAccess;
  readonly roles: readonly OperatorRole[];
}[] = [
  {
    what: 'View everything here, add notes, view the portal as a user',
    access: 'operator',
    roles: OPERATOR_ROLES,
  },
  { what: 'Approve or decline refunds', access: 'operator.underwrite', roles: ['underwriter'] },
  { what: 'Release payouts', access: 'operator.release', roles: ['releaser'] },
  { what: 'Manage credits, surpluses, shortfalls and write-offs', access: 'operator.finance', roles: ['finance'] },
  { what: 'Sanctions screening', access: 'operator.screen', roles: ['mlro'] },
  { what: 'Manage operators, roles, limits, partners, prices and promotion codes', access: 'operator.manage', roles: ['administrator'] },
];
