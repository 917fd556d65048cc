/** Repairs practices' connections after a lost job, and checks daily which organisations are covered. */
import { booksGrants } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, lte, or, sql } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enqueueOrganisations } from './list-organisations.ts';

const LIST_INTERVAL_MS = 24 * 3_600_000;
const BATCH_SIZE = 500;

export async function sweepPracticeBooks(deps: AppDeps, now: Instant): Promise<void> {
  const { db } = deps.database;
  // Finds clients whose connection doesn't match the user's decision.
  const { rows } = await db.execute<{ practice_id: string; client_id: string }>(sql`
    select o.company_id as practice_id, o.client_id from practice_organisations o
    where o.client_id is not null and o.linked_by is not null and not exists (
      select 1 from books_connections c where c.company_id = o.client_id and c.is_by_grant and c.provider = o.provider
        and c.organisation_id = o.organisation_id)
    union
    select c.practice_id, c.company_id from books_connections c
    where c.is_by_grant and c.practice_id is not null and not exists (
      select 1 from practice_organisations o where o.company_id = c.practice_id and o.client_id = c.company_id)
    limit ${BATCH_SIZE}`);
  await tryEach(rows, ({ practice_id: practiceId, client_id: clientId }) =>
    deps.enqueue(db, 'books.link', { company_id: practiceId, client_id: clientId }, { singletonKey: `books.link:${clientId}` }),
  );
  const isUnlisted = or(isNull(booksGrants.listedAt), lte(booksGrants.listedAt, addMilliseconds(now, -LIST_INTERVAL_MS)), hasUnread(now));
  const mayRead = or(isNull(booksGrants.waitsUntil), lte(booksGrants.waitsUntil, now));
  const dueGrants = await db
    .select({ companyId: booksGrants.companyId, provider: booksGrants.provider })
    .from(booksGrants)
    .where(and(eq(booksGrants.status, 'connected'), mayRead, isUnlisted));
  await tryEach(dueGrants, (key) => enqueueOrganisations(deps, db, key));
}

/** Includes organisations whose job may have been lost. */
const hasUnread = (now: Instant) => sql`exists (select 1 from practice_organisations o where o.company_id = ${booksGrants.companyId}
  and o.provider = ${booksGrants.provider} and o.details_read_at is null and o.gone_at is null
  and (o.waits_until is null or o.waits_until <= ${now}))`;
