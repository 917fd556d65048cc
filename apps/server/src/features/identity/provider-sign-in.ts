/**
 * Signing in with an external account. A user is identified by issuer and subject; an email address alone links nothing until its owner has
 * used our link.
 */
import type { Product } from '@portal/domain/partners/partner.ts';
import { createHash } from 'node:crypto';
import type { SignInProviderName } from '@portal/contract/security.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { getPracticeStepPath } from '@portal/contract/practice.ts';
import { createNameScalar, emailScalar } from '@portal/contract/scalars.ts';
import { signInStates, users, type VerifiedIdentity, type Referral } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { Tx } from '@portal/db/database.ts';
import type { SignedInIdentity } from '@portal/providers/oidc/sign-in-port.ts';
import { and, eq, gt } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotSignedInError } from '../../http/policies.ts';
import { generateToken, hashToken, type Actor } from '../../http/session.ts';
import { completeSignIn, renewSessionCookie, type SignInContext } from './complete-sign-in.ts';
import { completeHmrcSignIn, getHmrcSignInUrl } from './hmrc-sign-in.ts';
import { linkIdentity } from './link-identity.ts';
import { limitAttempts, toNetwork } from './limit-attempts.ts';
import { lockSession } from './lock-session.ts';
import { findIdentityOwner, insertUser, sendLink } from './sign-in-links.ts';
import { listBooksScopes, saveBooksGrant } from './sign-up-books.ts';

/** Allows users plenty of time on the provider's pages. */
const STATE_TTL_MS = 60 * 60_000;

export type ProviderSignInStart = {
  readonly provider: SignInProviderName;
  readonly browser: string;
  readonly next: string | undefined;
  readonly referral: Referral;
  readonly linkTo: string | undefined;
  readonly vrn: string | undefined;
  /** Set if the sign-up also requests access to these books. */
  readonly booksProvider: BooksProviderName | undefined;
};

/** Returns the provider's URL for the browser, or undefined if the provider is not configured. */
export async function startProviderSignIn(deps: AppDeps, { provider, browser, ...rest }: ProviderSignInStart): Promise<string | undefined> {
  const client = provider === 'hmrc' ? undefined : deps.signIn[provider];
  if (provider !== 'hmrc' && !client) return undefined;
  const [state, nonce, codeVerifier] = [generateToken(), generateToken(), generateToken()];
  const now = deps.wallClock.now();
  await deps.database.db.insert(signInStates).values({
    stateHash: hashToken(state),
    provider,
    browserHash: browser,
    nonce,
    codeVerifier,
    next: rest.next ?? null,
    referral: rest.referral,
    linkTo: rest.linkTo ?? null,
    vrn: rest.vrn ?? null,
    booksProgram: rest.booksProvider ?? null,
    createdAt: now,
    expiresAt: addMilliseconds(now, STATE_TTL_MS),
  });
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  if (!client) return getHmrcSignInUrl(deps, state, codeChallenge);
  return (await client.authorizeUrl({ state, nonce, codeChallenge, extraScopes: listBooksScopes(deps, rest.booksProvider) })).url;
}

type State = typeof signInStates.$inferSelect;

/** Returns the page to go to, below /portal. A state works once, and only in the browser that started the sign-in. */
export async function completeProviderSignIn(
  deps: AppDeps,
  context: SignInContext,
  callback: { provider: SignInProviderName; browser: string | undefined; params: URLSearchParams; signedInAs: Actor | undefined },
): Promise<string> {
  const { provider, browser, params } = callback;
  const stateToken = params.get('state') ?? '';
  const [state] = await deps.database.db
    .delete(signInStates)
    .where(
      and(
        eq(signInStates.stateHash, hashToken(stateToken)),
        eq(signInStates.provider, provider),
        eq(signInStates.browserHash, browser ?? ''),
        gt(signInStates.expiresAt, deps.wallClock.now()),
      ),
    )
    .returning();
  // The user who requested linking must still be signed in. The result must not be applied to another user, or to a browser that has logged
  // out.
  if (!state || (state.linkTo !== null && state.linkTo !== callback.signedInAs?.userId)) return getOutcomePage(provider, 'failed');
  try {
    if (provider === 'hmrc') return await completeHmrcSignIn(deps, context, state, params);
    const client = deps.signIn[provider];
    if (!client) return getOutcomePage(provider, 'failed', state);
    const { nonce, codeVerifier } = state;
    const extraScopes = listBooksScopes(deps, state.booksProgram);
    const callbackParams = { params, state: stateToken, nonce, codeVerifier, extraScopes };
    return await resolveIdentity(deps, context, { ...state, actor: callback.signedInAs }, await client.completeSignIn(callbackParams));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.facts.code === 'access_denied') {
      // Staff of a practice often lack the right to consent at Xero. The page describes the alternatives (docs/product/specification.md
      // section 2.3).
      if (provider === 'xero' && isForPractice(state.next)) return PAGES.openTaxXeroDeclined.path;
      return getOutcomePage(provider, state.booksProgram === null ? 'declined' : 'sign_up_declined', state);
    }
    deps.logger.warn({ err: error }, 'could not complete a sign-in with a provider');
    return getOutcomePage(provider, 'failed', state);
  }
}

/** `actor`: the user who is logged in. */
type StartedState = State & { readonly actor: Actor | undefined };

