/** Adds operators, changes their roles and disables them. Used by /admin/people and by `npm run operator`. */
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import { authenticators, loginLinks, operators, passkeys, recoveryCodes, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, type Clock } from '@portal/domain/clock.ts';
import type { OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { and, eq, isNotNull, isNull } from '@portal/db/sql.ts';
import { canAct } from '../../http/policies.ts';
import { generateToken, hashToken } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { endAllSignIns } from '../identity/end-sign-ins.ts';
import { RETRIES, REVIEWS, withdrawApprovals, withdrawReleases, withdrawRequests } from './withdraw-decisions.ts';

type Deps = { readonly clock: Clock; readonly wallClock: Clock };

/**
 * Who made a change: an administrator, or someone at the server's command line. `requestedBy`: the administrator who requested it, if `by`
 * approved it; null if one administrator is enough.
 */
export type AccountChange = { readonly by: string; readonly requestedBy: string | null; readonly ip: string };

export const COMMAND_LINE: AccountChange = { by: 'command line', requestedBy: null, ip: '' };

export type NewOperator = {
  readonly email: string;
  /** Undefined if the command line gives none: an account that exists keeps its own. */
  readonly fullName: string | undefined;
  readonly roles: readonly OperatorRole[];
  readonly privateEmail: string | null;
};

/** Adds an operator, who may already have an account. Returns the user's id. */
export async function addOperator(deps: Deps, tx: Tx, change: AccountChange, person: NewOperator): Promise<string> {
  const at = deps.clock.now();
  const { email, roles } = person;
  const [existingUser] = await tx.select({ id: users.id, fullName: users.fullName }).from(users).where(eq(users.email, email));
  const userId = existingUser?.id ?? randomUUID();
  const fullName = person.fullName ?? existingUser?.fullName ?? email;
  // The name that two people approved, not one that the account gave itself: it is compared with those of companies' people.
  if (existingUser) await tx.update(users).set({ fullName }).where(eq(users.id, userId));
  else await tx.insert(users).values({ id: userId, email, fullName, createdAt: at });
  const addedUsers = await tx
    .insert(operators)
    .values({
      userId,
      roles: [...new Set(roles)],
      privateEmail: person.privateEmail,
      invitedBy: change.requestedBy,
      invitedAt: at,
    })
    .onConflictDoNothing()
    .returning({ userId: operators.userId });
  if (addedUsers.length === 0) throw createExistsError(email);
  const before = existingUser && { full_name: existingUser.fullName };
  await recordAccountChange(deps, tx, change, 'operator.invited', userId, { email, roles, full_name: fullName }, before);
  return userId;
}

/** Operators can't change their own name, because their private interests are found by it. */
export async function renameOperator(deps: Deps, tx: Tx, change: AccountChange, userId: string, fullName: string): Promise<void> {
  await lockOperator(tx, userId, change);
  const [user] = await tx.select({ fullName: users.fullName }).from(users).where(eq(users.id, userId)).for('update');
  await tx.update(users).set({ fullName }).where(eq(users.id, userId));
  await recordAccountChange(deps, tx, change, 'operator.renamed', userId, { full_name: fullName }, { full_name: user?.fullName ?? '' });
}

export async function setRoles(deps: Deps, tx: Tx, change: AccountChange, userId: string, roles: readonly OperatorRole[]): Promise<void> {
  const operator = await lockOperator(tx, userId, change);
  await tx
    .update(operators)
    .set({ roles: [...new Set(roles)] })
    .where(eq(operators.userId, userId));
  await assertAdministratorStays(tx);
  if (!canAct('operator.release', roles)) await withdrawReleases(deps, tx, change, userId);
  const lost = [...(canAct('operator.underwrite', roles) ? [] : REVIEWS), ...(canAct('operator.release', roles) ? [] : RETRIES)];
  await withdrawApprovals(deps, tx, change, userId, lost);
  await recordAccountChange(deps, tx, change, 'operator.roles_changed', userId, { roles }, { roles: operator.roles });
}

/**
 * Also ends the operator's sessions and invitations, and withdraws their releases and approvals of refunds that haven't been paid. Their
 * decisions stay in the history. Returns false if they were disabled already.
 */
export async function disableOperator(deps: Deps, tx: Tx, change: AccountChange, userId: string): Promise<boolean> {
  const operator = await lockOperator(tx, userId, change);
  if (operator.disabledAt !== null) return false;
  await tx.update(operators).set({ disabledAt: deps.clock.now() }).where(eq(operators.userId, userId));
  await assertAdministratorStays(tx);
  await endAccess(deps, tx, userId);
  await withdrawReleases(deps, tx, change, userId);
  await withdrawApprovals(deps, tx, change, userId, [...REVIEWS, ...RETRIES]);
  await recordAccountChange(deps, tx, change, 'operator.disabled', userId);
  return true;
}

export async function endOperatorSessions(deps: Deps, tx: Tx, change: AccountChange, userId: string): Promise<void> {
  await lockOperator(tx, userId);
  await endAllSignIns(tx, userId);
  await recordAccountChange(deps, tx, change, 'operator.sessions_ended', userId);
}

/**
 * For an operator who lost their second factors or was disabled: they enrol again from the start, without open requests. The audit trail
 * records this, because the holder of the link becomes that operator.
 */
export async function restartEnrolment(deps: Deps, tx: Tx, change: AccountChange, userId: string): Promise<void> {
  await lockOperator(tx, userId, change);
  await endAccess(deps, tx, userId);
  await withdrawReleases(deps, tx, change, userId);
  await withdrawApprovals(deps, tx, change, userId, [...REVIEWS, ...RETRIES]);
  await withdrawRequests(deps, tx, change, userId);
  await tx.delete(authenticators).where(eq(authenticators.userId, userId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.delete(passkeys).where(eq(passkeys.userId, userId));
  await tx.update(operators).set({ enrolledAt: null, disabledAt: null }).where(eq(operators.userId, userId));
  await assertAdministratorStays(tx, change);
  await recordAccountChange(deps, tx, change, 'operator.enrolment_restarted', userId);
}

/** Creates an operator's single-use link and returns its secret, of which only the hash is stored. */
export async function createEnrolmentLink(deps: Deps, tx: Tx, userId: string, ttlMs: number): Promise<string> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!user) throw createNoOperatorError();
  const token = generateToken();
  const now = deps.wallClock.now();
  await endUnusedLinks(deps, tx, user.email);
  await tx.insert(loginLinks).values({
    tokenHash: hashToken(token),
    email: user.email,
    purpose: 'enrol',
    createdAt: now,
    expiresAt: addMilliseconds(now, ttlMs),
  });
  return token;
}

/** Finds the user id of an operator by email address. */
export async function getOperatorIdByEmail(db: Db | Tx, email: string): Promise<string> {
  const [row] = await db
    .select({ userId: operators.userId })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .where(eq(users.email, email));
  if (!row) throw createNoOperatorError();
  return row.userId;
}

async function endAccess(deps: Deps, tx: Tx, userId: string): Promise<void> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  await endAllSignIns(tx, userId);
  if (user) await endUnusedLinks(deps, tx, user.email);
}

