import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { BooksLostError, getGrantToken, loseGrantNow } from '../books-connection/books-tokens.ts';
import type { BooksGrantRow } from '../books-connection/find-books-grant.ts';

/**
 * A token that the program rejects although it should be good is renewed once. Rejected again, the authorisation is lost. `confirm`: for a call that
 * names an organisation, one that names none. If the program answers that, the token is good and the rejection is about the organisation: it is
 * thrown.
 */
export async function withGrantToken<Result>(
  deps: AppDeps,
  grant: BooksGrantRow,
  work: (token: string) => Promise<Result>,
  confirm?: (token: string) => Promise<unknown>,
): Promise<Result> {
  const token = await getGrantToken(deps, grant);
  try {
    return await work(token);
  } catch (error) {
    if (!isRejected(error) || (confirm && (await isAccepted(confirm, token)))) throw error;
    const renewed = await getGrantToken(deps, grant, token);
    try {
      return await work(renewed);
    } catch (again) {
      if (!isRejected(again) || (confirm && (await isAccepted(confirm, renewed)))) throw again;
      await loseGrantNow(deps, grant, { reason: 'refused', tokens: { access: renewed } }, again);
      throw new BooksLostError();
    }
  }
}

async function isAccepted(confirm: (token: string) => Promise<unknown>, token: string): Promise<boolean> {
  try {
    await confirm(token);
    return true;
  } catch (error) {
    if (isRejected(error)) return false;
    throw error;
  }
}

const isRejected = (error: unknown): error is ProviderError => error instanceof ProviderError && error.failure === 'unauthorized';
