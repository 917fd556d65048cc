import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { OperatorAdvanceOutput, operatorsApi } from '@portal/contract/operators.ts';
import { advances, companies, memberships, users } from '@portal/db/schema/schema.ts';
import { EXPOSED_STATES, type AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { needsReview } from '@portal/domain/advances/evaluate-eligibility.ts';
import { countRequiredReleases } from '@portal/domain/advances/payout-gate.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { desc, eq, inArray, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { FailedJob } from '../../jobs/job-table.ts';
import { notFoundError } from '../../http/policies.ts';
import { getAdvanceSnapshot, getAdvanceOutput, type AdvanceSnapshot } from '../advances/get-advance.ts';
import { findConflictOfInterest } from './conflict-of-interest.ts';

type Queue = EndpointOutput<typeof operatorsApi.queues>['advances'][number]['queue'];

const QUEUE_BY_STATE: Readonly<Record<AdvanceState, Queue>> = {
  quoted: 'running',
  accepted: 'running',
  in_review: 'review',
  approved: 'release',
  declined: 'ended',
  paying: 'running',
  paid: 'running',
  awaiting_hmrc: 'running',
  repaid: 'running',
  settled: 'ended',
  expired: 'ended',
  withdrawn: 'ended',
  payout_failed: 'trouble',
  shortfall: 'trouble',
  collecting: 'trouble',
  written_off: 'ended',
};

const WAITING_STATES = (Object.keys(QUEUE_BY_STATE) as AdvanceState[]).filter((state) =>
  ['review', 'release', 'trouble'].includes(QUEUE_BY_STATE[state]),
);

export async function getQueues(deps: AppDeps, failedJobs: readonly FailedJob[]): Promise<EndpointOutput<typeof operatorsApi.queues>> {
  const { db } = deps.database;
  const rows = await db
    .select({ advance: advances, companyName: companies.name })
    .from(advances)
    .innerJoin(companies, eq(companies.id, advances.companyId))
    // List advances that wait for an operator first, the longest waiting at the top, so that newer advances cannot hide them.
    .orderBy(
      sql`case when ${inArray(advances.state, WAITING_STATES)} then ${advances.updatedAt} end asc nulls last`,
      desc(advances.updatedAt),
    )
    .limit(200);
  const items = await Promise.all(
    rows.map(async ({ advance, companyName }) => {
      const state = advance.state as AdvanceState;
      const queue = QUEUE_BY_STATE[state];
      // Only advances that wait for an operator need more data.
      const snapshot =
        queue === 'release' || queue === 'review' ? await getAdvanceSnapshot(deps, db, advance.companyId, advance.id) : undefined;
      return {
        company_id: advance.companyId,
        advance_id: advance.id,
        company_name: companyName,
        state,
        queue,
        refund_pence: advance.refundPence,
        net_pence: advance.netPence,
        since: advance.updatedAt,
        waiting_for: snapshot?.waitingFor ?? null,
        releases_left: snapshot && state === 'approved' ? Math.max(0, getRequiredReleases(snapshot) - snapshot.releases.length) : 0,
        awaits_confirmation: snapshot !== undefined && snapshot.advance.collectionConfirmedAt === null,
      };
    }),
  );
  const [exposure] = await db
    .select({ sum: sql`coalesce(sum(${advances.refundPence}), 0)`.mapWith(Number) })
    .from(advances)
    .where(inArray(advances.state, [...EXPOSED_STATES]));
  return {
    advances: items,
    failed_jobs: failedJobs.map((job) => ({ kind: job.kind, failed_at: toInstant(job.failedAt.getTime()), error: job.reason })),
    exposure_pence: pence(exposure?.sum ?? 0),
    exposure_limit_pence: getAdvanceTerms(deps.clock.today()).totalExposureLimitPence,
  };
}

export async function getOperatorAdvance(
  deps: AppDeps,
  operatorId: string,
  companyId: string,
  advanceId: string,
): Promise<OperatorAdvanceOutput> {
  const { db } = deps.database;
  const [company] = await db.select().from(companies).where(eq(companies.id, companyId));
  if (!company) throw notFoundError();
  const snapshot = await getAdvanceSnapshot(deps, db, companyId, advanceId);
  const userNames = await loadUserNames(deps, [
    ...snapshot.transitions.map(({ actor }) => actor),
    ...snapshot.releases.map(({ operatorId }) => operatorId),
  ]);
  const { payout } = snapshot;
  return {
    company: { company_id: company.id, name: company.name, vrn: company.vrn ?? '' },
    advance: await getAdvanceOutput(deps, db, companyId, advanceId),
    history: snapshot.transitions.map((transition) => ({
      from: transition.fromState as AdvanceState | null,
      to: transition.toState as AdvanceState,
      at: transition.at,
      actor: userNames.get(transition.actor) ?? transition.actor,
      reason: transition.reason,
    })),
    releases: snapshot.releases.map((release) => ({
      operator_id: release.operatorId,
      operator: userNames.get(release.operatorId) ?? release.operatorId,
      at: release.releasedAt,
    })),
    releases_needed: getRequiredReleases(snapshot),
    approved_by:
      snapshot.approver === undefined
        ? null
        : { operator_id: snapshot.approver, operator: userNames.get(snapshot.approver) ?? snapshot.approver },
    bank_account_id: snapshot.bankAccount?.id ?? null,
    conflict_of_interest: (await findConflictOfInterest(db, operatorId, companyId)) ?? null,
    people: await db
      .select({ user_id: users.id, full_name: users.fullName, email: users.email })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(eq(memberships.companyId, companyId))
      .orderBy(users.fullName),
    payout: payout
      ? { payout_id: payout.id, status: payout.status, provider_payout_id: payout.providerPayoutId, failure: payout.failure }
      : null,
    payout_hold: snapshot.advance.state === 'approved' ? snapshot.advance.payoutHold : null,
    held_until: snapshot.bankHoldEndsAt !== undefined && snapshot.bankHoldEndsAt > deps.clock.now() ? snapshot.bankHoldEndsAt : null,
  };
}

function getRequiredReleases({ advance, terms }: AdvanceSnapshot): number {
  return countRequiredReleases(advance.netPence, needsReview(advance.rules), terms);
}

const UUID = /^[0-9a-f]{8}-/;

/** Names of the actors that are users. */
async function loadUserNames(deps: AppDeps, actors: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(actors.filter((actor) => UUID.test(actor)))];
  if (ids.length === 0) return new Map();
  const rows = await deps.database.db.select({ id: users.id, name: users.fullName }).from(users).where(inArray(users.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