async function resolveIdentity(
  deps: AppDeps,
  context: SignInContext,
  state: StartedState,
  providerIdentity: SignedInIdentity,
): Promise<string> {
  const { db } = deps.database;
  const { provider, issuer, subject } = providerIdentity;
  // The provider's data is untrusted: accept only values that pass our own form validation.
  const email = emailScalar.safeParse(providerIdentity.email).data;
  const fullName = createNameScalar('your full name').safeParse(providerIdentity.fullName).data ?? email;
  const identity: VerifiedIdentity = { provider, issuer, subject, email: email ?? null };
  if (state.linkTo !== null) return state.actor ? linkTo(deps, context, state.actor, identity) : getOutcomePage(provider, 'failed');
  const owner = await findIdentityOwner(db, issuer, subject);
  await saveBooksGrant(deps, state.booksProgram, providerIdentity, owner);
  if (owner !== undefined) return signInAndGetPage(deps, context, state, owner, providerIdentity);
  if (email === undefined) return getOutcomePage(provider, 'not_linked', state);
  const [account] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (providerIdentity.emailVerified && !account)
    return signInAndGetPage(
      deps,
      context,
      state,
      await createAccount(deps, context, state, identity, email, fullName ?? email),
      providerIdentity,
    );
  await limitAttempts(db, deps.wallClock, { [`mail:${email}`]: 5, [`mail-ip:${toNetwork(context.caller.ip)}`]: 60 });
  await sendLink(deps, {
    email,
    purpose: 'link',
    identity,
    browser: state.browserHash,
    signUp: { full_name: fullName ?? email, phone: null, password_hash: null, referral: state.referral, product: getProduct(state) },
  });
  return state.booksProgram === null ? getOutcomePage(provider, 'needs_link', state) : `${PAGES.checkMail.path}?provider=${provider}`;
}

/**
 * Returns the product that the user came for, from the page they started on. It is stored with the account, so that they continue there
 * later.
 */
function getProduct({ next }: State): Product {
  return isForPractice(next) ? 'open_tax' : 'instant_vat';
}

export function isForPractice(next: string | null | undefined): boolean {
  return next?.startsWith('/v2/open-tax/') === true;
}

async function createAccount(
  deps: AppDeps,
  context: SignInContext,
  state: State,
  identity: VerifiedIdentity,
  email: string,
  fullName: string,
): Promise<string> {
  return deps.database.db.transaction(async (tx) => {
    const userId = await insertUser(deps, tx, {
      email,
      fullName,
      phone: null,
      passwordHash: null,
      referral: state.referral,
      product: getProduct(state),
      ip: context.caller.ip,
    });
    await linkIdentity(deps, tx, userId, identity, { ip: context.caller.ip, isNewAccount: true });
    return userId;
  });
}

/** Needs no further proof: the signed-in user requested the link and has proved that the other account is theirs. */
async function linkTo(deps: AppDeps, context: SignInContext, actor: Actor, identity: VerifiedIdentity): Promise<string> {
  const { userId } = actor;
  try {
    await deps.database.db.transaction(async (tx) => {
      // The provider's answer took a while, in which the owner may have reset the password.
      await lockSession(tx, actor);
      await linkIdentity(deps, tx, userId, identity, { ip: context.caller.ip });
    });
    await renewSessionCookie(deps, context.reply);
    return getOutcomePage(identity.provider, 'linked', { linkTo: userId });
  } catch (error) {
    if (error instanceof AppError && error.code === 'identity.linked_elsewhere')
      return getOutcomePage(identity.provider, 'linked_elsewhere', { linkTo: userId });
    if (error instanceof AppError && error.code === 'identity.not_signed_in') return getOutcomePage(identity.provider, 'failed');
    throw error;
  }
}

async function signInAndGetPage(
  deps: AppDeps,
  context: SignInContext,
  state: State,
  userId: string,
  { provider, issuer, subject }: SignedInIdentity,
): Promise<string> {
  const assertProof = async (tx: Tx): Promise<void> => {
    if ((await findIdentityOwner(tx, issuer, subject)) !== userId) throw createNotSignedInError();
  };
  const signInResult = await completeSignIn(deps, { ...context, assertProof }, userId, provider);
  return signInResult.type === 'second_factor' ? signInResult.home_path : (state.next ?? signInResult.home_path);
}

type SignInOutcome =
  | 'declined'
  | 'sign_up_declined'
  | 'failed'
  | 'needs_link'
  | 'not_linked'
  | 'not_set_up'
  | 'needs_vrn'
  | 'linked'
  | 'linked_elsewhere'
  | 'confirm_needed';

/** The start of the sign-in: a signed-in user links the provider; a visitor continues to a page. */
type OutcomeContext = { readonly linkTo?: string | null | undefined; readonly next?: string | null | undefined };

/**
 * Returns the page that shows the outcome: the profile for a signed-in user, the practice sign-up for someone signing up a practice,
 * otherwise the login page.
 */
export function getOutcomePage(provider: string, outcome: SignInOutcome, { linkTo, next }: OutcomeContext = {}): string {
  const page = linkTo ? PAGES.profile : next === getPracticeStepPath('practice') ? PAGES.openTaxSignup : PAGES.loginV2;
  return `${page.path}?outcome=${outcome}&provider=${provider}`;
}
