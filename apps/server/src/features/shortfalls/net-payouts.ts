/** Deducts unpaid differences on earlier refunds from a payout (agreement clause 5). */
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import { advances, payoutNettings, payouts, shortfallRecoveries, shortfalls } from '@portal/db/schema/schema.ts';
import { OVERPAYMENTS_NETTED_FROM } from '@portal/domain/advances/agreement-versions.ts';
import { formatPounds, pence, sumPence, ZERO, type Pence } from '@portal/domain/money.ts';
import { deductShortfalls } from '@portal/domain/shortfalls/net-payout.ts';
import { and, asc, eq, inArray, isNull, ne, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { lockAdvance, type AdvanceRow, type TransitionContext } from '../advances/transition-advance.ts';
import { findOpenMoney } from '../reconciliation-exceptions/find-open-money.ts';
import { sendNettedLetter } from './shortfall-letters.ts';
import { getOwedAmount, getOwedByTrader, isThisShortfall, recordShortfallEvent } from './shortfall-record.ts';
import { syncShortfall, transitionByBalance } from './sync-shortfall.ts';

type NettingShare = { readonly shortfallId: string; readonly amount: Pence };

/**
 * Plans the deductions from the next payout: differences, oldest case first, then what we overpaid. Disputed differences aren't deducted.
 * The shares list the differences; any further deduction from the price is an overpayment.
 */
export async function planNetting(
  db: Db | Tx,
  advance: Pick<AdvanceRow, 'companyId' | 'id' | 'netPence' | 'agreementVersion'>,
): Promise<{ payout: Pence; shares: NettingShare[] }> {
  const rows = await db
    .select({ id: shortfalls.id, companyId: advances.companyId, advanceId: advances.id, refundPence: advances.refundPence })
    .from(shortfalls)
    .innerJoin(advances, and(eq(advances.companyId, shortfalls.companyId), eq(advances.id, shortfalls.advanceId)))
    .where(and(eq(shortfalls.companyId, advance.companyId), eq(shortfalls.status, 'due'), ne(shortfalls.advanceId, advance.id)))
    .orderBy(asc(shortfalls.openedAt));
  const pendingAmounts = await sumPendingShares(db, advance.companyId);
  const unpaidAmounts: Pence[] = [];
  for (const { id, companyId, advanceId, refundPence } of rows) {
    const owedAmount = await getOwedAmount(db, { companyId, id: advanceId, refundPence });
    unpaidAmounts.push(pence(Math.max(0, owedAmount - (pendingAmounts.get(id) ?? 0))));
  }
  const overpaidPence = advance.agreementVersion < OVERPAYMENTS_NETTED_FROM ? ZERO : await sumOverpayments(db, advance.companyId);
  const { payout, taken } = deductShortfalls(advance.netPence, [...unpaidAmounts, overpaidPence]);
  const shares = rows.map(({ id }, index) => ({ shortfallId: id, amount: taken[index] ?? ZERO })).filter(({ amount }) => amount > 0);
  return { payout, shares };
}

/** Sums, by difference, what is deducted from payouts that are being sent: the bank hasn't made them yet, so the difference still looks unpaid. */
export async function sumPendingShares(db: Db | Tx, companyId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ shortfallId: payoutNettings.shortfallId, sum: sql`sum(${payoutNettings.amountPence})`.mapWith(Number) })
    .from(payoutNettings)
    .innerJoin(payouts, and(eq(payouts.companyId, payoutNettings.companyId), eq(payouts.id, payoutNettings.payoutId)))
    .where(and(eq(payoutNettings.companyId, companyId), inArray(payouts.status, ['created', 'submitted'])))
    .groupBy(payoutNettings.shortfallId);
  return new Map(rows.map(({ shortfallId, sum }) => [shortfallId, sum]));
}

/**
 * Sums what the trader owes us other than shortfalls: payouts that were too high, or whose funding was later reversed. Excludes amounts
 * already deducted from a pending payout.
 */
async function sumOverpayments(db: Db | Tx, companyId: string): Promise<Pence> {
  const { owed: surplus } = await findOpenMoney(db, companyId);
  if (surplus >= 0) return ZERO;
  const differences = sql`coalesce((select sum(${payoutNettings.amountPence}) from ${payoutNettings} where ${payoutNettings.companyId} = ${payouts.companyId} and ${payoutNettings.payoutId} = ${payouts.id}), 0)`;
  const [orderedPayout] = await db
    .select({ taken: sql`coalesce(sum(${advances.netPence} - ${payouts.amountPence} - ${differences}), 0)`.mapWith(Number) })
    .from(payouts)
    .innerJoin(advances, and(eq(advances.companyId, payouts.companyId), eq(advances.id, payouts.advanceId)))
    .where(and(eq(payouts.companyId, companyId), inArray(payouts.status, ['created', 'submitted'])));
  return pence(Math.max(0, -surplus - (orderedPayout?.taken ?? 0)));
}

export async function storeNetting(tx: Tx, companyId: string, payoutId: string, shares: readonly NettingShare[]): Promise<void> {
  if (shares.length === 0) return;
  await tx
    .insert(payoutNettings)
    .values(shares.map(({ shortfallId, amount }) => ({ companyId, payoutId, shortfallId, amountPence: amount })));
}

