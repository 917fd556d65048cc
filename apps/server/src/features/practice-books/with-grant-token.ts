import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { BooksLostError, getGrantToken, loseGrantNow } from '../books-connection/books-tokens.ts';
import type { BooksGrantRow } from '../books-connection/find-books-grant.ts';

/** A token that the program rejects although it should be good is renewed once. Rejected again, the authorisation is lost. */
export async function withGrantToken<Result>(
  deps: AppDeps,
  grant: BooksGrantRow,
  work: (token: string) => Promise<Result>,
): Promise<Result> {
  const token = await getGrantToken(deps, grant);
  try {
    return await work(token);
  } catch (error) {
    if (!isRejected(error)) throw error;
    const renewed = await getGrantToken(deps, grant, token);
    try {
      return await work(renewed);
    } catch (again) {
      if (!isRejected(again)) throw again;
      await loseGrantNow(deps, grant, { reason: 'refused', tokens: { access: renewed } }, again);
      throw new BooksLostError();
    }
  }
}

const isRejected = (error: unknown): error is ProviderError => error instanceof ProviderError && error.failure === 'unauthorized';
