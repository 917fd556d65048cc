/**
 * Which organisations a practice's authorisation covers. The numbers by which their clients are found take a call for each organisation
 * (read-details.ts), so the job continues where it stopped.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { booksGrants, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, notInArray, sql } from '@portal/db/sql.ts';
import type { BooksOrganisation } from '@portal/providers/connected-books/books-program.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { BooksLostError } from '../books-connection/books-tokens.ts';
import { type BooksGrantKey, findBooksGrant, isSameGrant } from '../books-connection/find-books-grant.ts';
import { markGone } from '../books-connection/lose-books.ts';
import { pauseGrant, readDetails } from './read-details.ts';
import { withGrantToken } from './with-grant-token.ts';

export function enqueueOrganisations(deps: AppDeps, db: Db | Tx, { companyId, provider }: BooksGrantKey): Promise<void> {
  const options = { singletonKey: `books.organisations:${companyId}:${provider}` };
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
    .set({ listedAt: deps.clock.now(), listProblem: null, waitsUntil: null })
    .where(and(eq(booksGrants.companyId, companyId), eq(booksGrants.provider, provider)));
}

/** The job. Another authorisation in the meantime has a job of its own. */
export async function listOrganisations(deps: AppDeps, key: BooksGrantKey, run: Pick<JobRun, 'signal' | 'isLastAttempt'>): Promise<void> {
  const { db } = deps.database;
  const grant = await findBooksGrant(db, key);
  const program = deps.practiceBooks[key.provider];
  if (grant?.status !== 'connected' || !program) return;
  // While it waits, or organisations do, the sweep continues at their time.
  if (grant.waitsUntil !== null && grant.waitsUntil > deps.clock.now()) return;
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
    if (error.failure === 'throttled') return pauseGrant(deps, grant, error.facts.retryAfterSeconds ?? 60);
    if (!run.isLastAttempt) throw error;
    deps.logger.warn({ err: error, companyId: key.companyId }, 'could not list the organisations of a practice');
    await db.update(booksGrants).set({ listProblem: 'unavailable' }).where(isSameGrant(grant));
  }
}
