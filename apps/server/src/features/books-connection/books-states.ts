/** An authorisation in progress with the bookkeeping software, bound to the user, the browser and its purpose. */
import { createHash } from 'node:crypto';
import { booksConnectionStates } from '@portal/db/schema/schema.ts';
import { and, eq, gt } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { BOOKS_PROVIDER_NAMES, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { BooksProvider } from '@portal/providers/connected-books/books-provider.ts';
import type { AppDeps } from '../../app-deps.ts';
import { generateToken, hashToken } from '../../http/session.ts';

/** Users may take their time on the software's pages. */
const STATE_TTL_MS = 60 * 60_000;

export type BooksState = typeof booksConnectionStates.$inferSelect;

export type NewBooksState = Pick<BooksState, 'companyId' | 'clientId' | 'userId' | 'provider' | 'returnTo'> & { readonly browser: string };

/** Returns the URL at the bookkeeping software that the browser should open. */
export async function startAuthorisation(
  deps: AppDeps,
  booksProvider: BooksProvider | undefined,
  { browser, ...state }: NewBooksState,
): Promise<{ authorize_url: string }> {
  if (!booksProvider) {
    const message = `${BOOKS_PROVIDER_NAMES[state.provider]} isn’t set up on this portal. Upload a file of the books instead.`;
    throw new AppError('conflict', 'books.not_set_up', message);
  }
  const [token, nonce, codeVerifier] = [generateToken(), generateToken(), generateToken()];
  await deps.database.db.insert(booksConnectionStates).values({
    ...state,
    stateHash: hashToken(token),
    browserHash: browser,
    nonce,
    codeVerifier,
    expiresAt: addMilliseconds(deps.wallClock.now(), STATE_TTL_MS),
  });
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const { url } = await booksProvider.signIn.authorizeUrl({ state: token, nonce, codeChallenge, extraScopes: booksProvider.scopes });
  return { authorize_url: url };
}

export type BooksCallback = {
  readonly provider: BooksProviderName;
  readonly userId: string;
  readonly browser: string | undefined;
  readonly params: URLSearchParams;
  readonly ip: string;
};

/** Consumes the state. Returns undefined unless it is currently valid for this user in this browser. */
export async function consumeBooksState(
  deps: AppDeps,
  { provider, userId, browser, params }: BooksCallback,
): Promise<BooksState | undefined> {
  const [state] = await deps.database.db
    .delete(booksConnectionStates)
    .where(
      and(
        eq(booksConnectionStates.stateHash, hashToken(params.get('state') ?? '')),
        eq(booksConnectionStates.provider, provider),
        eq(booksConnectionStates.userId, userId),
        eq(booksConnectionStates.browserHash, browser ?? ''),
        gt(booksConnectionStates.expiresAt, deps.wallClock.now()),
      ),
    )
    .returning();
  return state;
}

export type CompletedSignIn = Awaited<ReturnType<BooksProvider['signIn']['completeSignIn']>>;

/** Exchanges the code of a callback with a valid state. */
export function completeAuthorisation(
  booksProvider: BooksProvider,
  { nonce, codeVerifier }: BooksState,
  params: URLSearchParams,
): Promise<CompletedSignIn> {
  return booksProvider.signIn.completeSignIn({
    params,
    state: params.get('state') ?? '',
    nonce,
    codeVerifier,
    extraScopes: booksProvider.scopes,
  });
}