async function endUnusedLinks({ wallClock }: Deps, tx: Tx, email: string): Promise<void> {
  await tx
    .update(loginLinks)
    .set({ usedAt: wallClock.now() })
    .where(and(eq(loginLinks.email, email), eq(loginLinks.purpose, 'enrol'), isNull(loginLinks.usedAt)));
}

/**
 * Locks all operators (there are few), so that two administrators can't disable each other at the same time. Set `change` if operators may
 * not make this change to their own account.
 */
export async function lockOperator(
  tx: Tx,
  userId: string,
  change?: Pick<AccountChange, 'by'> & Partial<AccountChange>,
): Promise<typeof operators.$inferSelect> {
  const rows = await tx.select().from(operators).orderBy(operators.userId).for('update');
  const operatorRow = rows.find((row) => row.userId === userId);
  if (!operatorRow) throw createNoOperatorError();
  if (change?.by === userId || change?.requestedBy === userId) {
    throw new AppError('conflict', 'operator.own_account', 'You can’t request or approve a change to your own access.');
  }
  return operatorRow;
}

/** Throws a conflict if the email address belongs to an operator. */
export async function assertNoOperator(tx: Tx, email: string): Promise<void> {
  const existingUser = await tx
    .select({ userId: operators.userId })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .where(eq(users.email, email));
  if (existingUser.length > 0) throw createExistsError(email);
}

function createExistsError(email: string): AppError {
  return new AppError('conflict', 'operator.exists', `${email} is already an operator. Change their roles, or send a new link.`, {
    field: 'email',
  });
}

/** Lists the user ids of administrators who are enabled and enrolled: one who has only been invited couldn't fix anything. */
export async function listActiveAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx
    .select()
    .from(operators)
    .where(and(isNull(operators.disabledAt), isNotNull(operators.enrolledAt)));
  return rows.filter(({ roles }) => roles.includes('administrator')).map(({ userId }) => userId);
}

/** The last administrator can't be removed, except from the command line, where a new one can always be added. */
async function assertAdministratorStays(tx: Tx, change?: AccountChange): Promise<void> {
  if (change === COMMAND_LINE) return;
  if ((await listActiveAdministrators(tx)).length > 0) return;
  throw new AppError(
    'conflict',
    'operator.last_administrator',
    'This is the last administrator. Make someone else an administrator first.',
  );
}

function createNoOperatorError(): AppError {
  return new AppError('notFound', 'operator.not_found', 'This person isn’t an operator.');
}

async function recordAccountChange(
  deps: Deps,
  tx: Tx,
  change: AccountChange,
  action: string,
  subject: string,
  result?: object,
  previous?: object,
) {
  const { by, requestedBy, ip } = change;
  const after = requestedBy === null ? result : { ...result, requested_by: requestedBy };
  await recordAudit(tx, { companyId: NO_COMPANY, at: deps.clock.now(), actor: by, action, subject, before: previous, after, ip });
}
