/**
 * A single administrator could invite accounts under their own control and use them to approve and release a payment alone. So any change
 * that gives access (an invitation, a different set of roles, a new enrolment link) is requested by one administrator and approved by
 * another.
 */
import type { operatorPeopleApi } from '@portal/contract/operator-people.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { operators, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { OPERATOR_ROLE_NAMES, OPERATOR_ROLES, type OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { eq } from '@portal/db/sql.ts';
import { afterCommit } from '@portal/db/transaction-scope.ts';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { storeRequest } from '../approvals/request-approval.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';
import { ACCESS_ACTIONS } from '../operators/new-access.ts';
import { enqueueAccessEmails, enqueueInvitation, enqueueRequestEmails } from './access-emails.ts';
import {
  addOperator,
  assertNoOperator,
  listActiveAdministrators,
  lockOperator,
  restartEnrolment,
  setRoles,
  type AccountChange,
} from './operator-accounts.ts';

const rolesSchema = z.array(z.enum(OPERATOR_ROLES)).min(1);
const invitation = z.object({ email: z.string(), full_name: z.string(), private_email: z.nullable(z.string()), roles: rolesSchema });
const roleChange = z.object({ user_id: z.string(), person: z.string(), before: rolesSchema, roles: rolesSchema });
const linkRenewal = z.object({ user_id: z.string(), person: z.string() });

export const INVITE_OPERATOR: ApprovalAction<z.output<typeof invitation>> = {
  action: ACCESS_ACTIONS.invite,
  access: 'operator.manage',
  details: invitation,
  describe: ({ full_name: name, email, roles, private_email: privateEmail }) =>
    `Invite ${name} (${email}) as an operator: ${formatRoles(roles)}.${privateEmail === null ? '' : ` Their personal email address is ${privateEmail}.`} The enrolment link is emailed once this is approved.`,
  apply: async (tx, deps, request) => {
    const { email, full_name: fullName, roles, private_email: privateEmail } = request.details;
    const userId = await addOperator(deps, tx, toChange(request), { email, fullName, roles, privateEmail });
    await enqueueInvitation(deps, tx, userId);
    recordAfterCommit(deps, INVITE_OPERATOR.action, userId);
    await notifyOthers(deps, tx, request, userId, 'invited a new operator');
  },
};

export const CHANGE_ROLES: ApprovalAction<z.output<typeof roleChange>> = {
  action: ACCESS_ACTIONS.changeRoles,
  access: 'operator.manage',
  details: roleChange,
  describe: ({ person, before, roles }) => `Change the roles of ${person} from ${formatRoles(before)} to ${formatRoles(roles)}.`,
  apply: async (tx, deps, request) => {
    const { user_id: userId, before, roles } = request.details;
    const operator = await lockOperator(tx, userId, toChange(request));
    if (!areRolesEqual(operator.roles, before)) {
      throw new AppError(
        'conflict',
        'operator.roles_changed',
        `The roles are now ${formatRoles(operator.roles)}. Reject this request and make a new one.`,
      );
    }
    await setRoles(deps, tx, toChange(request), userId, roles);
    recordAfterCommit(deps, CHANGE_ROLES.action, userId);
    await notifyOthers(deps, tx, request, userId, 'changed an operator’s roles');
  },
};

export const RENEW_LINK: ApprovalAction<z.output<typeof linkRenewal>> = {
  action: ACCESS_ACTIONS.renewLink,
  access: 'operator.manage',
  details: linkRenewal,
  describe: ({ person }) =>
    `Email ${person} a new enrolment link. It removes their passkeys and authenticator app, ends their sessions, and enables them if they were disabled.`,
  apply: async (tx, deps, request) => {
    const { user_id: userId } = request.details;
    await restartEnrolment(deps, tx, toChange(request), userId);
    await enqueueInvitation(deps, tx, userId);
    recordAfterCommit(deps, RENEW_LINK.action, userId);
    await notifyOthers(deps, tx, request, userId, 'sent an operator a new enrolment link');
  },
};

type PeopleCall<Name extends 'invite' | 'changeRoles' | 'renewLink'> = Call<(typeof operatorPeopleApi)[Name]>;

