import type { OperatorAdvanceOutput } from '@portal/contract/operators.ts';
import { companies, memberships, users } from '@portal/db/schema/schema.ts';
import { STATES_BEFORE_PAYOUT, type AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { listHoldingCredits } from '../advances/early-credits.ts';
import { getAdvanceSnapshot, getAdvanceOutput } from '../advances/get-advance.ts';
import { findConflictOfInterest } from './conflict-of-interest.ts';

export async function getOperatorAdvance(
  deps: AppDeps,
  operatorId: string,
  companyId: string,
  advanceId: string,
): Promise<OperatorAdvanceOutput> {
  const { db } = deps.database;
  const [company] = await db.select().from(companies).where(eq(companies.id, companyId));
  if (!company) throw createNotFoundError();
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
    releases_needed: snapshot.releasesNeeded,
    approved_by:
      snapshot.approver === undefined
        ? null
        : { operator_id: snapshot.approver, operator: userNames.get(snapshot.approver) ?? snapshot.approver },
    bank_account_id: snapshot.bankAccount?.id ?? null,
    conflict_of_interest: (await findConflictOfInterest(deps, db, operatorId, companyId)) ?? null,
    people: await db
      .select({ user_id: users.id, full_name: users.fullName, email: users.email })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(eq(memberships.companyId, companyId))
      .orderBy(users.fullName),
    payout: payout
      ? {
          payout_id: payout.id,
          status: payout.status,
          reference: payout.reference,
          provider_payout_id: payout.providerPayoutId,
          unknown_at: payout.status === 'created' && payout.unknownAttempts > 0 ? payout.unknownAt : null,
          failure: payout.failure,
        }
      : null,
    payout_hold: snapshot.advance.state === 'approved' ? snapshot.advance.payoutHold : null,
    early_credits: STATES_BEFORE_SENDING.includes(snapshot.advance.state)
      ? (await listHoldingCredits(db, snapshot.advance)).map(({ credit, unallocated }) => ({
          credit_id: credit.id,
          amount_pence: credit.amountPence,
          unallocated_pence: unallocated,
          remitter: credit.remitter,
          reference: credit.reference,
          received_at: credit.receivedAt,
        }))
      : [],
    held_until: snapshot.bankHoldEndsAt !== undefined && snapshot.bankHoldEndsAt > deps.clock.now() ? snapshot.bankHoldEndsAt : null,
  };
}

/** Money received in these states may be HMRC's repayment, which would leave nothing for us to buy. */
const STATES_BEFORE_SENDING: readonly AdvanceState[] = [...STATES_BEFORE_PAYOUT, 'payout_failed'];

const UUID = /^[0-9a-f]{8}-/;

/** Loads the names of actors that are users. */
async function loadUserNames(deps: AppDeps, actors: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(actors.filter((actor) => UUID.test(actor)))];
  if (ids.length === 0) return new Map();
  const rows = await deps.database.db.select({ id: users.id, name: users.fullName }).from(users).where(inArray(users.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
