/** Checks that the roles matrix shown in the settings matches the policies (docs/product/decisions.md section 3). */
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Access, Endpoint } from '@portal/contract/endpoint.ts';
import { OPERATOR_RIGHTS_MATRIX } from '@portal/contract/operator-rights.ts';
import { OPERATOR_ROLES } from '@portal/domain/identity/operator-roles.ts';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { PRACTICE_RIGHTS } from '@portal/contract/practice-rights.ts';
import { PERMISSIONS } from '@portal/domain/team/permissions.ts';
import { MATRIX_ROLES, ROLES_MATRIX, type MatrixRole } from '@portal/contract/roles-matrix.ts';
import { describe, expect, it } from 'vitest';
import { findAccessError } from './policies.ts';
import type { Actor } from './session.ts';

/** Returns an actor in the company that the request names. */
function toActor(role: MatrixRole): Actor | undefined {
  if (role === 'visitor') return undefined;
  const person = { userId: 'u', email: 'e', fullName: 'n', isOperator: role === 'operator', signInMethod: 'password' as const };
  return role === 'operator' ? { ...person, operatorRoles: OPERATOR_ROLES, role: undefined } : { ...person, role };
}

const CASES = ROLES_MATRIX.flatMap(({ what, cells, access }) =>
  access.flatMap((rule) => MATRIX_ROLES.map((role) => ({ what, rule, role, cell: cells[role] }))),
);

describe('the displayed roles matrix', () => {
  it.each(CASES)('$what ($rule): $role, $cell', ({ rule, role, cell }) => {
    expect(findAccessError(rule, toActor(role)) === undefined).toBe(cell !== 'no' && cell !== 'permission');
    const actor = toActor(role);
    // Every permission grants exactly what the matrix says, and nothing else.
    if (role !== 'team_member' || !actor) return;
    const opens = PERMISSIONS.filter((permission) => findAccessError(rule, { ...actor, permissions: [permission] }) === undefined);
    expect(opens.length).toBe(cell === 'no' ? 0 : cell === 'permission' ? 1 : PERMISSIONS.length);
  });

  it('has a call for every permission, so that none is promised without effect', () => {
    const usedRights = new Set(
      [...Object.values(ALL_ENDPOINTS), ...Object.values(FILE_ENDPOINTS)].flatMap((api) =>
        Object.values<{ access: Access }>(api).map(({ access }) => access),
      ),
    );
    const guardedAccesses = Object.entries(PRACTICE_RIGHTS).flatMap(([access, { permission }]) =>
      permission && usedRights.has(access as Access) ? [permission] : [],
    );
    expect([...new Set(guardedAccesses)].toSorted()).toEqual(PERMISSIONS.toSorted());
  });

  it('has a row for every access rule in use except signed_in', () => {
    const usedRights = new Set(Object.values(ALL_ENDPOINTS).flatMap((api) => Object.values<Endpoint>(api).map(({ access }) => access)));
    const printedAccesses = new Set<Access>(['signed_in', ...ROLES_MATRIX.flatMap(({ access }) => access)]);
    expect([...usedRights].filter((access) => !printedAccesses.has(access))).toEqual([]);
  });

  it('has each access rule in one row', () => {
    const rules = ROLES_MATRIX.flatMap(({ access }) => access);
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([]);
  });
});

describe('the displayed rights of operators', () => {
  const toOperator = (operatorRole: (typeof OPERATOR_ROLES)[number]): Actor => ({
    userId: 'u',
    email: 'e',
    fullName: 'n',
    isOperator: true,
    signInMethod: 'password',
    role: undefined,
    operatorRoles: [operatorRole],
  });

  it.each(OPERATOR_RIGHTS_MATRIX.flatMap((row) => OPERATOR_ROLES.map((role) => ({ ...row, role }))))(
    '$access: $role',
    ({ access, roles, role }) => {
      expect(findAccessError(access, toOperator(role)) === undefined).toBe(roles.includes(role));
    },
  );

  it('give no rights by a role without a session that has shown a second factor', () => {
    const { operatorRoles: _, ...person } = toOperator('administrator');
    for (const { access } of OPERATOR_RIGHTS_MATRIX)
      expect(findAccessError(access, { ...person, isOperator: false })?.kind).toBe('notFound');
  });
});
