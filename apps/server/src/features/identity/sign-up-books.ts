/**
 * Signs up and connects bookkeeping in one consent (decision 70). The provider doesn't verify the email address, so the grant is stored
 * against the provider identity and moves only to an account linked to that identity.
 */
import type { SignInProviderName } from '@portal/contract/security.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { waitingBooksGrants, identities, memberships, type GrantedOrganisation } from '@portal/db/schema/schema.ts';
import { and, desc, eq, exists, gt, sql } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { toVatDigits } from '@portal/domain/connected-books/books-problems.ts';
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { parseNineDigitVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import type { BooksOrganisation, BooksProvider } from '@portal/providers/connected-books/books-provider.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { SignedInIdentity } from '@portal/providers/oidc/sign-in-port.ts';
import type { AppDeps } from '../../app-deps.ts';

/** The emailed link works for 30 minutes; the company may be added later the same day. */
const GRANT_TTL_MS = 24 * 3_600_000;
/** Beyond this number, only the organisations' names are shown, because describing each takes a call while the user waits. */
const MAX_DESCRIBED_ORGANISATIONS = 5;

const SIGN_UP_BOOKS: Readonly<Partial<Record<SignInProviderName, BooksProviderName>>> = { xero: 'xero' };

type Identity = Pick<SignedInIdentity, 'issuer' | 'subject'>;
export type BooksGrantRow = typeof waitingBooksGrants.$inferSelect;

/** Returns the bookkeeping software whose books a sign-up with this provider also requests. */
export function findSignUpBooks(deps: Pick<AppDeps, 'books'>, provider: SignInProviderName): BooksProviderName | undefined {
  const booksProviderName = SIGN_UP_BOOKS[provider];
  return booksProviderName !== undefined && deps.books[booksProviderName] ? booksProviderName : undefined;
}

export function listBooksScopes(deps: Pick<AppDeps, 'books'>, provider: BooksProviderName | null | undefined): readonly string[] {
  return (provider && deps.books[provider]?.scopes) ?? [];
}

/**
 * Stores the permission granted during a sign-up. Nothing is stored for a user who already has a company: its books are connected on its
 * own page. If this fails, the books are simply connected later.
 */
export async function saveBooksGrant(
  deps: AppDeps,
  provider: BooksProviderName | null,
  { issuer, subject, tokens }: SignedInIdentity,
  owner: string | undefined,
): Promise<void> {
  const booksProvider = provider === null ? undefined : deps.books[provider];
  if (provider === null || !booksProvider || tokens?.refreshToken === undefined || tokens.missingScopes.length > 0) return;
  const { db } = deps.database;
  if (owner !== undefined && (await hasTenant(db, owner))) return;
  const organisations = await listOrganisations(deps, booksProvider, tokens.accessToken);
  if (organisations.length === 0) return;
  const context = toContext({ issuer, subject });
  const grant = {
    provider,
    accessToken: deps.tokenCipher.seal(tokens.accessToken, `books_access_token:${context}`),
    refreshToken: deps.tokenCipher.seal(tokens.refreshToken, `books_refresh_token:${context}`),
    accessExpiresAt: tokens.expiresAt,
    organisations,
    expiresAt: addMilliseconds(deps.clock.now(), GRANT_TTL_MS),
  };
  await db
    .insert(waitingBooksGrants)
    .values({ issuer, subject, ...grant })
    .onConflictDoUpdate({ target: [waitingBooksGrants.issuer, waitingBooksGrants.subject], set: grant });
}

async function listOrganisations(deps: AppDeps, booksProvider: BooksProvider, accessToken: string): Promise<GrantedOrganisation[]> {
  try {
    const foundOrganisations = await booksProvider.listOrganisations(accessToken, undefined, { maxAttempts: 1 });
    return await Promise.all(
      foundOrganisations.map((organisation, index) => describeOrganisation(booksProvider, accessToken, organisation, index)),
    );
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error }, 'could not list the organisations of a sign-up');
    return [];
  }
}

