/** Records one operator's release of a payout. Repeated requests count once. */
import type { operatorsApi } from '@portal/contract/operators.ts';
import type { Tx } from '@portal/db/database.ts';
import { payoutReleases } from '@portal/db/schema/schema.ts';
import { canTransition, RELEASED_STATES } from '@portal/domain/advances/advance-states.ts';
import { areFactsStale, listReleaseChanges, mayRelease } from '@portal/domain/advances/payout-gate.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { getAdvanceSnapshot } from '../advances/get-advance.ts';
import { sealRelease } from '../advances/payout-facts.ts';
import type { AdvanceRow } from '../advances/transition-advance.ts';
import { recordAudit } from '../audit/record-audit.ts';

/** Call this with the advance locked, so that two concurrent releases both count. */
export async function releasePayout(
  deps: AppDeps,
  tx: Tx,
  { input, actor, caller }: Pick<Call<(typeof operatorsApi)['release']>, 'input' | 'actor' | 'caller'>,
  advance: AdvanceRow,
): Promise<void> {
  if (!canTransition(advance.state, 'paying')) {
    // Already released and being sent, so a repeated request succeeds without a change.
    if (RELEASED_STATES.includes(advance.state)) return;
    throw new AppError('conflict', 'advance.not_approved', 'You can only release the payout of an approved advance.');
  }
  const { round, releases, approver, retrier, releasesNeeded, payoutToRelease, netted, terms } = await getAdvanceSnapshot(
    deps,
    tx,
    advance.companyId,
    advance.id,
  );
  if (areFactsStale(advance.factsReadAt, terms, deps.clock.now())) {
    throw new AppError(
      'conflict',
      'advance.facts_stale',
      `HMRC’s figures are more than ${terms.factsValidHours} hours old. We’ve asked the trader to confirm again. Release the payout once they have.`,
    );
  }
  const operatorId = actor.userId;
  if (approver === operatorId) {
    throw new AppError('forbidden', 'advance.own_approval', 'You approved this refund, so other operators must release the payout.');
  }
  if (!mayRelease(operatorId, { approver, retrier, releasesNeeded })) {
    throw new AppError('forbidden', 'advance.own_retry', 'You resent this payout, so another operator must release it.');
  }
  const seenTerms = { amountPence: input.net_pence, quoteVersion: input.version, bankAccountId: input.bank_account_id };
  // The stored release doesn't include the deduction: if it has become smaller, the trader paid it, or a new approval is needed.
  const deductionChanges = input.netted_pence === netted ? [] : [describeDeduction(netted)];
  const changes = [...listReleaseChanges(seenTerms, payoutToRelease), ...deductionChanges];
  if (changes.length > 0) {
    const message = `This payout changed after you opened it: ${changes.join(', and ')}. Check it again before you release it.`;
    throw new AppError('conflict', 'advance.release_changed', message, { changes });
  }
  if (releases.some((release) => release.operatorId === operatorId)) return;
  const at = deps.clock.now();
  const release = { companyId: advance.companyId, advanceId: advance.id, operatorId, round, ...seenTerms, releasedAt: at };
  const row = { ...seenTerms, releasedAt: at, seal: sealRelease(deps.tokenCipher, release) };
  await tx
    .insert(payoutReleases)
    .values({ ...release, ...row })
    // Renews a release given before the bank account changed.
    .onConflictDoUpdate({
      target: [payoutReleases.companyId, payoutReleases.advanceId, payoutReleases.round, payoutReleases.operatorId],
      set: row,
    });
  await recordAudit(tx, {
    companyId: advance.companyId,
    at,
    actor: operatorId,
    action: 'payout.released',
    subject: advance.id,
    after: {
      round,
      amount_pence: seenTerms.amountPence,
      netted_pence: netted,
      quote_version: seenTerms.quoteVersion,
      bank_account_id: seenTerms.bankAccountId,
    },
    ip: caller.ip,
  });
}

function describeDeduction(nettedAmount: Pence): string {
  return nettedAmount === 0
    ? 'nothing is deducted from it any more'
    : `${formatPounds(nettedAmount)} is now deducted from it for what the trader owes us`;
}
