/**
 * The single place that decides who may make a request (docs/product/decisions.md section 3). An endpoint names its access rule; this file
 * defines the rule.
 */

import type { Role } from '@portal/domain/identity/roles.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Access } from '@portal/contract/endpoint.ts';
import type { Actor } from './session.ts';

/** Roles with each right over a company. Operators may read every company but change none through these. */
const COMPANY_RIGHTS = {
  'company.read': ['trader_owner'],
  'company.manage': ['trader_owner'],
  'company.file_return': ['trader_owner'],
  'company.accept_advance': ['trader_owner'],
  'practice.read': ['practice_admin', 'team_member'],
  'practice.manage': ['practice_admin'],
  // client-access.ts checks which clients a team_member may see.
  'client.read': ['practice_admin', 'team_member'],
  'client.work': ['practice_admin', 'team_member'],
} as const satisfies Record<Extract<Access, `${'company' | 'practice' | 'client'}.${string}`>, readonly Role[]>;

/**
 * Returns undefined if the actor is allowed. Another tenant's company gives `notFound`, never `forbidden`, so that its existence stays
 * private.
 */
export function findAccessError(access: Access, actor: Actor | undefined): AppError | undefined {
  if (access === 'public') return undefined;
  if (!actor) return new AppError('unauthenticated', 'identity.not_signed_in', 'Sign in to continue.');
  switch (access) {
    case 'signed_in':
      return undefined;
    case 'operator':
    case 'operator.underwrite':
    case 'operator.release':
    case 'operator.finance':
    case 'operator.screen':
    case 'operator.manage':
      return actor.isOperator ? undefined : notFoundError();
    default:
      if (actor.isOperator && access === 'company.read') return undefined;
      return actor.role && (COMPANY_RIGHTS[access] as readonly Role[]).includes(actor.role) ? undefined : notFoundError();
  }
}

/** Roles with a right over a company, for notifying the people who can fix a problem. */
export function listRolesWith(access: keyof typeof COMPANY_RIGHTS): readonly Role[] {
  return COMPANY_RIGHTS[access];
}

/** Whether the rule applies to one tenant, which `company_id` names. */
export function hasTenant(access: Access): boolean {
  return access in COMPANY_RIGHTS;
}

/** The error for a resource the person has no access to, whether or not it exists. */
export function notFoundError(): AppError {
  return new AppError('notFound', 'request.not_found', 'Page not found.');
}
