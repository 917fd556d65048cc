import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { BooksLostError, getGrantToken, markGrantLost } from '../books-connection/books-tokens.ts';
import type { BooksGrantRow } from '../books-connection/find-books-grant.ts';

/**
 * If the bookkeeping software rejects a token that should be valid, the token is renewed once. If it is rejected again, the authorisation
 * is lost. For a call about one organisation, `confirm` makes a call that isn't about any organisation. If that succeeds, the token is
 * valid and the rejection concerns the organisation, so it is thrown.
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
    const renewedToken = await getGrantToken(deps, grant, token);
    try {
      return await work(renewedToken);
    } catch (retryError) {
      if (!isRejected(retryError) || (confirm && (await isAccepted(confirm, renewedToken)))) throw retryError;
      await markGrantLost(deps, grant, { reason: 'refused', tokens: { access: renewedToken } }, retryError);
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
