/** Links sign-in providers to an account and unlinks them. */
import type { Db, Tx } from '@portal/db/database.ts';
import { authenticators, identities, passkeys, users, type VerifiedIdentity } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq, isNotNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { enqueueSecurityEmail, getProviderName } from './link-emails.ts';

/** Throws if the identity belongs to another account. Linking twice changes nothing. The owner of an existing account gets an email. */
export async function linkIdentity(
  deps: AppDeps,
  tx: Tx,
  userId: string,
  identity: VerifiedIdentity,
  { ip, isNewAccount = false }: { ip: string; isNewAccount?: boolean },
): Promise<void> {
  const { provider, issuer, subject, email } = identity;
  const at = deps.clock.now();
  const addedIdentities = await tx
    .insert(identities)
    .values({ issuer, subject, userId, provider, email, linkedAt: at })
    .onConflictDoNothing()
    .returning({ userId: identities.userId });
  if (addedIdentities.length > 0) {
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at,
      actor: userId,
      action: 'identity.linked',
      subject: userId,
      after: { provider, email },
      ip,
    });
    const linkedName = `${getProviderName(provider)}${email === null ? '' : ` (${email})`}`;
    if (!isNewAccount) await enqueueSecurityEmail(deps, tx, userId, `You can now sign in with ${linkedName}.`);
    return;
  }
  const [owner] = await tx
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  if (owner?.userId !== userId) {
    throw new AppError(
      'conflict',
      'identity.linked_elsewhere',
      `This ${provider} account is already used to sign in to another account here.`,
    );
  }
}

/**
 * Throws if the user has a passkey or an authenticator app. An emailed link proves only the mailbox, so anyone who reads it could add a
 * sign-in method that stays; in the profile, the factor is asked for. Locks the user, as adding a factor does.
 */
export async function assertMayLinkByMail(tx: Tx, userId: string, { provider }: VerifiedIdentity): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
  const [passkey] = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1);
  const isConfirmedApp = and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt));
  const [app] = await tx.select({ userId: authenticators.userId }).from(authenticators).where(isConfirmedApp);
  if (!passkey && !app) return;
  const name = getProviderName(provider);
  throw new AppError(
    'conflict',
    'identity.link_in_profile',
    `Your account has a passkey or an authenticator app, so this link can’t connect ${name}. Log in as usual, then connect ${name} in your profile under Security.`,
  );
}

/** Unlinks a provider, unless it is the last sign-in method besides the emailed link. */
export async function unlinkProvider(deps: AppDeps, { userId }: Actor, provider: string, ip: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    // The lock on the user's row serialises concurrent unlinking. Otherwise two requests could each see the other method and remove both.
    const [user] = await tx.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId)).for('update');
    const methodCount = await countSignInMethods(tx, userId);
    const removedIdentities = await tx
      .delete(identities)
      .where(and(eq(identities.userId, userId), eq(identities.provider, provider)))
      .returning({ subject: identities.subject });
    if (removedIdentities.length === 0) throw new AppError('notFound', 'identity.not_linked', 'This sign-in method isn’t connected.');
    const remainingCount = methodCount - removedIdentities.length + (user?.passwordHash ? 1 : 0);
    if (remainingCount < 1) {
      throw new AppError(
        'conflict',
        'identity.last_sign_in_method',
        'This is your only sign-in method. Set a password or add a passkey before you remove it.',
      );
    }
    const at = deps.clock.now();
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at,
      actor: userId,
      action: 'identity.unlinked',
      subject: userId,
      after: { provider },
      ip,
    });
    await enqueueSecurityEmail(deps, tx, userId, `You can no longer sign in with ${getProviderName(provider)}.`);
  });
}

/** Returns the number of passkeys and linked identities. */
export async function countSignInMethods(db: Db | Tx, userId: string): Promise<number> {
  const count = sql`count(*)`.mapWith(Number);
  const [countRow] = await db.select({ count }).from(identities).where(eq(identities.userId, userId));
  const [passkeyRow] = await db.select({ count }).from(passkeys).where(eq(passkeys.userId, userId));
  return (countRow?.count ?? 0) + (passkeyRow?.count ?? 0);
}
