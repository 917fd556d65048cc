/** The one place that decides who may make a call (product.md section 3). An endpoint names its access rule; this says what the rule means. */

import type { Role } from '@portal/domain/identity/roles.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Access } from '@portal/contract/endpoint.ts';
import type { Actor } from './session.ts';

/** Roles that hold each right over a company. An operator reads every company, and changes none through these. */
const COMPANY_RIGHTS = {
  'company.read': ['trader_owner'],
  'company.manage': ['trader_owner'],
  'company.file_return': ['trader_owner'],
  'company.accept_advance': ['trader_owner'],
  'practice.read': ['practice_admin', 'team_member'],
  'practice.manage': ['practice_admin'],
  // Which clients a team_member may see is asked beside this: client-access.ts.
  'client.read': ['practice_admin', 'team_member'],
  'client.work': ['practice_admin', 'team_member'],
} as const satisfies Record<Extract<Access, `${'company' | 'practice' | 'client'}.${string}`>, readonly Role[]>;

/** What the actor may do; undefined = allowed. Another tenant's company is `notFound`, never `forbidden`: its existence is nobody's business. */
export function refusalOf(access: Access, actor: Actor | undefined): AppError | undefined {
  if (access === 'public') return undefined;
  if (!actor) return new AppError('unauthenticated', 'identity.not_signed_in', 'Sign in to go on.');
  switch (access) {
    case 'signed_in':
      return undefined;
    case 'operator':
    case 'operator.money':
      return actor.isOperator ? undefined : nothingHere();
    default:
      if (actor.isOperator && access === 'company.read') return undefined;
      return actor.role && (COMPANY_RIGHTS[access] as readonly Role[]).includes(actor.role) ? undefined : nothingHere();
  }
}

/** Who holds a right over a company: to tell them what only they can mend. */
export function rolesWith(access: keyof typeof COMPANY_RIGHTS): readonly Role[] {
  return COMPANY_RIGHTS[access];
}

/** Whether the rule speaks of one tenant, named by `company_id`. */
export function isTenants(access: Access): boolean {
  return access in COMPANY_RIGHTS;
}

/** What a stranger to a thing is told, whether it exists or not. */
export function nothingHere(): AppError {
  return new AppError('notFound', 'request.not_found', 'There is nothing here for you.');
}
