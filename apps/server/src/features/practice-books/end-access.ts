/** Ends our access to a practice's organisations at the bookkeeping software, after the practice has disconnected it. */
import { booksGrants, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';
import type { BooksGrant } from '@portal/providers/connected-books/books-provider.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobPayloads } from '../../jobs/job-kinds.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { getGrantOwner } from '../books-connection/find-books-grant.ts';

type AccessEnding = JobPayloads['books.end_access'];

const MAX_CONCURRENT_CALLS = 5;
/** Retries are spread over about ten hours. */
const MAX_TRIES = 10;
const RETRY_SECONDS = 600;

/**
 * The job keeps the sealed tokens until all access has ended. Failures are retried by a new job with the tokens that this one received,
 * because refresh tokens change. A finished job is deleted.
 */
export async function endAccess(deps: AppDeps, ending: AccessEnding, { isLastAttempt }: Pick<JobRun, 'isLastAttempt'>): Promise<void> {
  const { company_id: companyId, provider, refresh_token: sealedToken, tries } = ending;
  const booksProvider = deps.practiceBooks[provider];
  const ids = await omitReconnected(deps, ending);
  if (!booksProvider?.disconnect || ids.length === 0) return;
  const label = `books_refresh_token:${getGrantOwner({ companyId, provider })}` as const;
  const oldToken = deps.tokenCipher.open(sealedToken, label);
  let access: Pick<BooksGrant, 'accessToken' | 'refreshToken'>;
  try {
    // The stored access token may have expired.
    const tokens = await booksProvider.signIn.refresh(oldToken);
    access = { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken ?? oldToken };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // Rejected, so the bookkeeping software has already ended the access.
    if (error.failure !== 'unauthorized' && !isLastAttempt) throw error;
    deps.logger.warn({ err: error, companyId }, 'could not end our access at bookkeeping software');
    return;
  }
  const failedConnections = await endEachConnection(deps, ids, (connectionId) => booksProvider.disconnect?.({ ...access, connectionId }));
  if (failedConnections.length === 0) return;
  if (tries + 1 >= MAX_TRIES) {
    deps.logger.warn(
      { companyId, provider, left: failedConnections.length },
      'could not end our access to some organisations at bookkeeping software',
    );
    return;
  }
  const resealedEnding = {
    ...ending,
    refresh_token: deps.tokenCipher.seal(access.refreshToken, label),
    connection_ids: failedConnections,
    tries: tries + 1,
  };
  await deps.enqueue(deps.database.db, 'books.end_access', resealedEnding, { delaySeconds: RETRY_SECONDS * (tries + 1) });
}

/** Returns the ids that failed. One failure doesn't stop the rest. */
async function endEachConnection(deps: AppDeps, ids: readonly string[], end: (id: string) => Promise<void> | undefined): Promise<string[]> {
  const failedConnections: string[] = [];
  for (let start = 0; start < ids.length; start += MAX_CONCURRENT_CALLS) {
    const batch = ids.slice(start, start + MAX_CONCURRENT_CALLS);
    const results = await Promise.allSettled(batch.map(async (id) => end(id)));
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') continue;
      deps.logger.warn({ err: result.reason as unknown }, 'could not end our access to an organisation');
      failedConnections.push(batch[index] ?? '');
    }
  }
  return failedConnections;
}

/** The practice may have reconnected in the meantime, and the bookkeeping software may reuse the same ID for the same access. */
async function omitReconnected(deps: AppDeps, { company_id: companyId, provider, connection_ids: ids }: AccessEnding): Promise<string[]> {
  const rows = await deps.database.db
    .select({ connectionId: practiceOrganisations.connectionId })
    .from(practiceOrganisations)
    .innerJoin(
      booksGrants,
      and(eq(booksGrants.companyId, practiceOrganisations.companyId), eq(booksGrants.provider, practiceOrganisations.provider)),
    )
    .where(
      and(
        eq(practiceOrganisations.companyId, companyId),
        eq(practiceOrganisations.provider, provider),
        isNotNull(practiceOrganisations.connectionId),
      ),
    );
  const connectedIds = new Set(rows.map(({ connectionId }) => connectionId));
  return ids.filter((id) => !connectedIds.has(id));
}
