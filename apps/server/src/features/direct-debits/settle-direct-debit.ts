/**
 * Stores GoCardless's status of a Direct Debit and moves the money in the ledger: from the trader into transit, and back after a failure or
 * a charge-back. Payouts move it on to our bank (record-payout.ts). Each move is posted once, in the transaction that stores the status.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { directDebits, shortfallRecoveries, shortfalls } from '@portal/db/schema/schema.ts';
import { postDirectDebit } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import {
  getDirectDebitAccount,
  isFailedDirectDebit,
  type DirectDebitAccount,
  type DirectDebitStatus,
} from '@portal/domain/shortfalls/direct-debit.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { AdvanceRow, TransitionContext } from '../advances/transition-advance.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { sendDirectDebitFailed } from '../shortfalls/shortfall-letters.ts';
import { getOwedByTrader, isThisShortfall, recordShortfallEvent, type ShortfallRow } from '../shortfalls/shortfall-record.ts';
import { syncShortfall, transitionByBalance } from '../shortfalls/sync-shortfall.ts';
import { lockCase } from '../shortfalls/trader-actions.ts';
import { isThisDirectDebit, type DirectDebitRow } from './direct-debit-record.ts';

type FoundDebit = { readonly status: DirectDebitStatus; readonly paymentId: string | null; readonly failure?: string };

/**
 * `knownDebit` is the row as it was before GoCardless was asked. If it has changed since, another run has stored an answer that may be
 * newer than this one: returns false and changes nothing, so that the caller reads the Direct Debit again.
 */
export async function settleDirectDebit(deps: AppDeps, knownDebit: DirectDebitRow, foundDebit: FoundDebit): Promise<boolean> {
  const { companyId, id, shortfallId, providerPaymentId } = knownDebit;
  const failure = isFailedDirectDebit(foundDebit.status)
    ? (foundDebit.failure ?? (await getFailureText(deps, foundDebit.paymentId ?? providerPaymentId)))
    : null;
  return deps.database.db.transaction(async (tx) => {
    const { advance, shortfall } = await lockCase(tx, { companyId, shortfallId });
    const [debit] = await tx.select().from(directDebits).where(isThisDirectDebit({ companyId, id })).for('update');
    if (!debit) return true;
    if (hasChanged(debit, knownDebit)) return false;
    const place = getDirectDebitAccount(foundDebit.status);
    const isKnown = debit.status === foundDebit.status && debit.providerPaymentId === (foundDebit.paymentId ?? debit.providerPaymentId);
    if (isKnown && debit.place === place) return true;
    const at = deps.clock.now();
    const context: TransitionContext = { actor: 'bank', at };
    const appliedAmount = await postTransfer(tx, advance, debit, place, context);
    await tx
      .update(directDebits)
      .set({
        status: foundDebit.status,
        providerPaymentId: foundDebit.paymentId ?? debit.providerPaymentId,
        failure,
        place,
        moves: debit.moves + (place === debit.place ? 0 : 1),
        appliedPence: place === 'trader' ? pence(0) : appliedAmount,
        updatedAt: at,
      })
      .where(isThisDirectDebit(debit));
    await followPayment(deps, tx, {
      advance,
      shortfall,
      debit,
      place,
      applied: appliedAmount,
      context,
      status: foundDebit.status,
      failure,
    });
    return true;
  });
}

function hasChanged(debit: DirectDebitRow, { status, providerPaymentId, moves }: DirectDebitRow): boolean {
  return debit.status !== status || debit.providerPaymentId !== providerPaymentId || debit.moves !== moves;
}

async function getFailureText(deps: AppDeps, paymentId: string | null): Promise<string> {
  try {
    return (paymentId === null ? undefined : await deps.directDebits?.findFailure(paymentId)) ?? 'your bank gave no reason';
  } catch (error) {
    // Storing the status matters more than knowing the reason.
    if (error instanceof ProviderError) return 'we don’t know the reason yet';
    throw error;
  }
}

/** Returns the part of the Direct Debit that pays off the difference. */
async function postTransfer(
  tx: Tx,
  advance: AdvanceRow,
  debit: DirectDebitRow,
  to: DirectDebitAccount,
  { at }: TransitionContext,
): Promise<Pence> {
  const { companyId, place: from } = debit;
  if (from === to) return debit.appliedPence;
  const owedAmount = await getOwedByTrader(tx, advance);
  const appliedAmount = from === 'trader' ? pence(Math.min(debit.amountPence, owedAmount)) : debit.appliedPence;
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `direct-debit:${debit.id}:${debit.moves + 1}`,
    description: `Direct Debit of ${formatPounds(debit.amountPence)}: ${DESCRIPTIONS[to]}`,
    postedAt: at,
    lines: postDirectDebit({ amount: debit.amountPence, applied: appliedAmount, from, to }),
  });
  const change = from === 'trader' ? appliedAmount : to === 'trader' ? pence(-appliedAmount) : 0;
  if (change !== 0) {
    await tx.insert(shortfallRecoveries).values({
      companyId,
      id: randomUUID(),
      advanceId: advance.id,
      source: 'direct_debit',
      sourceId: debit.id,
      amountPence: pence(change),
      at,
    });
  }
  return appliedAmount;
}

const DESCRIPTIONS: Readonly<Record<DirectDebitAccount, string>> = {
  trader: 'returned to the trader',
  in_transit: 'with GoCardless',
  cash: 'paid out to us',
};

type SettledDebit = {
  readonly advance: AdvanceRow;
  readonly shortfall: ShortfallRow;
  readonly debit: DirectDebitRow;
  readonly place: DirectDebitAccount;
  readonly applied: Pence;
  readonly context: TransitionContext;
  readonly status: DirectDebitStatus;
  readonly failure: string | null;
};

/** Updates the case and the advance accordingly. */
async function followPayment(
  deps: AppDeps,
  tx: Tx,
  { advance, shortfall, debit, place, applied, context, status, failure }: SettledDebit,
): Promise<void> {
  const amount = formatPounds(debit.amountPence);
  if (debit.place === 'trader' && place !== 'trader') {
    const movedAdvance = await transitionByBalance(tx, advance, context, `Collected ${amount} by Direct Debit.`);
    await syncShortfall(deps, tx, movedAdvance, context, applied);
    return;
  }
  if (failure !== null) {
    const explanation = `Direct Debit of ${amount} ${status === 'charged_back' ? 'charged back' : 'failed'}: ${failure}`;
    await recordShortfallEvent(tx, shortfall, context, `direct_debit_${status}`, explanation);
    const movedAdvance = await transitionByBalance(tx, advance, context, explanation);
    const row = (await syncShortfall(deps, tx, movedAdvance, context)) ?? shortfall;
    const isChargeBack = debit.place !== 'trader';
    // This letter counts as the reminder.
    await tx.update(shortfalls).set({ remindedAt: context.at }).where(isThisShortfall(shortfall));
    await sendDirectDebitFailed(deps, tx, movedAdvance, row, { amount: debit.amountPence, reason: failure, isChargeBack });
    return;
  }
  if (debit.place !== place) {
    // It failed after it had been confirmed, and someone has already submitted it again at GoCardless.
    const movedAdvance = await transitionByBalance(tx, advance, context, `Direct Debit of ${amount} is being collected again.`);
    await syncShortfall(deps, tx, movedAdvance, context);
  }
  if (status === 'cancelled')
    await recordShortfallEvent(tx, shortfall, context, 'direct_debit_cancelled', `Direct Debit of ${amount} cancelled.`);
}
