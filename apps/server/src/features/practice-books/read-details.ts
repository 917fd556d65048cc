/** Reads organisations' numbers, with one call each. One that can't be read at the moment doesn't delay the others. */
import { booksGrants, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull, lte, or } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { toVatDigits } from '@portal/domain/connected-books/books-problems.ts';
import type { BooksProvider, OrganisationDetails } from '@portal/providers/connected-books/books-provider.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { acquireSlotFor } from '../books-connection/call-limits.ts';
import { getListOptions } from './list-covered.ts';
import { BooksLostError } from '../books-connection/books-tokens.ts';
import { type BooksGrantRow, isSameGrant } from '../books-connection/find-books-grant.ts';
import { withGrantToken } from './with-grant-token.ts';

/** Well below the time after which a job is reassigned to another instance. */
const MAX_RUN_MS = 120_000;
const DEFAULT_WAIT_SECONDS = 60;
/** Used after a failure that doesn't specify a time. */
const FAILURE_WAIT_SECONDS = 15 * 60;
/** Three consecutive failures point to a fault of the bookkeeping software, not of the organisations. */
const MAX_FAILURES = 3;

/** Returns false if time runs out before all those due have been read. */
export async function readDetails(
  deps: AppDeps,
  grant: BooksGrantRow,
  booksProvider: BooksProvider,
  signal: AbortSignal,
): Promise<boolean> {
  const describe = booksProvider.describeOrganisation;
  if (!describe) return true;
  const { db } = deps.database;
  const endsAt = addMilliseconds(deps.wallClock.now(), MAX_RUN_MS);
  const isDue = or(isNull(practiceOrganisations.waitsUntil), lte(practiceOrganisations.waitsUntil, deps.clock.now()));
  const dueOrganisations = await db
    .select({ organisationId: practiceOrganisations.organisationId })
    .from(practiceOrganisations)
    .where(and(isUnreadForGrant(grant), isDue))
    .orderBy(asc(practiceOrganisations.name));
  let failures = 0;
  for (const { organisationId } of dueOrganisations) {
    if (signal.aborted || deps.wallClock.now() > endsAt) return false;
    const details = await tryDescribe(deps, grant, booksProvider, describe, organisationId);
    if (!(details instanceof ProviderError)) {
      failures = 0;
      await saveDetails(deps, grant, organisationId, details);
      continue;
    }
    const { failure, facts } = details;
    const seconds = failure === 'throttled' ? (facts.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS) : FAILURE_WAIT_SECONDS;
    if (isApplicationRateLimit(details)) {
      await postponeGrant(deps, grant, seconds);
      return true;
    }
    deps.logger.warn({ err: details, companyId: grant.companyId, organisationId }, 'could not read an organisation’s registration numbers');
    await db
      .update(practiceOrganisations)
      .set({ waitsUntil: addMilliseconds(deps.clock.now(), seconds * 1_000) })
      .where(and(isUnreadForGrant(grant), eq(practiceOrganisations.organisationId, organisationId)));
    failures = failure === 'unavailable' ? failures + 1 : 0;
    if (failures < MAX_FAILURES) continue;
    await postponeGrant(deps, grant, FAILURE_WAIT_SECONDS);
    return true;
  }
  return true;
}

/** Pauses reads with the authorisation for this long. */
export async function postponeGrant(deps: AppDeps, grant: BooksGrantRow, seconds: number): Promise<void> {
  const waitsUntil = addMilliseconds(deps.clock.now(), seconds * 1_000);
  await deps.database.db.update(booksGrants).set({ waitsUntil }).where(isSameGrant(grant));
}

/** Xero reports which limit was exceeded: the organisation's per-minute or daily limit, or the app's limit over all organisations. */
function isApplicationRateLimit({ failure, facts }: ProviderError): boolean {
  return failure === 'throttled' && facts.code?.toLowerCase().startsWith('app') === true;
}

const NO_ACCESS: ReadonlySet<number> = new Set([401, 403, 404]);

/** Returns undefined if our access doesn't include the organisation's settings. */
async function tryDescribe(
  deps: AppDeps,
  grant: BooksGrantRow,
  booksProvider: BooksProvider,
  describe: NonNullable<BooksProvider['describeOrganisation']>,
  organisationId: string,
): Promise<OrganisationDetails | undefined | ProviderError> {
  const acquireSlot = acquireSlotFor({ provider: grant.provider, organisationId });
  try {
    return await withGrantToken(
      deps,
      grant,
      // The job waits, not the call, so that other organisations can be read in the meantime.
      (token) => describe({ organisationId, getAccessToken: () => Promise.resolve(token), acquireSlot, maxAttempts: 1 }),
      (token) => booksProvider.listOrganisations(token, undefined, getListOptions(grant)),
    );
  } catch (error) {
    if (error instanceof BooksLostError || !(error instanceof ProviderError)) throw error;
    // The user's role in the bookkeeping software may not include the organisation's settings.
    return NO_ACCESS.has(error.facts.status ?? 0) ? undefined : error;
  }
}

async function saveDetails(
  deps: AppDeps,
  grant: BooksGrantRow,
  organisationId: string,
  details: OrganisationDetails | undefined,
): Promise<void> {
  await deps.database.db
    .update(practiceOrganisations)
    .set({
      ...(details?.name ? { name: details.name } : {}),
      vatNumber: toVatDigits(details?.vatNumber ?? '') || null,
      companyNumber: details?.companyNumber?.trim() || null,
      isUnreadable: details === undefined,
      detailsReadAt: deps.clock.now(),
      waitsUntil: null,
    })
    .where(and(isUnreadForGrant(grant), eq(practiceOrganisations.organisationId, organisationId)));
}

function isUnreadForGrant({ companyId, provider }: BooksGrantRow) {
  return and(
    eq(practiceOrganisations.companyId, companyId),
    eq(practiceOrganisations.provider, provider),
    isNull(practiceOrganisations.detailsReadAt),
    isNull(practiceOrganisations.goneAt),
  );
}
