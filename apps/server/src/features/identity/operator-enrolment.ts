/** How a person of our staff becomes an operator: the enrolment link, then a second factor. */
import type { Db, Tx } from '@portal/db/database.ts';
import { authenticators, operators, passkeys, type SignInMethod } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq, isNotNull, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { OperatorStatus } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';

/** The status of a session that is about to start. The session check (http/session.ts) decides for every later request. */
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

/** Call when a session that the enrolment link began has shown a second factor. Does nothing for anyone else. */
export async function completeEnrolment(deps: AppDeps, tx: Tx, userId: string, ip: string): Promise<void> {
  const at = deps.clock.now();
  const enrolled = await tx
    .update(operators)
    .set({ enrolledAt: at })
    .where(and(eq(operators.userId, userId), isNull(operators.enrolledAt), isNull(operators.disabledAt)))
    .returning({ userId: operators.userId });
  if (enrolled.length === 0) return;
  await recordAudit(tx, { companyId: NO_COMPANY, at, actor: userId, action: 'operator.enrolled', subject: userId, ip });
}

/** Call after a factor was removed, in the same transaction: an operator keeps at least one. */
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
