/**
 * Operators' actions on reconciliation exceptions: match a credit, record its return, add a note. Each is posted, noted and audited once,
 * in one transaction.
 */
import { randomUUID } from 'node:crypto';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Tx } from '@portal/db/database.ts';
import { advances, bankCredits, reconciliationNotes } from '@portal/db/schema/schema.ts';
import { isMatchable, settleCredit, type CreditSettlement, type MatchableState } from '@portal/domain/advances/settle-credit.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { postMatchedCredit, postReturnedCredit, postShortfall } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { and, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { notFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { enqueueRepaidEmail } from '../advances/advance-emails.ts';
import { lockAdvance, lockCompany, transitionAdvance, type AdvanceRow, type TransitionContext } from '../advances/transition-advance.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { sumReceived } from '../shortfalls/shortfall-record.ts';
import { syncShortfall } from '../shortfalls/sync-shortfall.ts';

type CreditRow = typeof bankCredits.$inferSelect;
type CreditCall = MatterCall<'match'> | MatterCall<'recordReturn'>;
type OperatorAction = { readonly actor: string; readonly at: Instant; readonly ip: string; readonly reason: string };

type MatterCall<Name extends keyof typeof reconciliationExceptionsApi> = Call<(typeof reconciliationExceptionsApi)[Name]>;

export function matchCredit(deps: AppDeps, call: MatterCall<'match'>): Promise<{ done: true }> {
  return withLockedCredit(deps, call, (tx, credit, operatorAction) => applyMatch(deps, tx, credit, call.input.advance_id, operatorAction));
}

export function recordReturn(deps: AppDeps, call: MatterCall<'recordReturn'>): Promise<{ done: true }> {
  return withLockedCredit(deps, call, (tx, credit, operatorAction) => applyReturn(tx, credit, call.input.return_reference, operatorAction));
}

/** Runs one action on a locked credit. Takes the company's lock first, in the same order as the code that receives credits. */
async function withLockedCredit(
  deps: AppDeps,
  { input, actor, caller }: CreditCall,
  work: (tx: Tx, credit: CreditRow, operatorAction: OperatorAction) => Promise<void>,
): Promise<{ done: true }> {
  const operatorAction = { actor: actor.userId, at: deps.clock.now(), ip: caller.ip, reason: input.reason };
  await deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, input.company_id);
    const [credit] = await tx
      .select()
      .from(bankCredits)
      .where(and(eq(bankCredits.companyId, input.company_id), eq(bankCredits.id, input.credit_id)))
      .for('update');
    if (!credit) throw notFoundError();
    await work(tx, credit, operatorAction);
  });
  return { done: true };
}

async function applyMatch(deps: AppDeps, tx: Tx, credit: CreditRow, advanceId: string, operatorAction: OperatorAction): Promise<void> {
  // Already matched to this advance: a repeated request succeeds without a change.
  if (credit.advanceId === advanceId) return;
  assertUndecided(credit);
  const advance = await lockAdvance(tx, credit.companyId, advanceId);
  if (!advance) throw notFoundError();
  const { state } = advance;
  if (!isMatchable(state)) {
    throw new AppError('conflict', 'reconciliation.nothing_outstanding', 'This advance isn’t waiting for money any more. Reload the page.');
  }
  const received = await sumReceived(tx, credit.companyId, advance.id);
  const settlement = settleCredit(credit.amountPence, { state, refund: advance.refundPence, received });
  await tx.update(bankCredits).set({ advanceId: advance.id }).where(isThisCredit(credit));
  await postMatch(tx, credit, advance, state, settlement, operatorAction);
  if (state === 'awaiting_hmrc' && settlement.to === 'settled') await enqueueRepaidEmail(deps, tx, advance, credit.amountPence);
  const matched = await lockAdvance(tx, credit.companyId, advanceId);
  if (matched) await syncShortfall(deps, tx, matched, operatorAction, settlement.applied);
  await auditWithNote(tx, credit, 'credit.matched', operatorAction, {
    advance_id: advance.id,
    applied_pence: settlement.applied,
    to: settlement.to,
  });
}

