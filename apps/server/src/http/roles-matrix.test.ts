/** The matrix that the settings print says what the policies do (product.md section 3). */
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Access, Endpoint } from '@portal/contract/endpoint.ts';
import { MATRIX_ROLES, ROLES_MATRIX, type MatrixRole } from '@portal/contract/roles-matrix.ts';
import { describe, expect, it } from 'vitest';
import { refusalOf } from './policies.ts';
import type { Actor } from './session.ts';

/** Somebody in the company that the call names. */
function actorOf(role: MatrixRole): Actor | undefined {
  if (role === 'visitor') return undefined;
  const person = { userId: 'u', email: 'e', fullName: 'n', isOperator: role === 'operator', signInMethod: 'password' as const };
  return role === 'operator' ? { ...person, role: undefined } : { ...person, role };
}

const CASES = ROLES_MATRIX.flatMap(({ what, cells, access }) =>
  access.flatMap((rule) => MATRIX_ROLES.map((role) => ({ what, rule, role, cell: cells[role] }))),
);

describe('the printed matrix of roles', () => {
  it.each(CASES)('$what ($rule): $role, $cell', ({ rule, role, cell }) => {
    expect(refusalOf(rule, actorOf(role)) === undefined).toBe(cell !== 'no');
  });

  it('has a row for every access rule that a call has, but the one of all who are signed in', () => {
    const used = new Set(Object.values(ALL_ENDPOINTS).flatMap((api) => Object.values<Endpoint>(api).map(({ access }) => access)));
    const printed = new Set<Access>(['signed_in', ...ROLES_MATRIX.flatMap(({ access }) => access)]);
    expect([...used].filter((access) => !printed.has(access))).toEqual([]);
  });
});
