import type { operatorsApi } from '@portal/contract/operators.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { type AdvanceState, canTransition, RELEASED_STATES } from '@portal/domain/advances/advance-states.ts';
import { listUnseenFindings } from '@portal/domain/advances/review-findings.ts';
import type { Tx } from '@portal/db/database.ts';
import { operators } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { canAct, createNotFoundError } from '../../http/policies.ts';
import type { Call, Handlers } from '../../http/serve-contract.ts';
import { declineAdvance } from '../advances/decline-advance.ts';
import { enqueueProgress } from '../advances/enqueue-progress.ts';
import { getAdvanceSnapshot } from '../advances/get-advance.ts';
import { approveAdvance, areTermsSealed } from '../advances/payout-facts.ts';
import { FORGED_TERMS } from '../advances/reject-forged-facts.ts';
import { lockAdvance, type AdvanceRow } from '../advances/transition-advance.ts';
import { listLedger } from '../ledger/list-ledger.ts';
import { assertNoConflictOfInterest } from './conflict-of-interest.ts';
import { getOperatorAdvance } from './operators-queries.ts';
import { releasePayout } from './release-payout.ts';

export function operatorsHandlers(deps: AppDeps): Handlers<typeof operatorsApi> {
  return {
    advance: ({ input, actor }) => getOperatorAdvance(deps, actor.userId, input.company_id, input.advance_id),
    decide: (call) => {
      const to = call.input.decision === 'approve' ? 'approved' : 'declined';
      return decideAdvance(deps, call, 'operator.underwrite', async (tx, advance) => {
        // Already decided in the same way, so a repeated request succeeds without a change.
        if (to === 'approved' ? STATES_AFTER_APPROVAL.includes(advance.state) : advance.state === to) return;
        if (to === 'approved') {
          assertState(advance, 'in_review');
          assertTermsSealed(deps, advance);
          assertFindingsSeen(advance, call.input.seen_findings);
          await approve(deps, tx, call, advance);
          return;
        }
        // Also after the rules have approved it: an operator may learn of a fraud before the trader is paid.
        if (!canTransition(advance.state, 'declined')) throw createWrongStateError(advance);
        await declineAdvance(deps, tx, advance, toTransitionContext(deps, call), call.input.reason);
      });
    },
    release: (call) => decideAdvance(deps, call, 'operator.release', (tx, advance) => releasePayout(deps, tx, call, advance)),
    retryPayout: (call) =>
      decideAdvance(deps, call, 'operator.release', async (tx, advance) => {
        if (STATES_AFTER_APPROVAL.includes(advance.state)) return;
        assertState(advance, 'payout_failed');
        await approve(deps, tx, call, advance);
      }),
    ledger: ({ input }) => listLedger(deps.database.db, input),
  };
}

/** Only an acceptance that the portal itself recorded can be approved. */
function assertTermsSealed(deps: AppDeps, advance: AdvanceRow): void {
  if (areTermsSealed(deps.tokenCipher, advance)) return;
  deps.recordSecurityEvent('payout_refused', { reason: 'payout.terms_not_sealed' });
  throw new AppError('conflict', 'advance.terms_not_sealed', FORGED_TERMS);
}

/** The operator's page may be older than the rules, which are evaluated again whenever the trader acts. */
function assertFindingsSeen({ rules }: AdvanceRow, seenFindings: readonly string[] | undefined): void {
  const unseenFindings = seenFindings === undefined ? [] : listUnseenFindings(rules, seenFindings);
  if (unseenFindings.length === 0) return;
  const message = `The rules were evaluated again after you opened this refund. New: ${unseenFindings.join(' ')} Check it again before you approve it.`;
  throw new AppError('conflict', 'advance.findings_changed', message);
}

/** Approves after a review, or to resend a failed payout. */
async function approve(
  deps: AppDeps,
  tx: Tx,
  call: OperatorCall & { readonly input: { readonly reason: string } },
  advance: AdvanceRow,
): Promise<void> {
  const { round } = await getAdvanceSnapshot(deps, tx, advance.companyId, advance.id);
  await approveAdvance(deps, tx, advance, { ...toTransitionContext(deps, call), round, reason: call.input.reason });
}

const STATES_AFTER_APPROVAL: readonly AdvanceState[] = ['approved', ...RELEASED_STATES];

/** A decision applies to one state. In any other, the operator's screen is out of date. */
function assertState(advance: AdvanceRow, state: AdvanceState): void {
  if (advance.state !== state) throw createWrongStateError(advance);
}

function createWrongStateError(advance: AdvanceRow): AppError {
  return new AppError(
    'conflict',
    'advance.wrong_state',
    `This advance is now ${advance.state.replaceAll('_', ' ')}. Reload it before you decide.`,
  );
}

type OperatorCall = Pick<Call<(typeof operatorsApi)['advance']>, 'input' | 'actor' | 'caller'>;

function toTransitionContext(deps: AppDeps, { actor, caller }: OperatorCall) {
  return { actor: actor.userId, at: deps.clock.now(), ip: caller.ip };
}

/** Records one decision on a locked advance and queues the next automatic step, in one transaction. */
async function decideAdvance(
  deps: AppDeps,
  call: OperatorCall,
  access: DecisionAccess,
  applyDecision: (tx: Tx, advance: AdvanceRow) => Promise<void>,
) {
  const { company_id: companyId, advance_id: advanceId } = call.input;
  await deps.database.db.transaction(async (tx) => {
    await assertStillOperator(tx, call.actor.userId, access);
    const advance = await lockAdvance(tx, companyId, advanceId);
    if (!advance) throw createNotFoundError();
    await assertNoConflictOfInterest(deps, tx, call.actor.userId, companyId);
    await applyDecision(tx, advance);
    await enqueueProgress(deps, tx, companyId, advanceId);
  });
  return getOperatorAdvance(deps, call.actor.userId, companyId, advanceId);
}

type DecisionAccess = 'operator.underwrite' | 'operator.release';

/**
 * The operator's access may have ended since the request was authorised. Locks their row first, as everything that ends access does, so that
 * what it withdraws includes this decision.
 */
async function assertStillOperator(tx: Tx, userId: string, access: DecisionAccess): Promise<void> {
  const [operator] = await tx.select().from(operators).where(eq(operators.userId, userId)).for('share');
  if (operator && operator.disabledAt === null && operator.enrolledAt !== null && canAct(access, operator.roles)) return;
  throw new AppError('forbidden', 'operator.access_ended', 'Your access has just changed, so nothing was saved. Reload the page.');
}