export function requestInvitation(deps: AppDeps, call: PeopleCall<'invite'>): Promise<{ request_id: string }> {
  const { email, full_name, roles, private_email = null } = call.input;
  return deps.database.db.transaction(async (tx) => {
    await assertNoOperator(tx, email);
    return requestAccessChange(deps, tx, INVITE_OPERATOR, call, email, { email, full_name, roles: sortRoles(roles), private_email });
  });
}

export function requestRoles(deps: AppDeps, call: PeopleCall<'changeRoles'>): Promise<{ request_id: string }> {
  const { user_id, roles } = call.input;
  return deps.database.db.transaction(async (tx) => {
    const { roles: previousRoles } = await lockOperator(tx, user_id, { by: call.actor.userId });
    if (areRolesEqual(previousRoles, roles)) throw new AppError('impossible', 'operator.same_roles', 'They already have these roles.');
    const operatorName = await describePerson(tx, user_id);
    return requestAccessChange(deps, tx, CHANGE_ROLES, call, user_id, {
      user_id,
      person: operatorName,
      before: sortRoles(previousRoles),
      roles: sortRoles(roles),
    });
  });
}

export function requestLink(deps: AppDeps, call: PeopleCall<'renewLink'>): Promise<{ request_id: string }> {
  const { user_id } = call.input;
  return deps.database.db.transaction(async (tx) => {
    await lockOperator(tx, user_id, { by: call.actor.userId });
    return requestAccessChange(deps, tx, RENEW_LINK, call, user_id, { user_id, person: await describePerson(tx, user_id) });
  });
}

async function requestAccessChange<Details>(
  deps: AppDeps,
  tx: Tx,
  action: ApprovalAction<Details>,
  { input, actor, caller }: PeopleCall<'invite' | 'changeRoles' | 'renewLink'>,
  subject: string,
  details: Details,
): Promise<{ request_id: string }> {
  const otherAdministrators = (await listActiveAdministrators(tx)).filter((userId) => userId !== actor.userId && userId !== subject);
  if (otherAdministrators.length === 0) {
    throw new AppError(
      'conflict',
      'operator.no_second_administrator',
      'A second administrator must approve this, but there isn’t another active administrator. Add one on the server: npm run operator -- --help',
    );
  }
  const { id, isNew } = await storeRequest(deps, tx, action, {
    companyId: NO_COMPANY,
    subject,
    details,
    reason: input.reason,
    requestedBy: actor.userId,
    at: deps.clock.now(),
    ip: caller.ip,
  });
  // If the request was already open, the other administrators have had the email.
  const email = { requestedBy: actor.userId, subject, description: action.describe(details), reason: input.reason };
  if (isNew) await enqueueRequestEmails(deps, tx, email);
  return { request_id: id };
}

function notifyOthers(
  deps: AppDeps,
  tx: Tx,
  { requestedBy, by }: ApprovedRequest<unknown>,
  userId: string,
  changeText: string,
): Promise<void> {
  return enqueueAccessEmails(deps, tx, { requestedBy, approvedBy: by, userId, what: changeText });
}

function recordAfterCommit(deps: AppDeps, reason: string, userId: string): void {
  afterCommit(() => deps.recordSecurityEvent('operator_access_changed', { reason, userId }));
}

function toChange({ by, requestedBy, ip }: ApprovedRequest<unknown>): AccountChange {
  return { by, requestedBy, ip };
}

async function describePerson(db: Db | Tx, userId: string): Promise<string> {
  const [user] = await db
    .select({ name: users.fullName, email: users.email })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .where(eq(operators.userId, userId));
  return user ? `${user.name} (${user.email})` : '';
}

function sortRoles(roles: readonly OperatorRole[]): OperatorRole[] {
  return OPERATOR_ROLES.filter((role) => roles.includes(role));
}

function areRolesEqual(firstRoles: readonly OperatorRole[], other: readonly OperatorRole[]): boolean {
  return isDeepStrictEqual(sortRoles(firstRoles), sortRoles(other));
}

/** "administrator, MLRO". */
function formatRoles(roles: readonly OperatorRole[]): string {
  return sortRoles(roles)
    .map((role) => OPERATOR_ROLE_NAMES[role].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()))
    .join(', ');
}
