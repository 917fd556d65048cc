/** Signing in with another company's account. A person there is issuer and subject; an email address joins nothing before its owner has pressed our link. */
import type { Product } from '@portal/domain/partners/partner.ts';
import { createHash } from 'node:crypto';
import type { SignInProviderName } from '@portal/contract/identity-security.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { practiceStepPath } from '@portal/contract/practice.ts';
import { emailScalar, nameScalar } from '@portal/contract/scalars.ts';
import { signInStates, users, type ProvenIdentity, type Referral } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { SignedInIdentity } from '@portal/providers/oidc/sign-in-port.ts';
import { and, eq, gt } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { hashToken, newToken } from '../../http/session.ts';
import { admitPerson, renewSession, type Door } from './admit-person.ts';
import { finishHmrcSignIn, hmrcSignInUrl } from './hmrc-sign-in.ts';
import { joinIdentity } from './identities.ts';
import { limitAttempts, networkOf } from './limit-attempts.ts';
import { findIdentityOwner, insertUser, sendLink } from './sign-in-links.ts';

/** People take their time on a provider's pages. */
const STATE_LIFE_MS = 60 * 60_000;

export type Beginning = {
  readonly provider: SignInProviderName;
  readonly browser: string;
  readonly next: string | undefined;
  readonly referral: Referral;
  readonly linkTo: string | undefined;
  readonly vrn: string | undefined;
};

/** Where the browser goes; undefined where the provider is not set up. */
export async function beginProviderSignIn(deps: AppDeps, { provider, browser, ...rest }: Beginning): Promise<string | undefined> {
  const client = provider === 'hmrc' ? undefined : deps.signIn[provider];
  if (provider !== 'hmrc' && !client) return undefined;
  const [state, nonce, codeVerifier] = [newToken(), newToken(), newToken()];
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
    createdAt: now,
    expiresAt: addMilliseconds(now, STATE_LIFE_MS),
  });
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  if (!client) return hmrcSignInUrl(deps, state, codeChallenge);
  return (await client.authorizeUrl({ state, nonce, codeChallenge })).url;
}

type State = typeof signInStates.$inferSelect;

/** The page to go to, below /portal. A state works once, and only in the browser that began. */
export async function finishProviderSignIn(
  deps: AppDeps,
  door: Door,
  way: { provider: SignInProviderName; browser: string | undefined; params: URLSearchParams; signedInAs: string | undefined },
): Promise<string> {
  const { provider, browser, params } = way;
  const given = params.get('state') ?? '';
  const [state] = await deps.database.db
    .delete(signInStates)
    .where(
      and(
        eq(signInStates.stateHash, hashToken(given)),
        eq(signInStates.provider, provider),
        eq(signInStates.browserHash, browser ?? ''),
        gt(signInStates.expiresAt, deps.wallClock.now()),
      ),
    )
    .returning();
  // Joining was asked for by somebody who was signed in: whoever is it now, or nobody, must not receive it.
  if (!state || (state.linkTo !== null && state.linkTo !== way.signedInAs)) return outcomePage(provider, 'failed');
  try {
    if (provider === 'hmrc') return await finishHmrcSignIn(deps, door, state, params);
    const client = deps.signIn[provider];
    if (!client) return outcomePage(provider, 'failed', state);
    const { nonce, codeVerifier } = state;
    return await settle(deps, door, state, await client.finish({ params, state: given, nonce, codeVerifier }));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.facts.code === 'access_denied') {
      // A practice's people at Xero often lack the right to say yes: the page names the ways on (specification 2.3).
      return provider === 'xero' && productOf(state) === 'open_tax'
        ? PAGES.openTaxXeroDeclined.path
        : outcomePage(provider, 'declined', state);
    }
    deps.logger.warn({ err: error }, 'a sign-in at a provider could not be finished');
    return outcomePage(provider, 'failed', state);
  }
}

async function settle(deps: AppDeps, door: Door, state: State, who: SignedInIdentity): Promise<string> {
  const { db } = deps.database;
  const { provider, issuer, subject } = who;
  // What the provider says is not ours: only what could have been typed here is taken.
  const email = emailScalar.safeParse(who.email).data;
  const fullName = nameScalar('your full name').safeParse(who.fullName).data ?? email;
  const identity: ProvenIdentity = { provider, issuer, subject, email: email ?? null };
  if (state.linkTo !== null) return linkTo(deps, door, state.linkTo, identity);
  const owner = await findIdentityOwner(db, issuer, subject);
  if (owner !== undefined) return enter(deps, door, state, owner, provider);
  if (email === undefined) return outcomePage(provider, 'not_linked', state);
  const [account] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (who.emailVerified && !account)
    return enter(deps, door, state, await openAccount(deps, door, state, identity, email, fullName ?? email), provider);
  await limitAttempts(db, deps.wallClock, { [`mail:${email}`]: 5, [`mail-ip:${networkOf(door.caller.ip)}`]: 60 });
  await sendLink(deps, {
    email,
    purpose: 'link',
    identity,
    browser: state.browserHash,
    signUp: { full_name: fullName ?? email, phone: null, password_hash: null, referral: state.referral, product: productOf(state) },
  });
  return outcomePage(provider, 'needs_link', state);
}

/** Which product somebody came for: the page they began at. The account remembers it, so that they go on there on another day too. */
function productOf({ next }: State): Product {
  return next?.startsWith('/v2/open-tax/') === true ? 'open_tax' : 'instant_vat';
}

async function openAccount(
  deps: AppDeps,
  door: Door,
  state: State,
  identity: ProvenIdentity,
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
      product: productOf(state),
      ip: door.caller.ip,
    });
    await joinIdentity(deps, tx, userId, identity, { ip: door.caller.ip, isNewAccount: true });
    return userId;
  });
}

/** A signed-in person asked for it, and has shown that the other account is theirs: nothing more is to prove. */
async function linkTo(deps: AppDeps, door: Door, userId: string, identity: ProvenIdentity): Promise<string> {
  try {
    await deps.database.db.transaction((tx) => joinIdentity(deps, tx, userId, identity, { ip: door.caller.ip }));
    await renewSession(deps, door.reply);
    return outcomePage(identity.provider, 'linked', { linkTo: userId });
  } catch (error) {
    if (error instanceof AppError && error.code === 'identity.linked_elsewhere')
      return outcomePage(identity.provider, 'linked_elsewhere', { linkTo: userId });
    throw error;
  }
}

async function enter(
  deps: AppDeps,
  door: Door,
  state: State,
  userId: string,
  provider: Exclude<SignInProviderName, 'hmrc'>,
): Promise<string> {
  const admitted = await admitPerson(deps, door, userId, provider);
  return admitted.type === 'second_factor' ? admitted.home_path : (state.next ?? admitted.home_path);
}

type Outcome = 'declined' | 'failed' | 'needs_link' | 'not_linked' | 'not_set_up' | 'needs_vrn' | 'linked' | 'linked_elsewhere';

/** Where somebody who goes to a provider comes from: a signed-in person joins it to their account; a visitor wants to go on at a page. */
type Whence = { readonly linkTo?: string | null | undefined; readonly next?: string | null | undefined };

/** The page that tells what came of it: the profile for a signed-in person, the practice's sign-up for whoever signs one up, else the login page. */
export function outcomePage(provider: string, outcome: Outcome, { linkTo, next }: Whence = {}): string {
  const page = linkTo ? PAGES.profile : next === practiceStepPath('practice') ? PAGES.openTaxSignup : PAGES.loginV2;
  return `${page.path}?outcome=${outcome}&provider=${provider}`;
}
