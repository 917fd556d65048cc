/**
 * Emailed links: stored as a hash and used once. Email addresses with and without an account cause the same work and get the same response.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import {
  identities,
  loginLinks,
  users,
  type LoginLinkPurpose,
  type PendingSignUp,
  type VerifiedIdentity,
  type Referral,
} from '@portal/db/schema/schema.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, gt, isNull, ne } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { generateToken, hashToken } from '../../http/session.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { assertMayLinkByMail, linkIdentity } from './link-identity.ts';
import { toReferralColumns } from './read-referral.ts';
import { createLinkEmail } from './link-emails.ts';
import { deleteUnusedGrant } from './sign-up-books.ts';
import { enqueueWelcomeEmail } from './welcome-email.ts';

const LINK_TTL_MS = 30 * 60_000;

export type LinkRequest = {
  readonly email: string;
  readonly purpose: LoginLinkPurpose;
  /** If set, using the link creates an account if the email address doesn't have one. */
  readonly signUp?: PendingSignUp;
  /** Linked to the account when the link is used. */
  readonly identity?: VerifiedIdentity;
  /** The browser that requested the link (http/browser-cookie.ts). */
  readonly browser?: string | undefined;
};

export async function sendLink(deps: AppDeps, { email, purpose, signUp, identity, browser }: LinkRequest): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
    const token = generateToken();
    const now = deps.wallClock.now();
    // Insert it even if there is no account, so that the response time is the same. That token is never emailed.
    await tx.insert(loginLinks).values({
      tokenHash: hashToken(token),
      email,
      purpose,
      signUp: user ? null : (signUp ?? null),
      identity: identity ?? null,
      browserHash: browser ?? null,
      createdAt: now,
      expiresAt: addMilliseconds(now, LINK_TTL_MS),
    });
    const hasAccount = user !== undefined;
    await enqueueEmail(
      deps,
      tx,
      email,
      createLinkEmail(deps.site.brand, { token, purpose, hasAccount, createsAccount: signUp !== undefined, identity }),
    );
  });
}

/**
 * Returns the account of a link. The holder may see it, because the link would sign them in. Someone who received another user's link can
 * tell that it isn't theirs.
 */
export async function previewLink(
  deps: AppDeps,
  token: string,
): Promise<{ email: string; purpose: Exclude<LoginLinkPurpose, 'reset'>; makes_account: boolean }> {
  const [link] = await deps.database.db
    .select({ email: loginLinks.email, purpose: loginLinks.purpose, userId: users.id, signUp: loginLinks.signUp })
    .from(loginLinks)
    .leftJoin(users, eq(users.email, loginLinks.email))
    .where(isUsable(deps, token));
  if (!link || link.purpose === 'reset' || (link.userId === null && link.signUp === null)) throw createLinkSpentError();
  return { email: link.email, purpose: link.purpose, makes_account: link.userId === null };
}

/** Returns the conditions of a usable link: unused, not expired and meant for signing in. */
function isUsable(deps: AppDeps, token: string) {
  return and(
    eq(loginLinks.tokenHash, hashToken(token)),
    isNull(loginLinks.usedAt),
    gt(loginLinks.expiresAt, deps.wallClock.now()),
    ne(loginLinks.purpose, 'reset'),
  );
}

export type RedeemedLink = { readonly userId: string; readonly purpose: LoginLinkPurpose; readonly product: PendingSignUp['product'] };

/** Uses a link: creates the account for a sign-up and links the identity, if any. */
export async function redeemLink(deps: AppDeps, token: string, browser: string | undefined, ip: string): Promise<RedeemedLink> {
  try {
    return await redeemInTransaction(deps, token, browser, ip);
  } catch (error) {
    // Another link for the same email address has just created the account, so sign in to it.
    if (isUniqueViolation(error)) return redeemInTransaction(deps, token, browser, ip);
    throw error;
  }
}

