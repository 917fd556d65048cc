/** Screens companies daily while they owe us money, and deletes evidence at the end of its retention period. */
import type { Db, Tx } from '@portal/db/database.ts';
import { advances, approvalRequests, screenings, suspicions } from '@portal/db/schema/schema.ts';
import { EXPOSED_STATES } from '@portal/domain/advances/advance-states.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, inArray, isNull, lt, notExists, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { SCREENING_VALID_MS } from './find-screening-hold.ts';
import { screenCompany } from './screen-company.ts';

const BATCH_SIZE = 200;
/** Five years after the business relationship ends (Money Laundering Regulations 2017, regulation 40(3)), including leap days. */
const RETENTION_MS = 1_827 * 86_400_000;

export function screeningJobs(deps: AppDeps): Pick<PortalJobHandlers, 'screening.run' | 'screening.sweep'> {
  return {
    'screening.run': ({ company_id }) => screenCompany(deps, company_id),
    'screening.sweep': async () => {
      const dueCompanies = await deps.database.db
        .select({ companyId: advances.companyId })
        .from(advances)
        .where(and(inArray(advances.state, [...EXPOSED_STATES]), isDue(deps)))
        .groupBy(advances.companyId)
        .limit(BATCH_SIZE);
      // An approved payout of a surplus needs a screening too, even without an open advance.
      const requestedPayments = await deps.database.db
        .select({ companyId: approvalRequests.companyId })
        .from(approvalRequests)
        .where(and(eq(approvalRequests.action, 'surplus.pay'), isNull(approvalRequests.decidedAt), isDue(deps, approvalRequests.companyId)))
        .limit(BATCH_SIZE);
      await tryEach([...dueCompanies, ...requestedPayments], ({ companyId }) => enqueueScreening(deps, deps.database.db, companyId));
    },
  };
}

/** A company has only one screening at a time, however often it is requested. */
export function enqueueScreening(deps: AppDeps, tx: Db | Tx, companyId: string): Promise<void> {
  return deps.enqueue(tx, 'screening.run', { company_id: companyId }, { singletonKey: `screening.run:${companyId}` });
}

/** Returns whether the company (by default the advance's) hasn't been screened within the last day. */
export function isDue(deps: AppDeps, companyId: typeof advances.companyId | typeof approvalRequests.companyId = advances.companyId) {
  const { db } = deps.database;
  const since = addMilliseconds(deps.clock.now(), -SCREENING_VALID_MS);
  return notExists(
    db
      .select({ one: sql`1` })
      .from(screenings)
      .where(sql`${screenings.companyId} = ${companyId} and ${screenings.screenedAt} > ${since}`),
  );
}

/** The business relationship lasts as long as the company has an advance that changed within that period. */
export async function purgeEvidence(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const cutoff = addMilliseconds(deps.clock.now(), -RETENTION_MS);
  const hasEnded = (companyId: typeof screenings.companyId | typeof suspicions.companyId) =>
    notExists(
      db
        .select({ one: sql`1` })
        .from(advances)
        .where(sql`${advances.companyId} = ${companyId} and ${advances.updatedAt} > ${cutoff}`),
    );
  await db.delete(suspicions).where(and(lt(suspicions.foundAt, cutoff), hasEnded(suspicions.companyId)));
  await db.delete(screenings).where(and(lt(screenings.screenedAt, cutoff), hasEnded(screenings.companyId)));
}
