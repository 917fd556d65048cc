/** Lists the organisations that a practice's authorisation covers, according to its bookkeeping software. */
import { practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { BooksOrganisation, ListOptions } from '@portal/providers/connected-books/books-provider.ts';
import type { AppDeps } from '../../app-deps.ts';
import { acquireSlotFor } from '../books-connection/call-limits.ts';
import type { BooksGrantKey } from '../books-connection/find-books-grant.ts';

/** For a job: waits for the rate limit for calls that aren't about one organisation. */
export function getListOptions({ companyId, provider }: BooksGrantKey): ListOptions {
  return { acquireSlot: acquireSlotFor({ provider, practiceId: companyId }) };
}

/** For a user who is waiting: calls aren't retried. */
export const SINGLE_ATTEMPT: ListOptions = { maxAttempts: 1 };

/**
 * A list read page by page may shift during the read. So if known organisations are missing, it is read again, and only those missing from
 * both reads count as missing.
 */
export async function listCoveredOrganisations(
  deps: AppDeps,
  { companyId, provider }: BooksGrantKey,
  list: () => Promise<BooksOrganisation[]>,
): Promise<BooksOrganisation[]> {
  const foundOrganisations = await list();
  const ids = new Set(foundOrganisations.map(({ id }) => id));
  const coveredClients = await deps.database.db
    .select({ id: practiceOrganisations.organisationId })
    .from(practiceOrganisations)
    .where(
      and(
        eq(practiceOrganisations.companyId, companyId),
        eq(practiceOrganisations.provider, provider),
        isNull(practiceOrganisations.goneAt),
      ),
    );
  if (coveredClients.every(({ id }) => ids.has(id))) return foundOrganisations;
  return [...foundOrganisations, ...(await list())];
}
