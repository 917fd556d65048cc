/**
 * Deletes the remaining data of closed companies and accounts once their retention period is over. The database's owner performs deletions
 * that the portal isn't allowed to make (migration 0047).
 */
import { advances, clients, closedAccounts, companies, identityChecks, shortfalls, users } from '@portal/db/schema/schema.ts';
import { ENDED_STATES } from '@portal/domain/advances/advance-states.ts';
import { getRetentionCutOff } from '@portal/domain/retention/retention-periods.ts';
import { OPEN_SHORTFALL_STATUSES } from '@portal/domain/shortfalls/shortfall-status.ts';
import { and, eq, inArray, isNotNull, isNull, lte, notExists, notInArray, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { CLOSED_NAME, toClosedEmail } from '../data-protection/close-person.ts';
import { enqueuePracticeErasure } from '../data-protection/close-company.ts';
import { enqueueTotals } from '../positions/refresh-totals.ts';
import { selectUndecidedCredits } from '../reconciliation-exceptions/find-open-money.ts';

/** The next hourly run continues with the rest. */
const BATCH_SIZE = 50;
const CLIENT_BATCH_SIZE = 200;

/** Also checks the database server's clock, because the owner's functions require it. */
const SIX_YEARS_AGO = sql`now() - interval '6 years'`;

/**
 * Deletes traders' companies six years after they were closed, unless they have open money again. Also deletes closed practices whose job
 * was lost.
 */
export async function eraseClosedCompanies(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const isOfCompany = (companyId: unknown) => sql`${companyId} = companies.id`;
  const hasOpen = [
    db
      .select({ one: sql`1` })
      .from(advances)
      .where(and(isOfCompany(advances.companyId), notInArray(advances.state, ['quoted', ...ENDED_STATES]))),
    db
      .select({ one: sql`1` })
      .from(shortfalls)
      .where(and(isOfCompany(shortfalls.companyId), inArray(shortfalls.status, [...OPEN_SHORTFALL_STATUSES]))),
    selectUndecidedCredits(db, sql`companies.id`),
  ];
  const dueAccounts = await db
    .select({ id: companies.id })
    .from(companies)
    .where(
      and(
        eq(companies.kind, 'trader'),
        isNull(companies.erasedAt),
        lte(companies.closedAt, sql`${getRetentionCutOff('records', deps.clock.today())}::date`),
        lte(companies.closedAt, SIX_YEARS_AGO),
        ...hasOpen.map((open) => notExists(open)),
      ),
    )
    .limit(BATCH_SIZE);
  await tryEach(dueAccounts, ({ id }) => eraseCompany(deps, id));
  const practices = await db
    .select({ id: companies.id })
    .from(companies)
    .where(and(eq(companies.kind, 'practice'), isNotNull(companies.closedAt), isNull(companies.erasedAt)))
    .limit(BATCH_SIZE);
  await tryEach(practices, ({ id }) => enqueuePracticeErasure(deps, db, id));
}

async function eraseCompany(deps: AppDeps, companyId: string): Promise<void> {
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    await tx.execute(sql`select erase_company(${companyId}::uuid, ${at}::timestamptz)`);
    await recordAudit(tx, { companyId, at, actor: 'rules', action: 'company.erased', subject: companyId });
  });
}

/** The job that runs after a practice is closed. Deletes its clients first, in batches that don't hold locks for long. */
export async function erasePractice(deps: AppDeps, practiceId: string, signal: AbortSignal): Promise<void> {
  const { db } = deps.database;
  const isClosed = and(eq(companies.id, practiceId), isNotNull(companies.closedAt), isNull(companies.erasedAt));
  const [practice] = await db.select({ id: companies.id }).from(companies).where(isClosed);
  if (!practice) return;
  for (let deletedCount = CLIENT_BATCH_SIZE; deletedCount === CLIENT_BATCH_SIZE;) {
    signal.throwIfAborted();
    const batch = db.select({ id: clients.id }).from(clients).where(eq(clients.companyId, practiceId)).limit(CLIENT_BATCH_SIZE);
    const rows = await db
      .delete(clients)
      .where(and(eq(clients.companyId, practiceId), inArray(clients.id, batch)))
      .returning({ id: clients.id });
    deletedCount = rows.length;
  }
  await eraseCompany(deps, practiceId);
}

/** Deletes clients that their practice marked as closed six years ago, with all their data. */
export async function deleteFormerClients(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const cutOff = sql`${getRetentionCutOff('records', deps.clock.today())}::date`;
  const dueAccounts = await db
    .select({ companyId: clients.companyId, id: clients.id })
    .from(clients)
    .where(and(eq(clients.status, 'closed'), lte(clients.updatedAt, cutOff)))
    .limit(CLIENT_BATCH_SIZE);
  await tryEach([...Map.groupBy(dueAccounts, ({ companyId }) => companyId)], ([companyId, group]) =>
    db.transaction(async (tx) => {
      const ids = group.map(({ id }) => id);
      // A colleague may have reopened the engagement since.
      const isDue = and(
        eq(clients.companyId, companyId),
        inArray(clients.id, ids),
        eq(clients.status, 'closed'),
        lte(clients.updatedAt, cutOff),
      );
      const deletedClients = await tx.delete(clients).where(isDue).returning({ id: clients.id });
      const entry = { companyId, at: deps.clock.now(), actor: 'rules', action: 'clients.deleted' };
      await recordAudit(tx, {
        ...entry,
        subject: `${deletedClients.length} clients`,
        after: { client_ids: deletedClients.map(({ id }) => id) },
      });
      await enqueueTotals(deps, tx, companyId);
    }),
  );
}

/** Erases users who closed their account six years ago: their name, their email address, and the values in their audit entries. */
export async function eraseClosedPeople(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const dueAccounts = await db
    .select({ userId: closedAccounts.userId })
    .from(closedAccounts)
    .where(
      and(
        lte(closedAccounts.closedAt, sql`${getRetentionCutOff('records', deps.clock.today())}::date`),
        lte(closedAccounts.closedAt, SIX_YEARS_AGO),
      ),
    )
    .limit(BATCH_SIZE);
  await tryEach(dueAccounts, ({ userId }) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select erase_person_audit(${userId}::uuid)`);
      await tx
        .update(users)
        .set({ fullName: CLOSED_NAME, email: toClosedEmail(userId) })
        .where(eq(users.id, userId));
      await tx.delete(closedAccounts).where(eq(closedAccounts.userId, userId));
      const entry = { companyId: NO_COMPANY, at: deps.clock.now(), actor: 'rules', action: 'identity.account_erased' };
      await recordAudit(tx, { ...entry, subject: userId });
    }),
  );
}

/**
 * Deletes identity checks five years after the user's account or last company was closed. A user who currently has a company is still our
 * customer.
 */
export async function deleteIdentityChecks({ database: { db }, clock }: AppDeps): Promise<void> {
  const endedAt = sql`greatest(${identityChecks.createdAt}, ${identityChecks.completedAt},
    (select max(ended_at) from former_memberships where former_memberships.user_id = ${identityChecks.userId}),
    (select closed_at from closed_accounts where closed_accounts.user_id = ${identityChecks.userId}))`;
  await db
    .delete(identityChecks)
    .where(
      and(
        sql`${endedAt} <= ${getRetentionCutOff('identity', clock.today())}::date`,
        sql`not exists (select 1 from memberships where memberships.user_id = ${identityChecks.userId})`,
      ),
    );
}
