/**
 * Changes the email address of an account. It identifies the account in every sign-in, so the change needs re-authentication and then a
 * link in both mailboxes: a session alone can't take over an account, and a mistyped address can't lock the owner out.
 */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { securityApi } from '@portal/contract/security.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { challenges, emailChanges, loginLinks, operators, users } from '@portal/db/schema/schema.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, gt, isNull, or } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { hashToken, generateToken, type Actor } from '../../http/session.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { limitAttempts, toNetwork } from '../identity/limit-attempts.ts';
import { createLinkSpentError } from '../identity/sign-in-links.ts';
import { createAddressTakenEmail, createChangedEmail, createNewAddressEmail, createOldAddressEmail } from './email-change-emails.ts';

/** Long enough to open a mailbox on another computer. */
const CHANGE_TTL_MS = 24 * 3_600_000;

type EmailChangeRow = typeof emailChanges.$inferSelect;
type Preview = EndpointOutput<typeof securityApi.previewEmailChange>;
type ConfirmOutcome = EndpointOutput<typeof securityApi.confirmEmailChange>;

/** Emails a link to each address. A later request replaces an earlier one. */
export async function requestEmailChange(deps: AppDeps, actor: Actor, newEmail: string, ip: string): Promise<{ sent_to: string[] }> {
  if (actor.operatorStatus !== undefined) throw createOperatorEmailError();
  if (newEmail === actor.email) throw createInvalidFieldError('email', 'This is already your email.');
  const { db } = deps.database;
  await limitAttempts(db, deps.wallClock, {
    [`email-change:${actor.userId}`]: 5,
    [`mail:${newEmail}`]: 5,
    [`mail-ip:${toNetwork(ip)}`]: 60,
  });
  const [oldToken, newEmailToken] = [generateToken(), generateToken()];
  const now = deps.wallClock.now();
  const change: EmailChangeRow = {
    userId: actor.userId,
    newEmail,
    oldTokenHash: hashToken(oldToken),
    newTokenHash: hashToken(newEmailToken),
    oldConfirmedAt: null,
    newConfirmedAt: null,
    createdAt: now,
    expiresAt: addMilliseconds(now, CHANGE_TTL_MS),
  };
  await db.transaction(async (tx) => {
    const [owner] = await tx.select({ id: users.id }).from(users).where(eq(users.email, newEmail));
    await tx.insert(emailChanges).values(change).onConflictDoUpdate({ target: emailChanges.userId, set: change });
    const { brand } = deps.site;
    await enqueueEmail(deps, tx, actor.email, createOldAddressEmail(brand, { newEmail, token: oldToken }));
    // The response is the same if the address already has an account; only that account's owner is notified.
    const mail = owner ? createAddressTakenEmail(brand) : createNewAddressEmail(brand, { oldEmail: actor.email, token: newEmailToken });
    await enqueueEmail(deps, tx, newEmail, mail);
    await recordEmailChange(deps, tx, { userId: actor.userId, action: 'identity.email_change_requested', ip });
  });
  return { sent_to: [actor.email, newEmail] };
}

export async function cancelEmailChange(deps: AppDeps, actor: Actor, ip: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const deletedChanges = await tx
      .delete(emailChanges)
      .where(eq(emailChanges.userId, actor.userId))
      .returning({ userId: emailChanges.userId });
    if (deletedChanges.length > 0)
      await recordEmailChange(deps, tx, { userId: actor.userId, action: 'identity.email_change_cancelled', ip });
  });
}

/** Finds the pending change, to show it in the profile. */
export async function findEmailChange(deps: AppDeps, userId: string): Promise<EndpointOutput<typeof securityApi.get>['email_change']> {
  const [change] = await deps.database.db
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), gt(emailChanges.expiresAt, deps.wallClock.now())));
  if (!change) return null;
  return {
    new_email: change.newEmail,
    old_confirmed: change.oldConfirmedAt !== null,
    new_confirmed: change.newConfirmedAt !== null,
    expires_at: change.expiresAt,
  };
}

/** Returns what the link confirms. Opening the page changes nothing. */
export async function previewEmailChange(deps: AppDeps, token: string): Promise<Preview> {
  const foundChange = await findByToken(deps, deps.database.db, token);
  if (!foundChange) throw createLinkSpentError();
  return { old_email: foundChange.oldEmail, new_email: foundChange.change.newEmail, mailbox: getMailbox(foundChange.change, token) };
}