async function describeOrganisation(
  booksProvider: BooksProvider,
  accessToken: string,
  { id, name, connectionId }: BooksOrganisation,
  index: number,
): Promise<GrantedOrganisation> {
  const organisation = { id, name, connection_id: connectionId ?? null, vatNumber: null, companyNumber: null };
  if (index >= MAX_DESCRIBED_ORGANISATIONS || !booksProvider.describeOrganisation) return organisation;
  try {
    const numbers = await booksProvider.describeOrganisation({ organisationId: id, getAccessToken: () => Promise.resolve(accessToken) });
    const vrn = parseNineDigitVrn(toVatDigits(numbers.vatNumber ?? ''));
    const companyNumber = parseCompanyNumber(numbers.companyNumber ?? '');
    return {
      ...organisation,
      vatNumber: vrn.ok ? vrn.value.vrn : null,
      companyNumber: companyNumber.ok ? String(companyNumber.value) : null,
    };
  } catch (error) {
    // The user's role may not include this permission. They then type the numbers themselves.
    if (!(error instanceof ProviderError)) throw error;
    return organisation;
  }
}

/** Finds the stored permission for a user's first company, from an identity that is linked to their account. */
export async function findBooksGrant(db: Db | Tx, userId: string, now: Instant): Promise<BooksGrantRow | null> {
  const [grant] = await db
    .select()
    .from(waitingBooksGrants)
    .where(isOwnGrant(db, userId, now))
    .orderBy(desc(waitingBooksGrants.expiresAt))
    .limit(1);
  return grant ?? null;
}

/** Removes the stored permission and returns it, so that it is used only once. The tokens are decrypted. */
export async function consumeBooksGrant(deps: AppDeps, tx: Tx, userId: string): Promise<BooksGrantRow | undefined> {
  const grants = await tx
    .delete(waitingBooksGrants)
    .where(isOwnGrant(tx, userId, deps.clock.now()))
    .returning();
  const grant = grants.toSorted((a, b) => (a.expiresAt < b.expiresAt ? 1 : -1))[0];
  if (!grant) return undefined;
  const context = toContext(grant);
  return {
    ...grant,
    accessToken: deps.tokenCipher.open(grant.accessToken, `books_access_token:${context}`),
    refreshToken: deps.tokenCipher.open(grant.refreshToken, `books_refresh_token:${context}`),
  };
}

function isOwnGrant(db: Db | Tx, userId: string, now: Instant) {
  return and(exists(matchesIdentity(db, userId)), gt(waitingBooksGrants.expiresAt, now));
}

function matchesIdentity(db: Db | Tx, userId: string) {
  return db
    .select({ one: sql`1` })
    .from(identities)
    .where(
      and(
        eq(identities.userId, userId),
        eq(identities.issuer, waitingBooksGrants.issuer),
        eq(identities.subject, waitingBooksGrants.subject),
      ),
    );
}

/** Call this before the user's identities are deleted. */
export async function deleteBooksGrants(tx: Tx, userId: string): Promise<void> {
  await tx.delete(waitingBooksGrants).where(exists(matchesIdentity(tx, userId)));
}

/** Deletes the permission if the account linked to the identity already has a company and therefore doesn't need it. */
export async function deleteUnusedGrant(tx: Tx, userId: string, { issuer, subject }: Identity): Promise<void> {
  if (!(await hasTenant(tx, userId))) return;
  await tx.delete(waitingBooksGrants).where(and(eq(waitingBooksGrants.issuer, issuer), eq(waitingBooksGrants.subject, subject)));
}

async function hasTenant(db: Db | Tx, userId: string): Promise<boolean> {
  const [member] = await db.select({ id: memberships.companyId }).from(memberships).where(eq(memberships.userId, userId)).limit(1);
  return member !== undefined;
}

/** The seal can be opened only for this identity. */
function toContext({ issuer, subject }: Identity): string {
  return `grant:${issuer} ${subject}`;
}