async function redeemInTransaction(deps: AppDeps, token: string, browser: string | undefined, ip: string): Promise<RedeemedLink> {
  return deps.database.db.transaction(async (tx) => {
    const now = deps.wallClock.now();
    const usableLink = isUsable(deps, token);
    const [link] = await tx.select().from(loginLinks).where(usableLink);
    if (!link) throw createLinkSpentError();
    const isSameBrowser = link.browserHash !== null && link.browserHash === browser;
    // Using the link proves ownership of the email address, but only the browser that started the sign-in proves that the provider's
    // identity belongs to the same user.
    if (link.identity && !isSameBrowser) throw createOtherBrowserError(link.identity);
    const usedLinks = await tx.update(loginLinks).set({ usedAt: now }).where(usableLink).returning({ email: loginLinks.email });
    if (usedLinks.length === 0) throw createLinkSpentError();
    const existingUserId = await findUser(tx, link.email);
    if (link.identity && existingUserId !== undefined) await assertMayLinkByMail(tx, existingUserId, link.identity);
    const userId = existingUserId ?? (await createUser(deps, tx, link, isSameBrowser, ip));
    await tx
      .update(users)
      .set({ emailVerifiedAt: deps.clock.now() })
      .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt)));
    if (link.identity) await linkIdentity(deps, tx, userId, link.identity, { ip, isNewAccount: existingUserId === undefined });
    if (link.identity && existingUserId !== undefined) await deleteUnusedGrant(tx, userId, link.identity);
    if (link.purpose === 'verify') {
      await recordAudit(tx, {
        companyId: NO_COMPANY,
        at: deps.clock.now(),
        actor: userId,
        action: 'identity.email_verified',
        subject: userId,
        ip,
      });
    }
    return { userId, purpose: link.purpose, product: link.signUp?.product };
  });
}

/** Creates the same error for used, expired and unknown links. */
export function createLinkSpentError(): AppError {
  return new AppError('invalid', 'identity.link_invalid', 'This link has expired or has already been used. Request a new one.', {
    field: 'token',
  });
}

function createOtherBrowserError({ provider }: VerifiedIdentity): AppError {
  return new AppError(
    'conflict',
    'identity.other_browser',
    `Open this link in the browser where you signed in with ${provider}. If you didn’t sign in, ignore it: someone else tried to connect their sign-in to your email address.`,
  );
}

async function findUser(tx: Tx, email: string): Promise<string | undefined> {
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id;
}

async function createUser(
  deps: AppDeps,
  tx: Tx,
  { email, signUp }: Pick<typeof loginLinks.$inferSelect, 'email' | 'signUp'>,
  isSameBrowser: boolean,
  ip: string,
): Promise<string> {
  if (!signUp) throw createLinkSpentError();
  return insertUser(deps, tx, {
    email,
    fullName: signUp.full_name,
    phone: signUp.phone,
    // Anyone can sign up with someone else's email address. A password typed in another browser must not become the owner's.
    passwordHash: isSameBrowser ? signUp.password_hash : null,
    referral: signUp.referral,
    product: signUp.product,
    ip,
  });
}

type NewUser = Pick<typeof users.$inferInsert, 'email' | 'fullName' | 'phone' | 'passwordHash'> & {
  /** Defaults to `instant_vat`. */
  readonly product: PendingSignUp['product'];
  readonly referral: Referral;
  /** Set for a user who joins by invitation: their first step is the invitation's page. */
  readonly isInvited?: true;
  readonly ip: string;
};

export async function insertUser(
  deps: AppDeps,
  tx: Tx,
  { referral, ip, isInvited, product = 'instant_vat', ...user }: NewUser,
): Promise<string> {
  const id = randomUUID();
  const now = deps.clock.now();
  await tx.insert(users).values({ id, ...user, product, ...toReferralColumns(referral), emailVerifiedAt: now, createdAt: now });
  await recordAudit(tx, {
    companyId: NO_COMPANY,
    at: now,
    actor: id,
    action: 'identity.account_opened',
    subject: id,
    after: { ...referral },
    ip,
  });
  if (isInvited !== true) await enqueueWelcomeEmail(deps, tx, { email: user.email, product });
  return id;
}

/** Finds the user with this identity. */
export async function findIdentityOwner(db: Tx | AppDeps['database']['db'], issuer: string, subject: string): Promise<string | undefined> {
  const [owner] = await db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return owner?.userId;
}
