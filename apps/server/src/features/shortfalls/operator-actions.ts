/** Operators' actions on a shortfall: assign it, claim it, close it, decide a dispute, and request a write-off. */
import { randomUUID } from 'node:crypto';
import type { shortfallsApi } from '@portal/contract/shortfalls.ts';
import type { Tx } from '@portal/db/database.ts';
import { directDebits, shortfallRecoveries } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { postShortfall, postWriteOff } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { isPendingDirectDebit } from '@portal/domain/shortfalls/direct-debit.ts';
import { and, eq } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { lockAdvance, transitionAdvance, type AdvanceRow, type TransitionContext } from '../advances/transition-advance.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { assertNoConflictOfInterest } from '../operators/conflict-of-interest.ts';
import { listPossibleOwners } from './case-owners.ts';
import { sumPendingShares } from './net-payouts.ts';
import { sendDisputeAnswer, sendWrittenOffLetter } from './shortfall-letters.ts';
import { changeShortfall, getOwedAmount, lockShortfall, recordShortfallEvent, type ShortfallRow } from './shortfall-record.ts';
import { syncShortfall } from './sync-shortfall.ts';
import { lockCase } from './trader-actions.ts';

type OperatorCall<Name extends keyof typeof shortfallsApi> = Call<(typeof shortfallsApi)[Name]>;
type ShortfallCall = Pick<OperatorCall<'operatorGet'>, 'input' | 'actor' | 'caller'>;
type CaseAction = (tx: Tx, locked: { advance: AdvanceRow; shortfall: ShortfallRow }, context: TransitionContext) => Promise<void>;

function runWithCase(deps: AppDeps, { input, actor, caller }: ShortfallCall, work: CaseAction): Promise<void> {
  return deps.database.db.transaction(async (tx) => {
    const lockedCase = await lockCase(tx, { companyId: input.company_id, shortfallId: input.shortfall_id });
    await assertNoConflictOfInterest(deps, tx, actor.userId, input.company_id);
    await work(tx, lockedCase, { actor: actor.userId, at: deps.clock.now(), ip: caller.ip });
  });
}

export function assignShortfall(deps: AppDeps, call: OperatorCall<'assign'>): Promise<void> {
  return runWithCase(deps, call, async (tx, { shortfall }, context) => {
    const owner = (await listPossibleOwners(deps, tx, shortfall.companyId)).find(({ id }) => id === call.input.owner_id);
    if (!owner) {
      throw new AppError(
        'invalid',
        'shortfall.no_operator',
        'Choose an operator with the finance role and no personal interest in this company.',
        { field: 'owner_id' },
      );
    }
    if (shortfall.ownerId === call.input.owner_id) return;
    await changeShortfall(tx, shortfall, { ownerId: call.input.owner_id }, context, 'assigned', `Assigned to ${owner.name}.`);
  });
}

/** HMRC will repay nothing more, so the trader owes the missing amount. */
export function claimShortfall(deps: AppDeps, call: OperatorCall<'claim'>): Promise<void> {
  return runWithCase(deps, call, async (tx, { advance, shortfall }, context) => {
    if (advance.state === 'shortfall' || advance.state === 'collecting') return;
    if (advance.state !== 'awaiting_hmrc') throw createWrongStatusError(shortfall);
    const owedAmount = await getOwedAmount(tx, advance);
    if (owedAmount !== call.input.amount_pence) {
      throw new AppError(
        'conflict',
        'shortfall.amount_changed',
        `The shortfall is now ${formatPounds(owedAmount)}. Reload the page before you claim it.`,
      );
    }
    const reason = `Claimed ${formatPounds(owedAmount)}: ${call.input.reason}`;
    const event = await recordShortfallEvent(tx, shortfall, context, 'claimed', reason);
    await postToLedger(tx, {
      companyId: advance.companyId,
      // A refund can be claimed again after a match is reversed. The state, which is locked, allows one claim at a time.
      idempotencyKey: `claim:${shortfall.id}:${event}`,
      description: `Shortfall of ${formatPounds(owedAmount)}, due from the trader`,
      postedAt: context.at,
      lines: postShortfall(owedAmount),
    });
    const claimedAdvance = await transitionAdvance(tx, advance, 'shortfall', context, reason);
    await syncShortfall(deps, tx, claimedAdvance, context);
  });
}

/** Nothing is owed, so the case can be closed; it reopens automatically if HMRC's figures change. */
export function closeShortfall(deps: AppDeps, call: OperatorCall<'close'>): Promise<void> {
  return runWithCase(deps, call, async (tx, { shortfall }, context) => {
    if (shortfall.status === 'closed') return;
    if (shortfall.status !== 'watching') throw createWrongStatusError(shortfall);
    await changeShortfall(tx, shortfall, { status: 'closed', closedAt: context.at }, context, 'closed', `Closed: ${call.input.reason}`);
  });
}

/**
 * Records that the dispute was unjustified, in whole or in part: the notice period restarts, with our response. A write-off is requested
 * separately.
 */
export function answerDispute(deps: AppDeps, call: OperatorCall<'answerDispute'>): Promise<void> {
  return runWithCase(deps, call, async (tx, { advance, shortfall }, context) => {
    if (shortfall.status !== 'disputed') throw createWrongStatusError(shortfall);
    const today = deps.clock.today();
    const dueOn = addDays(today, getAdvanceTerms(today).shortfallNoticeDays);
    const explanation = `Dispute answered: ${call.input.answer}`;
    const row = await changeShortfall(tx, shortfall, { status: 'due', dueOn }, context, 'dispute_answered', explanation);
    await sendDisputeAnswer(deps, tx, advance, row, call.input.answer, { owed: await getOwedAmount(tx, advance), dueOn });
  });
}

