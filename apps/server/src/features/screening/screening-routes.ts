import type { screeningApi, SuspicionOutput } from '@portal/contract/screening.ts';
import { advances, companies, screenings, suspicions, users } from '@portal/db/schema/schema.ts';
import { EXPOSED_STATES } from '@portal/domain/advances/advance-states.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, asc, desc, eq, inArray, isNull, max, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call, Handlers } from '../../http/serve-contract.ts';
import { enqueueProgress } from '../advances/enqueue-progress.ts';
import { findConflictOfInterest } from '../operators/conflict-of-interest.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { isDue } from './screening-jobs.ts';

const MAX_LISTED = 200;

export function screeningHandlers(deps: AppDeps): Handlers<typeof screeningApi> {
  const { db } = deps.database;
  return {
    list: async ({ actor }) => {
      const foundSuspicions = await selectSuspicions(deps)
        .orderBy(sql`${suspicions.decision} is not null`, asc(suspicions.foundAt))
        .limit(MAX_LISTED);
      const rows = await omitOwnCompanies(deps, actor.userId, foundSuspicions);
      const [overdueCompanies] = await db
        .select({ count: sql`count(distinct ${advances.companyId})`.mapWith(Number) })
        .from(advances)
        .where(and(inArray(advances.state, [...EXPOSED_STATES]), isDue(deps)));
      const [last] = await db.select({ at: max(screenings.screenedAt) }).from(screenings);
      return { suspicions: rows.map(toOutput), overdue_companies: overdueCompanies?.count ?? 0, last_screened_at: last?.at ?? null };
    },
    decide: (call) => decideSuspicion(deps, call),
  };
}

/** An officer with a private interest in a company must not learn of suspicions about it, so another officer decides. */
async function omitOwnCompanies(deps: AppDeps, operatorId: string, rows: readonly SuspicionRow[]): Promise<SuspicionRow[]> {
  const closed = new Set<string>();
  for (const companyId of new Set(rows.map(({ suspicion }) => suspicion.companyId)))
    if ((await findConflictOfInterest(deps, deps.database.db, operatorId, companyId)) !== undefined) closed.add(companyId);
  return rows.filter(({ suspicion }) => !closed.has(suspicion.companyId));
}

function selectSuspicions(deps: AppDeps) {
  return deps.database.db
    .select({ suspicion: suspicions, companyName: companies.name, decidedBy: users.fullName })
    .from(suspicions)
    .innerJoin(companies, eq(companies.id, suspicions.companyId))
    .leftJoin(users, eq(users.id, suspicions.decidedBy));
}

type SuspicionRow = { suspicion: typeof suspicions.$inferSelect; companyName: string; decidedBy: string | null };

function toOutput({ suspicion, companyName, decidedBy }: SuspicionRow): SuspicionOutput {
  return {
    company_id: suspicion.companyId,
    company_name: companyName,
    suspicion_id: suspicion.id,
    subject_kind: suspicion.subjectKind,
    subject_name: suspicion.subjectName,
    caption: suspicion.caption,
    topics: suspicion.topics,
    datasets: suspicion.datasets,
    listed_id: suspicion.listedId,
    score: suspicion.score,
    found_at: suspicion.foundAt,
    decision: suspicion.decision,
    decided_by: decidedBy,
    decided_at: suspicion.decidedAt,
    reason: suspicion.reason,
  };
}

/** A decision is final, because it is evidence. Repeating it has no effect. */
async function decideSuspicion(deps: AppDeps, { input, actor, caller }: Call<(typeof screeningApi)['decide']>): Promise<SuspicionOutput> {
  const { company_id: companyId, suspicion_id: id, decision, reason } = input;
  const isThis = and(eq(suspicions.companyId, companyId), eq(suspicions.id, id));
  await deps.database.db.transaction(async (tx) => {
    const at = deps.clock.now();
    const decidedSuspicions = await tx
      .update(suspicions)
      .set({ decision, reason, decidedBy: actor.userId, decidedAt: at })
      .where(and(isThis, isNull(suspicions.decision)))
      .returning({ id: suspicions.id });
    if (decidedSuspicions.length === 0) {
      const [storedDecision] = await tx.select({ decision: suspicions.decision }).from(suspicions).where(isThis);
      if (!storedDecision) throw createNotFoundError();
      if (storedDecision.decision === decision) return;
      throw new AppError('conflict', 'screening.decided', `This match has already been ${storedDecision.decision}. Reload the page.`);
    }
    // Kept out of the company's trail, which other operators can read. The row itself records who decided what, and why.
    await recordAudit(tx, { companyId: NO_COMPANY, at, actor: actor.userId, action: 'screening.decided', subject: id, ip: caller.ip });
    const approvedAdvances = await tx
      .select({ id: advances.id })
      .from(advances)
      .where(and(eq(advances.companyId, companyId), eq(advances.state, 'approved')))
      .orderBy(desc(advances.updatedAt));
    for (const advance of approvedAdvances) await enqueueProgress(deps, tx, companyId, advance.id);
  });
  const [row] = await selectSuspicions(deps).where(isThis);
  if (!row) throw createNotFoundError();
  return toOutput(row);
}
