/**
 * Keeps a shortfall in step with its advance and the money received. Recomputes everything, so it can follow any change: a credit, a match
 * by an operator, a Direct Debit, a write-off. The sweep repeats it for cases that missed a change.
 */
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import { mandates, shortfalls } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { isMatchable } from '@portal/domain/advances/settle-credit.ts';
import { formatPounds, pence, ZERO, type Pence } from '@portal/domain/money.ts';
import { addDays, formatDate } from '@portal/domain/plain-date.ts';
import { isUsableMandate } from '@portal/domain/shortfalls/direct-debit.ts';
import type { ShortfallCause } from '@portal/domain/shortfalls/infer-cause.ts';
import { getPaymentReference } from '@portal/domain/shortfalls/payment-reference.ts';
import { isOpenShortfall } from '@portal/domain/shortfalls/shortfall-status.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { transitionAdvance, type AdvanceRow, type TransitionContext } from '../advances/transition-advance.ts';
import { listPossibleOwners } from './case-owners.ts';
import { cancelDirectDebitAfterPayment, cancelSuperfluousDirectDebit } from './cancel-direct-debit.ts';
import { inferShortfallCause } from './infer-shortfall-cause.ts';
import {
  changeShortfall,
  findShortfallByAdvance,
  getOwedAmount,
  isThisShortfall,
  recordShortfallEvent,
  type ShortfallRow,
} from './shortfall-record.ts';
import { sendNotice, sendReceipt } from './shortfall-letters.ts';

export type NewShortfall = { readonly cause: ShortfallCause; readonly causeText: string; readonly suspected: Pence };

/** Opens a case in which nothing is owed yet, or sets a new cause on an open one. Returns undefined if nothing has changed. */
export async function watchShortfall(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  context: TransitionContext,
  { cause, causeText, suspected }: NewShortfall,
): Promise<ShortfallRow | undefined> {
  const existing = await findShortfallByAdvance(tx, advance.companyId, advance.id);
  const changes = { cause, causeText, suspectedPence: suspected };
  if (!existing) {
    const openedShortfall = await insertShortfall(deps, tx, advance, { status: 'watching', ...changes });
    await recordShortfallEvent(tx, openedShortfall, context, 'opened', causeText);
    return openedShortfall;
  }
  if (existing.status === 'due' || existing.status === 'disputed') return undefined;
  // The cause is already known, even if the case has been closed for now.
  if (existing.cause === cause && existing.causeText === causeText && existing.suspectedPence === suspected) return undefined;
  // A late repayment is weaker evidence than HMRC's figures.
  if (cause === 'late' && existing.cause !== 'late') return undefined;
  const reopenedFields = isOpenShortfall(existing.status) ? {} : ({ status: 'watching', closedAt: null, openedAt: context.at } as const);
  return changeShortfall(tx, existing, { ...changes, ...reopenedFields }, context, 'cause_changed', causeText);
}

/**
 * Brings the case of a locked advance up to date. `paidAmount` is the amount just received from the trader, for the receipt. Returns the case, or
 * undefined if the advance doesn't need one.
 */
export async function syncShortfall(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  context: TransitionContext,
  paidAmount: Pence = ZERO,
): Promise<ShortfallRow | undefined> {
  const owedAmount = await getOwedAmount(tx, advance);
  const existing = await findShortfallByAdvance(tx, advance.companyId, advance.id);
  const isOwing = isMatchable(advance.state) && advance.state !== 'awaiting_hmrc' && owedAmount > 0;
  if (isOwing && (!existing || existing.status === 'watching' || !isOpenShortfall(existing.status))) {
    return markDue(deps, tx, advance, existing, owedAmount, context);
  }
  if (!existing) return undefined;
  if (isOwing) {
    if (paidAmount > 0) {
      await recordShortfallEvent(
        tx,
        existing,
        context,
        'paid',
        `${formatPounds(paidAmount)} received. ${formatPounds(owedAmount)} is still due.`,
      );
      await sendReceipt(deps, tx, advance, existing, paidAmount, owedAmount);
    }
    // A deduction from a payout, or a payout that came back, may have paid a part too.
    await cancelDirectDebitAfterPayment(deps, tx, advance, existing);
    return existing;
  }
  if (advance.state === 'awaiting_hmrc') return reopenAsWatching(deps, tx, existing, context);
  if (!isOpenShortfall(existing.status)) return existing;
  return endShortfall(deps, tx, advance, existing, context, paidAmount);
}