const writeOffDetails = z.object({ advance_id: z.uuid(), company_name: z.string(), amount_pence: z.int().positive() });
type WriteOffDetails = z.infer<typeof writeOffDetails>;

/** The second operator approves exactly the amount that the first one saw. */
export const WRITE_OFF_ACTION: ApprovalAction<WriteOffDetails> = {
  action: 'shortfall.write_off',
  access: 'operator.finance',
  details: writeOffDetails,
  describe: ({ company_name, amount_pence }) =>
    `Write off ${formatPounds(pence(amount_pence))} that ${company_name} owes. It is posted to bad debts, the advance ends, and the trader gets a letter saying that nothing is due.`,
  apply: applyWriteOff,
};

export async function requestWriteOff(
  deps: AppDeps,
  call: OperatorCall<'requestWriteOff'>,
  companyName: string,
): Promise<{ request_id: string }> {
  const { company_id: companyId, shortfall_id: shortfallId, reason } = call.input;
  return deps.database.db.transaction(async (tx) => {
    const { advance, shortfall } = await lockCase(tx, { companyId, shortfallId });
    await assertNoConflictOfInterest(deps, tx, call.actor.userId, companyId);
    const owedAmount = await assertOwing(tx, advance, shortfall);
    const request = await requestApproval(deps, tx, WRITE_OFF_ACTION, {
      companyId,
      subject: shortfallId,
      details: { advance_id: advance.id, company_name: companyName, amount_pence: owedAmount },
      reason,
      requestedBy: call.actor.userId,
      at: deps.clock.now(),
      ip: call.caller.ip,
    });
    const context = { actor: call.actor.userId, at: deps.clock.now(), ip: call.caller.ip };
    await recordShortfallEvent(
      tx,
      shortfall,
      context,
      'write_off_requested',
      `Write-off of ${formatPounds(owedAmount)} requested: ${reason}`,
    );
    return request;
  });
}

async function assertOwing(tx: Tx, advance: AdvanceRow, shortfall: ShortfallRow): Promise<Pence> {
  const owedAmount = await getOwedAmount(tx, advance);
  const isOwing = (shortfall.status === 'due' || shortfall.status === 'disputed') && owedAmount > 0;
  if (!isOwing) throw createWrongStatusError(shortfall);
  await assertNotBeingPaid(tx, shortfall);
  return owedAmount;
}

/** What a Direct Debit or a deduction pays after the write-off would be the trader's, because nothing is owed any more. */
async function assertNotBeingPaid(tx: Tx, { companyId, id }: ShortfallRow): Promise<void> {
  const debits = await tx
    .select({ status: directDebits.status })
    .from(directDebits)
    .where(and(eq(directDebits.companyId, companyId), eq(directDebits.shortfallId, id)));
  const isBeingDeducted = ((await sumPendingShares(tx, companyId)).get(id) ?? 0) > 0;
  if (!isBeingDeducted && !debits.some(({ status }) => isPendingDirectDebit(status))) return;
  throw new AppError(
    'conflict',
    'shortfall.being_paid',
    `${isBeingDeducted ? 'Part of this is being deducted from a payment in progress' : 'A Direct Debit for this is being collected'}. Wait for its result, then request the write-off of what is left.`,
  );
}

async function applyWriteOff(tx: Tx, deps: AppDeps, request: ApprovedRequest<WriteOffDetails>): Promise<void> {
  const { companyId, subject, details, reason, by, at, ip } = request;
  const advance = await lockAdvance(tx, companyId, details.advance_id);
  const shortfall = await lockShortfall(tx, { companyId, id: subject });
  if (!advance || !shortfall) throw new AppError('conflict', 'shortfall.gone', 'This case no longer exists.');
  const owedAmount = await assertOwing(tx, advance, shortfall);
  if (owedAmount !== details.amount_pence) {
    throw new AppError(
      'conflict',
      'shortfall.amount_changed',
      `${formatPounds(owedAmount)} is now owed. Reject this request and make a new one.`,
    );
  }
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `write-off:${request.id}`,
    description: `Write-off of ${formatPounds(owedAmount)}`,
    postedAt: at,
    lines: postWriteOff(owedAmount),
  });
  await tx.insert(shortfallRecoveries).values({
    companyId,
    id: randomUUID(),
    advanceId: advance.id,
    source: 'write_off',
    sourceId: request.id,
    amountPence: owedAmount,
    at,
  });
  const context = { actor: by, at, ip };
  const explanation = `Wrote off ${formatPounds(owedAmount)}: ${reason}`;
  const collecting = advance.state === 'shortfall' ? await transitionAdvance(tx, advance, 'collecting', context, explanation) : advance;
  const writtenOffAdvance = await transitionAdvance(tx, collecting, 'written_off', context, explanation);
  const row = await syncShortfall(deps, tx, writtenOffAdvance, context);
  if (row) await sendWrittenOffLetter(deps, tx, writtenOffAdvance, row, owedAmount);
}

function createWrongStatusError({ status }: ShortfallRow): AppError {
  return new AppError(
    'conflict',
    'shortfall.wrong_status',
    `This case is now ${status.replaceAll('_', ' ')}. Reload the page before you decide.`,
  );
}
