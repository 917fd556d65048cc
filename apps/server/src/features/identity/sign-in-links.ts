/** E-mailed links: made for a sign-up or a sign-in, kept as a hash, used once by a press. The same answer goes out whether the address is known or not. */
import { randomUUID } from 'node:crypto';
import { loginLinks, users, type PendingSignUp } from '@portal/db/schema/schema.ts';
import type { Tx } from '@portal/db/database.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { hashToken, newToken } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';

const LINK_LIFE_MS = 30 * 60_000;

/** E-mails a link that signs in, or that makes the account where the address has none and `signUp` is given. */
export async function sendLink(deps: AppDeps, email: string, signUp: PendingSignUp | null): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
    if (!user && !signUp) {
      await deps.enqueue(tx, 'mail.send', {
        to: email,
        subject: `Sign in to ${deps.site.brand}`,
        text: `Somebody asked for a link to sign in to ${deps.site.brand} with this address, but it has no account.\n\nTo open one, go to ${deps.site.publicUrl}/portal/v2/instant-vat\nIf it was not you, you need do nothing.`,
      });
      return;
    }
    const token = newToken();
    const now = deps.wallClock.now();
    await tx.insert(loginLinks).values({
      tokenHash: hashToken(token),
      email,
      signUp: user ? null : signUp,
      createdAt: now,
      expiresAt: addMilliseconds(now, LINK_LIFE_MS),
    });
    await deps.enqueue(tx, 'mail.send', linkMail(deps, email, token, user === undefined));
  });
}

function linkMail(deps: AppDeps, to: string, token: string, isNew: boolean): { to: string; subject: string; text: string } {
  const { brand, publicUrl } = deps.site;
  return {
    to,
    subject: isNew ? `Confirm your e-mail address for ${brand}` : `Sign in to ${brand}`,
    text: [
      isNew ? `Welcome to ${brand}. Confirm your address and go on here:` : `Sign in to ${brand} here:`,
      `${publicUrl}/portal/v2/auth/link?token=${token}`,
      'The link works once and for 30 minutes. Opening it does nothing yet: you press a button there.',
      'If you did not ask for it, you need do nothing.',
    ].join('\n\n'),
  };
}

/** Uses a link: makes the account if it was a sign-up, and answers whose it is. A used, old or unknown link is refused in the same words. */
export async function redeemLink(deps: AppDeps, token: string, ip: string): Promise<{ userId: string; isOperator: boolean }> {
  return deps.database.db.transaction(async (tx) => {
    const now = deps.wallClock.now();
    const [link] = await tx
      .update(loginLinks)
      .set({ usedAt: now })
      .where(and(eq(loginLinks.tokenHash, hashToken(token)), isNull(loginLinks.usedAt), gt(loginLinks.expiresAt, now)))
      .returning();
    if (!link) {
      throw new AppError('invalid', 'identity.link_spent', 'This link was used already or is too old. Ask for a new one.', {
        field: 'token',
      });
    }
    const person = (await findUser(tx, link.email)) ?? (await createUser(deps, tx, link.email, link.signUp));
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at: now,
      actor: person.userId,
      action: 'identity.signed_in',
      subject: person.userId,
      after: { by: 'link' },
      ip,
    });
    return person;
  });
}

async function findUser(tx: Tx, email: string): Promise<{ userId: string; isOperator: boolean } | undefined> {
  const [user] = await tx.select({ userId: users.id, isOperator: users.isOperator }).from(users).where(eq(users.email, email));
  return user;
}

async function createUser(
  deps: AppDeps,
  tx: Tx,
  email: string,
  signUp: PendingSignUp | null,
): Promise<{ userId: string; isOperator: boolean }> {
  if (!signUp)
    throw new AppError('invalid', 'identity.link_spent', 'This link was used already or is too old. Ask for a new one.', {
      field: 'token',
    });
  const userId = randomUUID();
  await tx.insert(users).values({
    id: userId,
    email,
    fullName: signUp.full_name,
    phone: signUp.phone,
    passwordHash: signUp.password_hash,
    partner: signUp.partner,
    createdAt: deps.clock.now(),
  });
  return { userId, isOperator: false };
}
