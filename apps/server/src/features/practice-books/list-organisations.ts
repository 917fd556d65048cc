/**
 * Lists the organisations that a practice's authorisation covers. The numbers used to match them to clients need one call per organisation
 * (read-details.ts), so the job resumes where it stopped.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { booksGrants, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, not, type SQL, sql } from '@portal/db/sql.ts';
import type { BooksOrganisation } from '@portal/providers/connected-books/books-provider.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { BooksLostError } from '../books-connection/books-tokens.ts';
import { type BooksGrantKey, findBooksGrant, isSameGrant } from '../books-connection/find-books-grant.ts';
import { markOrganisationsGone } from '../books-connection/record-books-loss.ts';
import { getListOptions, listCoveredOrganisations } from './list-covered.ts';
import { postponeGrant, readDetails } from './read-details.ts';
import { withGrantToken } from './with-grant-token.ts';

export function enqueueOrganisations(deps: AppDeps, db: Db | Tx, { companyId, provider }: BooksGrantKey): Promise<void> {
  const options = { singletonKey: `books.organisations:${companyId}:${provider}` };
  return deps.enqueue(db, 'books.organisations', { company_id: companyId, provider }, options);
}

/**
 * Adds new organisations, marks returning ones as covered again, and records linked ones that are missing. Deletes all others, including
 * unlinked ones of former clients.
 */
export async function saveOrganisations(
  deps: AppDeps,
  tx: Tx,
  key: BooksGrantKey,
  foundOrganisations: readonly BooksOrganisation[],
): Promise<void> {
  const { companyId, provider } = key;
  const uniqueOrganisations = [...new Map(foundOrganisations.map((organisation) => [organisation.id, organisation])).values()];
  const json = JSON.stringify(
    uniqueOrganisations.map(({ id, name, connectionId = null, isFormer = false }) => ({
      id,
      name,
      connection_id: connectionId,
      is_former: isFormer,
    })),
  );
  // Only the name is updated here. An organisation's other details are updated at the next complete read of its books.
  await tx.execute(sql`
    insert into ${practiceOrganisations} (company_id, provider, organisation_id, name, connection_id)
    select ${companyId}::uuid, ${provider}, id, name, connection_id
    from jsonb_to_recordset(${json}::jsonb) as r(id text, name text, connection_id text, is_former boolean)
    where not is_former or exists (select 1 from ${practiceOrganisations} o
      where o.company_id = ${companyId}::uuid and o.provider = ${provider} and o.organisation_id = r.id and o.client_id is not null)
    on conflict (company_id, provider, organisation_id)
      do update set name = excluded.name, connection_id = excluded.connection_id, gone_at = null`);
  const isOfGrant = and(eq(practiceOrganisations.companyId, companyId), eq(practiceOrganisations.provider, provider));
  const isListed = (condition: SQL) =>
    sql`exists (select 1 from jsonb_to_recordset(${json}::jsonb) as r(id text, is_former boolean)
      where r.id = ${practiceOrganisations.organisationId} and ${condition})`;
  await tx.delete(practiceOrganisations).where(and(isOfGrant, isNull(practiceOrganisations.clientId), not(isListed(sql`not is_former`))));
  const missingOrganisations = await tx
    .select({ organisationId: practiceOrganisations.organisationId })
    .from(practiceOrganisations)
    .where(and(isOfGrant, not(isListed(sql`true`))));
  await markOrganisationsGone(
    deps,
    tx,
    key,
    missingOrganisations.map(({ organisationId }) => organisationId),
  );
  await tx
    .update(booksGrants)
    .set({ listedAt: deps.clock.now(), listProblem: null, waitsUntil: null })
    .where(and(eq(booksGrants.companyId, companyId), eq(booksGrants.provider, provider)));
}

/** Runs the job. A newer authorisation has a job of its own. */
export async function refreshOrganisationList(
  deps: AppDeps,
  key: BooksGrantKey,
  run: Pick<JobRun, 'signal' | 'isLastAttempt'>,
): Promise<void> {
  const { db } = deps.database;
  const grant = await findBooksGrant(db, key);
  const booksProvider = deps.practiceBooks[key.provider];
  if (grant?.status !== 'connected' || !booksProvider) return;
  // While the authorisation or its organisations have to wait, the sweep resumes the job when the wait ends.
  if (grant.waitsUntil !== null && grant.waitsUntil > deps.clock.now()) return;
  try {
    const list = () => withGrantToken(deps, grant, (token) => booksProvider.listOrganisations(token, undefined, getListOptions(grant)));
    const foundOrganisations = await listCoveredOrganisations(deps, grant, list);
    await db.transaction(async (tx) => {
      const [lockedGrant] = await tx.select({ id: booksGrants.companyId }).from(booksGrants).where(isSameGrant(grant)).for('update');
      if (!lockedGrant) throw new BooksLostError();
      await saveOrganisations(deps, tx, key, foundOrganisations);
    });
    if (!(await readDetails(deps, grant, booksProvider, run.signal))) await enqueueOrganisations(deps, db, key);
  } catch (error) {
    if (error instanceof BooksLostError) return;
    if (!(error instanceof ProviderError)) throw error;
    if (error.failure === 'throttled') return postponeGrant(deps, grant, error.facts.retryAfterSeconds ?? 60);
    if (!run.isLastAttempt) throw error;
    deps.logger.warn({ err: error, companyId: key.companyId }, 'could not list the organisations of a practice');
    await db.update(booksGrants).set({ listProblem: 'unavailable' }).where(isSameGrant(grant));
  }
}
