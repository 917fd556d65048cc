/**
 * The only place that decides who can make a request (docs/product/decisions.md section 3). An endpoint names its access rule; this file
 * defines the rules.
 */

import { OPERATOR_ROLES, OPERATOR_ROLE_NAMES, type OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { isTraderRole, type Role } from '@portal/domain/identity/roles.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { toEpochMs, type Instant } from '@portal/domain/clock.ts';
import { COMPANY_RIGHTS, hasCompanyRight, isCompanyAccess, type CompanyAccess } from '@portal/contract/company-rights.ts';
import type { Access, Endpoint } from '@portal/contract/endpoint.ts';
import { hasPracticeRight, isPracticeAccess, PRACTICE_RIGHTS, type PracticeAccess } from '@portal/contract/practice-rights.ts';
import { FACTOR_NEEDED_CODE } from '@portal/contract/problem.ts';
import { PERMISSION_NAMES } from '@portal/domain/team/permissions.ts';
import type { Actor } from './session.ts';

type OperatorAccess = Extract<Access, `operator${string}`>;

/**
 * The operator roles that have each right. Administrators assign roles but have no rights over money themselves, so that no one can pay
 * alone.
 */
const OPERATOR_RIGHTS: Readonly<Record<OperatorAccess, readonly OperatorRole[]>> = {
  operator: OPERATOR_ROLES,
  'operator.underwrite': ['underwriter'],
  'operator.release': ['releaser'],
  'operator.finance': ['finance'],
  'operator.screen': ['mlro'],
  'operator.manage': ['administrator'],
};

/**
 * Returns undefined if the actor is allowed. For another tenant's company, returns `notFound`, never `forbidden`, so that its existence
 * stays private.
 */
export function findAccessError(access: Access, actor: Actor | undefined): AppError | undefined {
  if (access === 'public') return undefined;
  if (!actor) return createNotSignedInError();
  switch (access) {
    case 'signed_in':
      return undefined;
    case 'operator':
    case 'operator.underwrite':
    case 'operator.release':
    case 'operator.finance':
    case 'operator.screen':
    case 'operator.manage':
      return findOperatorError(access, actor);
    default:
      return isPracticeAccess(access) ? findPracticeError(access, actor) : findCompanyError(access, actor);
  }
}

/** Operators can read every company but change none. A member of the company may know which right is missing. */
function findCompanyError(access: CompanyAccess, { isOperator, role, permissions = [] }: Actor): AppError | undefined {
  if (isOperator && access === 'company.read') return undefined;
  if (!isTraderRole(role)) return createNotFoundError();
  if (hasCompanyRight(access, role, permissions)) return undefined;
  const { name } = COMPANY_RIGHTS[access];
  return new AppError('forbidden', 'company_people.right_missing', `Your role doesn’t include “${name}”. Ask an owner of the company.`);
}

/**
 * A member may know which permission is missing. For anyone else, the practice appears not to exist; for a member, neither do the admin
 * pages.
 */
function findPracticeError(access: PracticeAccess, { role, permissions = [] }: Actor): AppError | undefined {
  if (role === undefined || isTraderRole(role)) return createNotFoundError();
  if (hasPracticeRight(access, role, permissions)) return undefined;
  const { permission } = PRACTICE_RIGHTS[access];
  if (permission === undefined || role === 'client') return createNotFoundError();
  const name = PERMISSION_NAMES[permission];
  return new AppError('forbidden', 'team.permission_missing', `You need the “${name}” permission for this. Ask an admin of your practice.`);
}

/** For anyone else, the operator pages appear not to exist. An operator may know which role they lack. */
function findOperatorError(access: OperatorAccess, actor: Actor): AppError | undefined {
  if (!actor.isOperator) return createNotFoundError();
  if (canAct(access, actor.operatorRoles ?? [])) return undefined;
  const names = OPERATOR_RIGHTS[access]
    .map((role) => OPERATOR_ROLE_NAMES[role].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()))
    .join(' or ');
  return new AppError('forbidden', 'operator.role_missing', `You need the ${names} role for this. Ask an administrator.`);
}

/** Returns whether an operator with these roles has a right. */
export function canAct(access: OperatorAccess, roles: readonly OperatorRole[]): boolean {
  return OPERATOR_RIGHTS[access].some((role) => roles.includes(role));
}

