/**
 * Sets a new password, through an emailed link or while signed in. Ends all other sessions, and cancels a change of the email address. A reset
 * also ends calendar links, API keys and apps, which work without logging in.
 */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { loginLinks, users } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { and, eq, gt, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { endAllSessions, hashToken, type Actor } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { endPendingAccess, endKeysAndApps } from '../identity/end-sign-ins.ts';
import { getSecurityReason } from '../identity/link-emails.ts';
import { lockSession } from '../identity/lock-session.ts';
import { assertConfirmed } from './confirm-person.ts';
import { describeOtherMethods } from './describe-other-methods.ts';
import { assertGoodPassword } from '../identity/check-new-password.ts';
import { isPasswordCorrect, hashPassword } from '../identity/passwords.ts';
import { createLinkSpentError } from '../identity/sign-in-links.ts';

export async function resetPassword(deps: AppDeps, token: string, password: string, ip: string): Promise<void> {
  await assertGoodPassword(deps, { field: 'password', password, about: await describeLinkOwner(deps, token) });
  // Hash before checking the link, so that an invalid link takes the same time as a valid one.
  const passwordHash = await hashPassword(password);
  await deps.database.db.transaction(async (tx) => {
    const now = deps.wallClock.now();
    const [link] = await tx
      .update(loginLinks)
      .set({ usedAt: now })
      .where(
        and(
          eq(loginLinks.tokenHash, hashToken(token)),
          eq(loginLinks.purpose, 'reset'),
          isNull(loginLinks.usedAt),
          gt(loginLinks.expiresAt, now),
        ),
      )
      .returning({ email: loginLinks.email });
    const [user] = link ? await tx.select({ id: users.id }).from(users).where(eq(users.email, link.email)).for('update') : [];
    if (!link || !user) throw createLinkSpentError();
    const ended = new Intl.ListFormat('en-GB').format(['sessions', ...(await endKeysAndApps(tx, user.id, now))]);
    await setPassword(deps, tx, { id: user.id, email: link.email }, passwordHash, ip, `All your ${ended} have stopped working.`);
    await tx
      .update(users)
      .set({ emailVerifiedAt: deps.clock.now() })
      .where(and(eq(users.id, user.id), isNull(users.emailVerifiedAt)));
    await endAllSessions(tx, user.id);
  });
}

const EMAIL_CHANGE_CANCELLED = 'The change of your email address that hadn’t been confirmed has been cancelled.';

/** Returns what a stranger would try first when guessing the password of the link's owner. Empty if the link doesn't exist. */
async function describeLinkOwner(deps: AppDeps, token: string): Promise<string[]> {
  const [owner] = await deps.database.db
    .select({ email: loginLinks.email, name: users.fullName })
    .from(loginLinks)
    .leftJoin(users, eq(users.email, loginLinks.email))
    .where(eq(loginLinks.tokenHash, hashToken(token)));
  return owner ? [owner.email, owner.name ?? ''] : [];
}

/** Requires the current password if one is set. Ends all other sessions. */
export async function changePassword(
  deps: AppDeps,
  actor: Actor,
  input: { currentPassword: string | undefined; newPassword: string },
  ip: string,
): Promise<void> {
  const { db } = deps.database;
  const [user] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, actor.userId));
  if (user?.passwordHash && !(await isPasswordCorrect(user.passwordHash, input.currentPassword ?? ''))) {
    deps.recordSecurityEvent('second_factor_rejected', { reason: 'password' });
    throw createInvalidFieldError('current_password', 'This isn’t your current password.');
  }
  // Setting a first password adds a sign-in method.
  if (!user?.passwordHash) assertConfirmed(deps, actor);
  await assertGoodPassword(deps, { field: 'new_password', password: input.newPassword, about: [actor.email, actor.fullName] });
  const passwordHash = await hashPassword(input.newPassword);
  await db.transaction(async (tx) => {
    await lockSession(tx, actor);
    const [lockedUser] = await tx.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, actor.userId));
    if (lockedUser?.passwordHash !== user?.passwordHash) {
      throw new AppError('conflict', 'identity.password_changed', 'Your password has changed since you opened this page. Try again.');
    }
    await setPassword(deps, tx, { id: actor.userId, email: actor.email }, passwordHash, ip);
    await endAllSessions(tx, actor.userId, actor.sessionId);
  });
}

async function setPassword(
  deps: AppDeps,
  tx: Tx,
  user: { id: string; email: string },
  passwordHash: string,
  ip: string,
  endedSentence = 'All your other sessions have been ended.',
): Promise<void> {
  const at = deps.clock.now();
  await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id));
  const isChangeCancelled = await endPendingAccess(tx, user, deps.wallClock.now());
  const text = isChangeCancelled ? `${endedSentence} ${EMAIL_CHANGE_CANCELLED}` : endedSentence;
  await recordAudit(tx, { companyId: NO_COMPANY, at, actor: user.id, action: 'identity.password_changed', subject: user.id, ip });
  const otherMethods = await describeOtherMethods(tx, user.id);
  await enqueueEmail(deps, tx, user.email, {
    subject: `Your ${deps.site.brand} password was changed`,
    preheader: text,
    heading: 'Your password was changed',
    paragraphs: [`Your password was changed on ${formatInstant(at)}. ${text}`, ...otherMethods],
    action: { label: 'Set a new password', path: PAGES.resetPassword.path },
    notes: ['If this was you, you don’t need to do anything. If not, set a new password now.'],
    reason: getSecurityReason(deps.site.brand),
  });
}
