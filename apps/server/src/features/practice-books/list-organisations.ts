/**
 * Which organisations a practice's authorisation covers, and the numbers by which their clients are found. The numbers take a call for each
 * organisation, so they are read by a job that continues where it stopped.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { booksGrants, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull, notInArray, sql } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { toVatDigits } from '@portal/domain/connected-books/books-problems.ts';
import type { BooksOrganisation, BooksProgram } from '@portal/providers/connected-books/books-program.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { acquireSlotFor } from '../books-connection/call-limits.ts';
import { BooksLostError, getGrantToken, loseGrantNow } from '../books-connection/books-tokens.ts';
import { type BooksGrantKey, type BooksGrantRow, findBooksGrant, isSameGrant } from '../books-connection/find-books-grant.ts';
import { markGone } from '../books-connection/lose-books.ts';

/** Well below the time after which a job is given to another instance. */
const MAX_RUN_MS = 120_000;

export function enqueueOrganisations(deps: AppDeps, db: Db | Tx, { companyId, provider }: BooksGrantKey, delaySeconds = 0): Promise<void> {
  const options = { singletonKey: `books.organisations:${companyId}:${provider}`, ...(delaySeconds > 0 ? { delaySeconds } : {}) };
  return deps.enqueue(db, 'books.organisations', { company_id: companyId, provider }, options);
}

/** New ones are added, those that came back are covered again, and linked ones that are missing are noticed. Others are forgotten. */
export async function saveOrganisations(deps: AppDeps, tx: Tx, key: BooksGrantKey, found: readonly BooksOrganisation[]): Promise<void> {
  const { companyId, provider } = key;
  const listed = [...new Map(found.map((organisation) => [organisation.id, organisation])).values()];
  const json = JSON.stringify(listed.map(({ id, name, connectionId = null }) => ({ id, name, connection_id: connectionId })));
  // What a program changed about itself is read again at the next complete read of its books; here a new name is enough.
  await tx.execute(sql`
    insert into ${practiceOrganisations} (company_id, provider, organisation_id, name, connection_id)
    select ${companyId}::uuid, ${provider}, id, name, connection_id
    from jsonb_to_recordset(${json}::jsonb) as r(id text, name text, connection_id text)
    on conflict (company_id, provider, organisation_id)
      do update set name = excluded.name, connection_id = excluded.connection_id, gone_at = null`);
  const isMissing = and(
    eq(practiceOrganisations.companyId, companyId),
    eq(practiceOrganisations.provider, provider),
    listed.length === 0
      ? undefined
      : notInArray(practiceOrganisations.organisationId, sql`(select jsonb_array_elements(${json}::jsonb) ->> 'id')`),
  );
  await tx.delete(practiceOrganisations).where(and(isMissing, isNull(practiceOrganisations.clientId)));
  const missing = await tx.select({ organisationId: practiceOrganisations.organisationId }).from(practiceOrganisations).where(isMissing);
  for (const { organisationId } of missing) await markGone(deps, tx, { ...key, organisationId }, null);
  await tx
    .update(booksGrants)
    .set({ listedAt: deps.clock.now(), listProblem: null })
    .where(and(eq(booksGrants.companyId, companyId), eq(booksGrants.provider, provider)));
}

/** The job. Another authorisation in the meantime has a job of its own. */
export async function listOrganisations(deps: AppDeps, key: BooksGrantKey, run: Pick<JobRun, 'signal' | 'isLastAttempt'>): Promise<void> {
  const { db } = deps.database;
  const grant = await findBooksGrant(db, key);
  const program = deps.practiceBooks[key.provider];
  if (grant?.status !== 'connected' || !program) return;
  try {
    const found = await withGrantToken(deps, grant, (token) => program.listOrganisations(token, undefined));
    await db.transaction(async (tx) => {
      const [same] = await tx.select({ id: booksGrants.companyId }).from(booksGrants).where(isSameGrant(grant)).for('update');
      if (!same) throw new BooksLostError();
      await saveOrganisations(deps, tx, key, found);
    });
    if (!(await readDetails(deps, grant, program, run.signal))) await enqueueOrganisations(deps, db, key);
  } catch (error) {
    if (error instanceof BooksLostError) return;
    if (!(error instanceof ProviderError)) throw error;
    if (error.failure === 'throttled') return enqueueOrganisations(deps, db, key, error.facts.retryAfterSeconds ?? 60);
    if (!run.isLastAttempt) throw error;
    deps.logger.warn({ err: error, companyId: key.companyId }, 'could not list the organisations of a practice');
    await db.update(booksGrants).set({ listProblem: 'unavailable' }).where(isSameGrant(grant));
  }
}

/** A token that the program rejects although it should be good is renewed once. Rejected again, the authorisation is lost. */
async function withGrantToken<Result>(deps: AppDeps, grant: BooksGrantRow, work: (token: string) => Promise<Result>): Promise<Result> {
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
      await loseGrantNow(deps, grant, again);
      throw new BooksLostError();
    }
  }
}

const isRejected = (error: unknown): error is ProviderError => error instanceof ProviderError && error.failure === 'unauthorized';

/** False if the time is over before all are read. */
async function readDetails(deps: AppDeps, grant: BooksGrantRow, program: BooksProgram, signal: AbortSignal): Promise<boolean> {
  const { companyId, provider } = grant;
  const describe = program.describeOrganisation;
  if (!describe) return true;
  const endsAt = addMilliseconds(deps.wallClock.now(), MAX_RUN_MS);
  const isUnread = and(
    eq(practiceOrganisations.companyId, companyId),
    eq(practiceOrganisations.provider, provider),
    isNull(practiceOrganisations.detailsReadAt),
    isNull(practiceOrganisations.goneAt),
  );
  const unread = await deps.database.db
    .select({ organisationId: practiceOrganisations.organisationId })
    .from(practiceOrganisations)
    .where(isUnread)
    .orderBy(asc(practiceOrganisations.name));
  for (const { organisationId } of unread) {
    if (signal.aborted || deps.wallClock.now() > endsAt) return false;
    const acquireSlot = acquireSlotFor({ provider, organisationId });
    const details = await withGrantToken(deps, grant, async (token) => {
      try {
        return await describe({ organisationId, getAccessToken: () => Promise.resolve(token), acquireSlot });
      } catch (error) {
        // The person's role there may not include its settings.
        if (error instanceof ProviderError && (error.facts.status === 403 || error.facts.status === 404)) return undefined;
        throw error;
      }
    });
    await deps.database.db
      .update(practiceOrganisations)
      .set({
        ...(details?.name ? { name: details.name } : {}),
        vatNumber: toVatDigits(details?.vatNumber ?? '') || null,
        companyNumber: details?.companyNumber?.trim() || null,
        isUnreadable: details === undefined,
        detailsReadAt: deps.clock.now(),
      })
      .where(and(isUnread, eq(practiceOrganisations.organisationId, organisationId)));
  }
  return true;
}