/**
 * Returns whether the endpoint is closed to operators with a private interest in the company. Every change that needs a role and
 * concerns one company.
 */
export function requiresNoPrivateInterest({ access, method }: Pick<Endpoint, 'access' | 'method'>): boolean {
  return method !== 'GET' && access.startsWith('operator.');
}

/**
 * Returns whether the endpoint is closed to operators whose access is new (features/operators/new-access.ts): all decisions about money, also
 * administrators' about limits, prices and codes, but not those about operators, because a stolen account must be closed at once.
 */
export function needsSettledAccess({ access, method, path }: Pick<Endpoint, 'access' | 'method' | 'path'>): boolean {
  return method !== 'GET' && access.startsWith('operator.') && !path.startsWith('/operator/people/');
}

const FACTOR_TTL_MS = 10 * 60_000;

/** Returns whether proof confirmed at this time is still recent enough. */
export function isFresh(shownAt: Instant | undefined, now: Instant): boolean {
  return shownAt !== undefined && toEpochMs(now) - toEpochMs(shownAt) <= FACTOR_TTL_MS;
}

/**
 * Returns whether a request needs a recently confirmed second factor. True for every operator action that moves money or changes access;
 * derived from the access rule, so that new endpoints are covered automatically. Endpoints open to every operator need it if they have an
 * idempotency key (approvals) or are marked in the contract (writing to a user, viewing their screens).
 */
export function needsFreshFactor({
  access,
  method,
  needsIdempotencyKey,
  needsFreshFactor: isMarked,
}: Pick<Endpoint, 'access' | 'method' | 'needsIdempotencyKey' | 'needsFreshFactor'>): boolean {
  if (method === 'GET') return false;
  return access.startsWith('operator.') || (access === 'operator' && (needsIdempotencyKey === true || isMarked === true));
}

/**
 * Throws unless the session has confirmed a second factor in the last ten minutes. The web app then asks for it and resends the request.
 */
export function assertFreshFactor({ factorAt }: Pick<Actor, 'factorAt'>, now: Instant): void {
  if (isFresh(factorAt, now)) return;
  throw new AppError(
    'forbidden',
    FACTOR_NEEDED_CODE,
    'Confirm that it’s you: enter a code from your authenticator app, or use your passkey.',
  );
}

const CONFIRMED_ACCESS: readonly Access[] = ['practice.team', 'practice.api', 'company.api', 'company.people'];

/** Returns whether a request needs a user who has just reauthenticated, as everything does that gives or removes access. */
export function needsConfirmation({
  access,
  method,
  needsConfirmation: isMarked,
}: Pick<Endpoint, 'access' | 'method' | 'needsConfirmation'>): boolean {
  return method !== 'GET' && (CONFIRMED_ACCESS.includes(access) || isMarked === true);
}

/**
 * Returns whether the user has reauthenticated in the last ten minutes, with a second factor if they're an operator. An enrolment link
 * counts, once.
 */
export function hasConfirmed({ operatorStatus, factorAt, confirmedAt }: Actor, now: Instant): boolean {
  if (operatorStatus === 'enrolling') return true;
  return isFresh(operatorStatus === undefined ? confirmedAt : factorAt, now);
}

/** Throws unless the user has reauthenticated recently. The web app then asks them to and resends the request. */
export function assertConfirmedRecently(actor: Actor, now: Instant): void {
  if (hasConfirmed(actor, now)) return;
  throw new AppError('forbidden', FACTOR_NEEDED_CODE, 'Confirm again that it’s you. It’s more than ten minutes since you last did.');
}

/** Lists roles with a right over a company, to notify the users who can fix a problem. */
export function listRolesWith(access: CompanyAccess | PracticeAccess): readonly Role[] {
  return isPracticeAccess(access) ? PRACTICE_RIGHTS[access].roles : COMPANY_RIGHTS[access].roles;
}

/** Returns whether the rule is about one tenant, identified by `company_id`. */
export function hasTenant(access: Access): boolean {
  return isCompanyAccess(access) || isPracticeAccess(access);
}

export function createNotSignedInError(): AppError {
  return new AppError('unauthenticated', 'identity.not_signed_in', 'Sign in to continue.');
}

/** Creates the error for a resource that the user can't access, whether or not it exists. */
export function createNotFoundError(): AppError {
  return new AppError('notFound', 'request.not_found', 'Page not found.');
}