/** Posts the match and changes the advance's state, with the same transitions as an automatic match. */
async function postMatch(
  tx: Tx,
  credit: CreditRow,
  advance: AdvanceRow,
  state: MatchableState,
  { applied, missing, to }: CreditSettlement,
  operatorAction: OperatorAction,
): Promise<void> {
  const context: TransitionContext = operatorAction;
  const transitionReason = `An operator matched ${formatPounds(credit.amountPence)} received: ${operatorAction.reason}`;
  await postToLedger(tx, {
    companyId: credit.companyId,
    idempotencyKey: `match:${credit.id}`,
    description: `Credit of ${formatPounds(credit.amountPence)} matched by an operator: ${formatPounds(applied)} pays the advance`,
    postedAt: operatorAction.at,
    lines: postMatchedCredit(applied, state === 'awaiting_hmrc' ? 'refunds_receivable' : 'due_from_trader'),
  });
  if (state === 'awaiting_hmrc') {
    const repaidAt = { repaidAt: credit.receivedAt };
    if (to === 'settled') {
      const repaidAdvance = await transitionAdvance(tx, advance, 'repaid', context, transitionReason, repaidAt);
      await transitionAdvance(tx, repaidAdvance, 'settled', context, 'Nothing is owed any more.');
      return;
    }
    await postToLedger(tx, {
      companyId: credit.companyId,
      idempotencyKey: `shortfall:${advance.id}`,
      description: `Shortfall of ${formatPounds(missing)}, due from the trader`,
      postedAt: operatorAction.at,
      lines: postShortfall(missing),
    });
    await transitionAdvance(tx, advance, 'shortfall', context, transitionReason, repaidAt);
    return;
  }
  const collecting = state === 'collecting' ? advance : await transitionAdvance(tx, advance, 'collecting', context, transitionReason);
  if (to === 'settled')
    await transitionAdvance(tx, collecting, 'settled', context, state === 'collecting' ? transitionReason : 'Nothing is owed any more.');
}

async function applyReturn(tx: Tx, credit: CreditRow, reference: string, operatorAction: OperatorAction): Promise<void> {
  // Already recorded: a repeated request succeeds without a change.
  if (credit.returnedAt !== null && credit.returnReference === reference) return;
  assertUndecided(credit);
  await tx.update(bankCredits).set({ returnedAt: operatorAction.at, returnReference: reference }).where(isThisCredit(credit));
  await postToLedger(tx, {
    companyId: credit.companyId,
    idempotencyKey: `credit-returned:${credit.id}`,
    description: `Credit of ${formatPounds(credit.amountPence)} returned to its sender (${reference})`,
    postedAt: operatorAction.at,
    lines: postReturnedCredit(credit.amountPence),
  });
  await auditWithNote(tx, credit, 'credit.returned', operatorAction, {
    return_reference: reference,
    amount_pence: pence(credit.amountPence),
  });
}

export async function noteMatter(deps: AppDeps, { input, actor, caller }: MatterCall<'note'>): Promise<{ done: true }> {
  const { company_id: companyId, subject_id: subjectId, note_id: id, text } = input;
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const [credit] = await tx
      .select({ id: bankCredits.id })
      .from(bankCredits)
      .where(and(eq(bankCredits.companyId, companyId), eq(bankCredits.id, subjectId)));
    const [advance] = await tx
      .select({ id: advances.id })
      .from(advances)
      .where(and(eq(advances.companyId, companyId), eq(advances.id, subjectId)));
    if (!credit && !advance) throw notFoundError();
    const inserted = await tx
      .insert(reconciliationNotes)
      .values({ companyId, id, subjectId, text, by: actor.userId, at })
      .onConflictDoNothing()
      .returning({ id: reconciliationNotes.id });
    if (inserted.length === 0) return;
    const entry = {
      companyId,
      at,
      actor: actor.userId,
      action: 'reconciliation.note_added',
      subject: subjectId,
      after: { text },
      ip: caller.ip,
    };
    await recordAudit(tx, entry);
  });
  return { done: true };
}

/** A credit can be decided once. An operator with an outdated screen gets the reason. */
function assertUndecided(credit: CreditRow): void {
  if (credit.returnedAt !== null) {
    throw new AppError('conflict', 'reconciliation.credit_returned', 'This credit was returned to its sender, so you can’t match it.');
  }
  if (credit.advanceId !== null) {
    throw new AppError(
      'conflict',
      'reconciliation.credit_matched',
      'This credit has already been matched to another advance. Reload the list.',
    );
  }
}

function isThisCredit({ companyId, id }: CreditRow) {
  return and(eq(bankCredits.companyId, companyId), eq(bankCredits.id, id));
}

/** Writes the decision and its reason to the audit trail and to the exception's notes. */
async function auditWithNote(
  tx: Tx,
  credit: CreditRow,
  action: string,
  operatorAction: OperatorAction,
  after: Record<string, unknown>,
): Promise<void> {
  const { companyId, id: subject } = credit;
  await tx.insert(reconciliationNotes).values({
    companyId,
    id: randomUUID(),
    subjectId: subject,
    text: operatorAction.reason,
    by: operatorAction.actor,
    at: operatorAction.at,
  });
  await recordAudit(tx, {
    companyId,
    at: operatorAction.at,
    actor: operatorAction.actor,
    action,
    subject,
    after: { ...after, reason: operatorAction.reason },
    ip: operatorAction.ip,
  });
}