/**
 * `taken`: the price minus the payout. `applied`: the part that paid differences; the rest pays what we overpaid, or is owed to the trader.
 */
export type AppliedNetting = { readonly taken: Pence; readonly applied: Pence };

type NettedPayout = Pick<typeof payouts.$inferSelect, 'id' | 'amountPence'>;

/**
 * Call this once the payout has been made: its deductions pay the differences that are still unpaid. The caller holds the company's lock
 * and posts the payout. Returns undefined if nothing was deducted.
 */
export async function applyNetting(
  deps: AppDeps,
  tx: Tx,
  { companyId, netPence }: AdvanceRow,
  { id: payoutId, amountPence: paidAmount }: NettedPayout,
  context: TransitionContext,
): Promise<AppliedNetting | undefined> {
  const rows = await listNettings(tx, companyId, payoutId);
  const appliedAmounts: Pence[] = [];
  for (const { shortfallId, amountPence } of rows)
    appliedAmounts.push(await applyShare(deps, tx, { companyId, payoutId, shortfallId, amountPence }, context));
  const deductedAmount = pence(netPence - paidAmount);
  return deductedAmount === 0 ? undefined : { taken: deductedAmount, applied: sumPence(appliedAmounts) };
}

type NettingKey = { readonly companyId: string; readonly payoutId: string; readonly shortfallId: string };

async function applyShare(deps: AppDeps, tx: Tx, netting: NettingKey & { amountPence: Pence }, context: TransitionContext): Promise<Pence> {
  const { companyId, payoutId, shortfallId, amountPence } = netting;
  const advance = await lockShortfallAdvance(tx, companyId, shortfallId);
  if (!advance) return ZERO;
  const appliedAmount = pence(Math.min(amountPence, await getOwedByTrader(tx, advance)));
  await tx.update(payoutNettings).set({ appliedPence: appliedAmount }).where(isThisNetting(netting));
  if (appliedAmount === 0) return ZERO;
  await recordRecovery(tx, advance, payoutId, appliedAmount, context);
  const explanation = `${formatPounds(appliedAmount)} deducted from the latest payment.`;
  await recordShortfallEvent(tx, { companyId, id: shortfallId }, context, 'netted', explanation);
  const movedAdvance = await transitionByBalance(tx, advance, context, explanation);
  const row = await syncShortfall(deps, tx, movedAdvance, context);
  const owedAmount = await getOwedAmount(tx, movedAdvance);
  if (row) {
    await sendNettedLetter(deps, tx, movedAdvance, row, appliedAmount, owedAmount);
  }
  return appliedAmount;
}

/**
 * Call this once the bank has returned the payout: the differences that it paid become unpaid again. The caller reverses the payout's
 * posting.
 */
export async function reverseNetting(
  deps: AppDeps,
  tx: Tx,
  { companyId, netPence }: AdvanceRow,
  { id: payoutId, amountPence: paidAmount }: NettedPayout,
  context: TransitionContext,
): Promise<AppliedNetting | undefined> {
  const rows = (await listNettings(tx, companyId, payoutId)).filter(({ appliedPence }) => appliedPence !== null);
  for (const netting of rows) {
    await tx.update(payoutNettings).set({ reversedAt: context.at }).where(isThisNetting(netting));
    const advance = await lockShortfallAdvance(tx, companyId, netting.shortfallId);
    if (!advance || !netting.appliedPence) continue;
    await recordRecovery(tx, advance, payoutId, pence(-netting.appliedPence), context);
    const explanation = `${formatPounds(netting.appliedPence)} is unpaid again: the bank returned the payment it was deducted from.`;
    await recordShortfallEvent(tx, { companyId, id: netting.shortfallId }, context, 'netting_reversed', explanation);
    await syncShortfall(deps, tx, await transitionByBalance(tx, advance, context, explanation), context);
  }
  const deductedAmount = pence(netPence - paidAmount);
  if (deductedAmount === 0) return undefined;
  return {
    taken: deductedAmount,
    applied: sumPence(rows.map(({ appliedPence }) => appliedPence ?? ZERO)),
  };
}

const isThisNetting = ({ companyId, payoutId, shortfallId }: NettingKey) =>
  and(eq(payoutNettings.companyId, companyId), eq(payoutNettings.payoutId, payoutId), eq(payoutNettings.shortfallId, shortfallId));

function listNettings(tx: Tx, companyId: string, payoutId: string) {
  return tx
    .select()
    .from(payoutNettings)
    .where(and(eq(payoutNettings.companyId, companyId), eq(payoutNettings.payoutId, payoutId), isNull(payoutNettings.reversedAt)));
}

async function lockShortfallAdvance(tx: Tx, companyId: string, shortfallId: string): Promise<AdvanceRow | undefined> {
  const [row] = await tx
    .select({ advanceId: shortfalls.advanceId })
    .from(shortfalls)
    .where(isThisShortfall({ companyId, id: shortfallId }));
  return row && lockAdvance(tx, companyId, row.advanceId);
}

async function recordRecovery(
  tx: Tx,
  { companyId, id: advanceId }: AdvanceRow,
  payoutId: string,
  amountPence: Pence,
  { at }: TransitionContext,
) {
  const recovery = { companyId, id: randomUUID(), advanceId, source: 'netting', sourceId: payoutId, amountPence, at } as const;
  await tx.insert(shortfallRecoveries).values(recovery);
}