async function markDue(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  existing: ShortfallRow | undefined,
  owedAmount: Pence,
  context: TransitionContext,
): Promise<ShortfallRow> {
  const { shortfallNoticeDays } = getAdvanceTerms(deps.clock.today());
  const dueOn = addDays(deps.clock.today(), shortfallNoticeDays);
  const inferredCause = await inferShortfallCause(tx, advance);
  const cause = {
    cause: inferredCause?.cause ?? ('unknown' as const),
    causeText: inferredCause?.text ?? 'We don’t know why. HMRC’s letter or your HMRC account should explain it.',
    suspectedPence: ZERO,
  };
  const explanation = `${formatPounds(owedAmount)} is due by ${formatDate(dueOn)}.`;
  const dueCase = { status: 'due', dueOn, ...cause, closedAt: null, planStartedFromPence: null } as const;
  const shortfall = existing ?? (await insertShortfall(deps, tx, advance, dueCase));
  const row = await changeShortfall(tx, shortfall, dueCase, context, 'due', explanation);
  const hasMandate = await hasUsableMandate(tx, advance.companyId);
  await sendNotice(deps, tx, advance, row, { owed: owedAmount, dueOn, hasMandate, received: pence(advance.refundPence - owedAmount) });
  return row;
}

/** A wrong match was reversed, so HMRC's repayment is outstanding again, even if the case had ended with that match. */
async function reopenAsWatching(deps: AppDeps, tx: Tx, existing: ShortfallRow, context: TransitionContext): Promise<ShortfallRow> {
  if (existing.status === 'watching') return existing;
  await cancelSuperfluousDirectDebit(deps, tx, existing, 0);
  const reopenedFields = isOpenShortfall(existing.status) ? {} : { closedAt: null, openedAt: context.at };
  const changes = { status: 'watching', dueOn: null, planStartedFromPence: null, ...reopenedFields } as const;
  return changeShortfall(
    tx,
    existing,
    changes,
    context,
    'not_due',
    'Nothing is due for now, because we’re waiting for HMRC’s repayment again.',
  );
}

async function endShortfall(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  existing: ShortfallRow,
  context: TransitionContext,
  paidAmount: Pence,
): Promise<ShortfallRow> {
  const wasOwing = existing.status !== 'watching';
  const status = advance.state === 'written_off' ? 'written_off' : wasOwing ? 'settled' : 'closed';
  const explanation = {
    written_off: 'The difference was written off.',
    settled: 'Everything has been paid. The case is settled.',
    closed: 'There’s no longer a shortfall. The case is closed.',
  }[status];
  const row = await changeShortfall(tx, existing, { status, closedAt: context.at, suspectedPence: ZERO }, context, status, explanation);
  await cancelSuperfluousDirectDebit(deps, tx, row, 0);
  if (status === 'settled' && paidAmount > 0) await sendReceipt(deps, tx, advance, row, paidAmount, ZERO);
  return row;
}

async function insertShortfall(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  values: Pick<ShortfallRow, 'status' | 'cause' | 'causeText' | 'suspectedPence'> & { readonly dueOn?: ShortfallRow['dueOn'] },
): Promise<ShortfallRow> {
  const id = randomUUID();
  const now = deps.clock.now();
  const key = { companyId: advance.companyId, id };
  await tx.insert(shortfalls).values({
    ...key,
    advanceId: advance.id,
    reference: getPaymentReference(id),
    ownerId: (await chooseOwner(deps, tx, advance.companyId)) ?? null,
    openedAt: now,
    updatedAt: now,
    ...values,
  });
  const [row] = await tx.select().from(shortfalls).where(isThisShortfall(key));
  if (!row) throw new Error('the shortfall was not stored');
  return row;
}

/** Chooses the operator with the fewest open cases, so that every case has an owner from the start. */
async function chooseOwner(deps: AppDeps, tx: Tx, companyId: string): Promise<string | undefined> {
  const [owner] = await listPossibleOwners(deps, tx, companyId);
  return owner?.id;
}

export async function hasUsableMandate(db: Db | Tx, companyId: string): Promise<boolean> {
  const rows = await db.select({ status: mandates.status }).from(mandates).where(eq(mandates.companyId, companyId));
  return rows.some(({ status }) => isUsableMandate(status));
}

/** Moves an advance to the state that fits its balance after a change other than a bank credit. */
export async function transitionByBalance(tx: Tx, advance: AdvanceRow, context: TransitionContext, reason: string): Promise<AdvanceRow> {
  const owedAmount = await getOwedAmount(tx, advance);
  if (owedAmount > 0) {
    const isReopened = advance.state === 'settled' || advance.state === 'written_off';
    return advance.state === 'shortfall' || isReopened ? transitionAdvance(tx, advance, 'collecting', context, reason) : advance;
  }
  if (advance.state !== 'shortfall' && advance.state !== 'collecting') return advance;
  const collecting = advance.state === 'collecting' ? advance : await transitionAdvance(tx, advance, 'collecting', context, reason);
  return transitionAdvance(tx, collecting, 'settled', context, 'Nothing more is owed.');
}
