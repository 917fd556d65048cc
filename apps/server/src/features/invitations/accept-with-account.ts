/**
 * Accepts an invitation as the invited user. The link proves ownership of the email address, so it may create an account for it. For an
 * existing account the user must be logged in, because the link alone would bypass its second factor.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { Product } from '@portal/domain/partners/partner.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Caller, Reply } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { assertGoodPassword } from '../identity/check-new-password.ts';
import { completeSignIn, renewSessionCookie, type SignInResult } from '../identity/complete-sign-in.ts';
import { hashPassword } from '../identity/passwords.ts';
import { readReferral } from '../identity/read-referral.ts';
import { createLinkSpentError, insertUser } from '../identity/sign-in-links.ts';

type AcceptCall = {
  readonly input: { readonly full_name?: string | undefined; readonly password?: string | undefined };
  readonly actor: Actor | undefined;
  readonly caller: Caller;
  readonly reply: Reply;
};

export type InvitedPerson = { readonly id: string; readonly name: string };

type AcceptedInvitation = {
  readonly email: string;
  /** The product of a new account. */
  readonly product: Product;
  readonly home: SignInResult;
  /** Rechecks the invitation's link: another browser may just have used it. */
  readonly isUsable: () => Promise<boolean>;
  /** Uses the invitation and gives the user access. Throws if it has been used since. */
  readonly join: (tx: Tx, person: InvitedPerson) => Promise<void>;
};

/** Accepts as the logged-in user, or creates an account for the invited email address and logs in to it. */
export async function acceptWithAccount(deps: AppDeps, call: AcceptCall, acceptedInvitation: AcceptedInvitation): Promise<SignInResult> {
  const { email, product, home, join } = acceptedInvitation;
  const { actor, caller, reply } = call;
  const { db } = deps.database;
  if (actor) {
    assertInvited(actor, email);
    await db.transaction((tx) => join(tx, { id: actor.userId, name: actor.fullName }));
    // New rights come with a new cookie, so that a copy of the old one is useless.
    await renewSessionCookie(deps, reply);
    return home;
  }
  const account = await prepareAccount(deps, db, call, acceptedInvitation);
  const userId = await db
    .transaction(async (tx) => {
      const id = await insertUser(deps, tx, { ...account, email, phone: null, product, isInvited: true, ip: caller.ip });
      await join(tx, { id, name: account.fullName });
      return id;
    })
    // If the link is used twice at the same time, the other request has created the account.
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'users_email') ? createLinkSpentError() : error;
    });
  return { ...(await completeSignIn(deps, { caller, reply }, userId, 'link')), ...home };
}

function assertInvited(actor: Actor, email: string): void {
  if (actor.email === email) return;
  const message = `This invitation is for ${email}, but you’re logged in as ${actor.email}. Log in with the invited email address, or ask for an invitation to your current one.`;
  throw new AppError('conflict', 'invitation.other_address', message);
}

/** Checks the new account's details before the transaction, because hashing a password takes time. */
async function prepareAccount(deps: AppDeps, db: Db, { input, reply }: AcceptCall, { email, isUsable }: AcceptedInvitation) {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (user) {
    if (!(await isUsable())) throw createLinkSpentError();
    throw new AppError('conflict', 'invitation.log_in_first', `${email} has an account. Log in to accept the invitation.`);
  }
  const { full_name: fullName, password } = input;
  if (fullName === undefined) throw createInvalidFieldError('full_name', 'Enter your full name');
  if (password !== undefined) await assertGoodPassword(deps, { field: 'password', password, about: [email, fullName] });
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return { fullName, passwordHash, referral: readReferral(reply.request.cookies, undefined, deps.clock.now()) };
}
