/** Turns a staff member into an operator: the enrolment link, then a second factor. */
import type { Db, Tx } from '@portal/db/database.ts';
import { authenticators, emailChanges, operators, passkeys, recoveryCodes, type SignInMethod } from '@portal/db/schema/schema.ts';
import type { OperatorStatus } from '@portal/domain/identity/operator-roles.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq, isNotNull, isNull, ne } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { endAllSessions, getPasskeyReference, type Actor, type SecondFactor } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';

/** Returns the status of a session that is about to start. The session check (http/session.ts) decides for every later request. */
export async function findOperatorStatus(
  db: Db,
  userId: string,
  method: SignInMethod,
  hasShownFactor: boolean,
): Promise<OperatorStatus | undefined> {
  const [operator] = await db
    .select({ enrolledAt: operators.enrolledAt })
    .from(operators)
    .where(and(eq(operators.userId, userId), isNull(operators.disabledAt)));
  if (!operator) return undefined;
  if (operator.enrolledAt === null) return method === 'enrolment' ? 'enrolling' : undefined;
  return hasShownFactor ? 'active' : 'needs_factor';
}

type Enrolment = {
  readonly userId: string;
  /** The second factor just confirmed: the only one that is kept. */
  readonly secondFactor: SecondFactor;
  /** The session that the link started. Not set while it is starting. */
  readonly sessionId?: string | undefined;
  readonly ip: string;
};

/**
 * Call this when a session started by the enrolment link has confirmed a second factor. Does nothing for other sessions. The account may be
 * older than the invitation and its password known to others, so anything they may have set up with it ends here.
 */
export async function completeEnrolment(deps: AppDeps, tx: Tx, { userId, secondFactor, sessionId, ip }: Enrolment): Promise<void> {
  const at = deps.clock.now();
  const enrolledOperators = await tx
    .update(operators)
    .set({ enrolledAt: at })
    .where(and(eq(operators.userId, userId), isNull(operators.enrolledAt), isNull(operators.disabledAt)))
    .returning({ userId: operators.userId });
  if (enrolledOperators.length === 0) return;
  await deleteOtherFactors(tx, userId, secondFactor);
  await endAllSessions(tx, userId, sessionId);
  await tx.delete(emailChanges).where(eq(emailChanges.userId, userId));
  await recordAudit(tx, { companyId: NO_COMPANY, at, actor: userId, action: 'operator.enrolled', subject: userId, ip });
}

async function deleteOtherFactors(tx: Tx, userId: string, { reference }: SecondFactor): Promise<void> {
  const existingPasskeys = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId));
  const shownPasskeyId = existingPasskeys.find(({ id }) => getPasskeyReference(id) === reference)?.id;
  if (shownPasskeyId === undefined) {
    await tx.delete(passkeys).where(eq(passkeys.userId, userId));
    return;
  }
  await tx.delete(passkeys).where(and(eq(passkeys.userId, userId), ne(passkeys.id, shownPasskeyId)));
  await tx.delete(authenticators).where(eq(authenticators.userId, userId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

/**
 * Call this before adding a factor, in the same transaction: an operator adds one after confirming another, or with the enrolment link. The
 * lock makes it wait for a concurrent enrolment.
 */
export async function assertMayAddFactor(tx: Tx, { userId, operatorStatus }: Actor): Promise<void> {
  const [operator] = await tx
    .select({ userId: operators.userId })
    .from(operators)
    .where(and(eq(operators.userId, userId), isNull(operators.disabledAt)))
    .for('update');
  if (!operator || operatorStatus === 'active' || operatorStatus === 'enrolling') return;
  throw new AppError(
    'conflict',
    'operator.link_needed',
    'You’ve been invited to be an operator. Use the link in the invitation email to set up a second factor.',
  );
}

/** Call this after removing a factor, in the same transaction: an operator must keep at least one. */
export async function assertKeepsFactor(tx: Tx, userId: string): Promise<void> {
  const [operator] = await tx
    .select({ userId: operators.userId })
    .from(operators)
    .where(and(eq(operators.userId, userId), isNull(operators.disabledAt)))
    .for('update');
  if (!operator) return;
  const [authenticator] = await tx
    .select({ userId: authenticators.userId })
    .from(authenticators)
    .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt)));
  const [passkey] = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1);
  if (authenticator || passkey) return;
  throw new AppError(
    'conflict',
    'operator.last_factor',
    'Operators need a second factor. Add a passkey or another authenticator app before you remove this one.',
  );
}