/** Uses one of the two links. The second one changes the address. */
export async function confirmEmailChange(deps: AppDeps, token: string, ip: string): Promise<ConfirmOutcome> {
  try {
    return await deps.database.db.transaction((tx) => confirmInTransaction(deps, tx, token, ip));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError(
      'conflict',
      'identity.email_taken',
      'Someone has opened an account with the new address since you requested the change. Log in to that account, or choose another address.',
    );
  }
}

async function confirmInTransaction(deps: AppDeps, tx: Tx, token: string, ip: string): Promise<ConfirmOutcome> {
  const foundChange = await findByToken(deps, tx, token, 'locked');
  if (!foundChange) throw createLinkSpentError();
  const { change, oldEmail } = foundChange;
  const now = deps.wallClock.now();
  const confirmedChange: EmailChangeRow =
    getMailbox(change, token) === 'old'
      ? { ...change, oldConfirmedAt: change.oldConfirmedAt ?? now }
      : { ...change, newConfirmedAt: change.newConfirmedAt ?? now };
  const { userId, newEmail, oldConfirmedAt, newConfirmedAt } = confirmedChange;
  // The user may have become an invited operator since requesting the change.
  const [operator] = await tx
    .select({ userId: operators.userId })
    .from(operators)
    .where(and(eq(operators.userId, userId), isNull(operators.disabledAt)))
    .for('update');
  if (operator) throw createOperatorEmailError();
  if (oldConfirmedAt === null || newConfirmedAt === null) {
    await tx.update(emailChanges).set({ oldConfirmedAt, newConfirmedAt }).where(eq(emailChanges.userId, userId));
    return { status: 'waiting', old_email: oldEmail, new_email: newEmail };
  }
  await tx.update(users).set({ email: newEmail, emailVerifiedAt: deps.clock.now() }).where(eq(users.id, userId));
  await tx.delete(emailChanges).where(eq(emailChanges.userId, userId));
  // Links and codes sent to the old mailbox must no longer open the account.
  await tx
    .update(loginLinks)
    .set({ usedAt: now })
    .where(and(eq(loginLinks.email, oldEmail), isNull(loginLinks.usedAt)));
  await tx.delete(challenges).where(eq(challenges.userId, userId));
  await recordEmailChange(deps, tx, { userId, action: 'identity.email_changed', ip });
  const mail = createChangedEmail(deps.site.brand, { newEmail, at: deps.clock.now() });
  for (const address of [oldEmail, newEmail]) await enqueueEmail(deps, tx, address, mail);
  return { status: 'changed', old_email: oldEmail, new_email: newEmail };
}

async function findByToken(
  deps: AppDeps,
  db: Db | Tx,
  token: string,
  lock?: 'locked',
): Promise<{ change: EmailChangeRow; oldEmail: string } | undefined> {
  const hash = hashToken(token);
  const query = db
    .select({ change: emailChanges, oldEmail: users.email })
    .from(emailChanges)
    .innerJoin(users, eq(users.id, emailChanges.userId))
    .where(
      and(or(eq(emailChanges.oldTokenHash, hash), eq(emailChanges.newTokenHash, hash)), gt(emailChanges.expiresAt, deps.wallClock.now())),
    );
  const [foundChange] = lock ? await query.for('update') : await query;
  return foundChange;
}

function createOperatorEmailError(): AppError {
  return new AppError(
    'forbidden',
    'identity.operator_email',
    'An operator’s email can’t be changed. Ask an administrator to invite your new address and disable this account.',
  );
}

function getMailbox({ oldTokenHash }: EmailChangeRow, token: string): 'old' | 'new' {
  return oldTokenHash === hashToken(token) ? 'old' : 'new';
}

type RecordedChange = { readonly userId: string; readonly action: string; readonly ip: string };

/** Leaves out the email addresses: the trail is kept for longer than we may keep them. */
function recordEmailChange(deps: AppDeps, tx: Tx, { userId, action, ip }: RecordedChange): Promise<void> {
  return recordAudit(tx, { companyId: NO_COMPANY, at: deps.clock.now(), actor: userId, action, subject: userId, ip });
}
