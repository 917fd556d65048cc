/**
 * Stores a GoCardless payout with its items and moves its money in the ledger: from transit to our bank account, the fee to our expenses.
 * It is posted once while GoCardless reports it as paid, and reversed if our bank returned it. A payout that we can't explain to the penny
 * isn't posted; reconciliation lists it.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { directDebitPayoutItems, directDebitPayouts, directDebits } from '@portal/db/schema/schema.ts';
import { postBouncedPayout, postDirectDebitPayout } from '@portal/domain/ledger/ledger.ts';
import { formatPounds } from '@portal/domain/money.ts';
import {
  findPayoutProblem,
  getGross,
  splitPayout,
  type PayoutItem,
  type PayoutShare,
} from '@portal/domain/shortfalls/direct-debit-payout.ts';
import type { DirectDebitPayout } from '@portal/providers/gocardless/gocardless-port.ts';
import { eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { readDirectDebit } from './submit-direct-debit.ts';

type PayoutRow = typeof directDebitPayouts.$inferSelect;

export async function recordPayout(deps: AppDeps, payout: DirectDebitPayout, items: readonly PayoutItem[]): Promise<void> {
  const companyByPayment = await createCompanyLookup(deps, items);
  const facts = { net: payout.net, currency: payout.currency, items };
  const problem = findPayoutProblem(facts, companyByPayment) ?? null;
  const shares = problem === null ? splitPayout(facts, companyByPayment) : [];
  await deps.database.db.transaction(async (tx) => {
    // Locks the companies first, in the same order as everything else that changes their money.
    for (const { companyId } of shares) await lockCompany(tx, companyId);
    const row = await lockPayout(tx, payout, items);
    const isPosted = payout.status === 'paid' && problem === null;
    if (row.status === payout.status && row.problem === problem && row.isPosted === isPosted) return;
    const at = deps.clock.now();
    // The explanation of a posted payout can't change, because its items don't.
    if (isPosted !== row.isPosted && problem === null) await postTransfer(tx, row, shares, isPosted, at);
    await tx
      .update(directDebitPayouts)
      .set({
        status: payout.status,
        problem,
        arrivesOn: payout.arrivesOn ?? null,
        isPosted: problem === null ? isPosted : row.isPosted,
        moves: row.moves + (isPosted !== row.isPosted && problem === null ? 1 : 0),
        updatedAt: at,
      })
      .where(eq(directDebitPayouts.id, row.id));
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at,
      actor: 'bank',
      action: `direct_debit_payout.${payout.status}`,
      subject: row.id,
      after: { payout: payout.payoutId, net_pence: payout.net, gross_pence: row.grossPence, problem },
    });
  });
}

/** Finds the company of each payment in the items. */
async function createCompanyLookup(deps: AppDeps, items: readonly PayoutItem[]): Promise<(paymentId: string) => string | undefined> {
  const paymentIds = [...new Set(items.flatMap(({ paymentId }) => paymentId ?? []))];
  if (paymentIds.length === 0) return () => undefined;
  const debits = await deps.database.db.select().from(directDebits).where(inArray(directDebits.providerPaymentId, paymentIds));
  // Post each payment's collection, failure or charge-back first, even if an earlier version had posted the payout as cash.
  for (const debit of debits) await readDirectDebit(deps, debit);
  const companies = new Map(debits.map(({ providerPaymentId, companyId }) => [providerPaymentId, companyId]));
  return (paymentId) => companies.get(paymentId);
}

async function lockPayout(tx: Tx, payout: DirectDebitPayout, items: readonly PayoutItem[]): Promise<PayoutRow> {
  const id = randomUUID();
  const insertedPayouts = await tx
    .insert(directDebitPayouts)
    .values({
      id,
      providerPayoutId: payout.payoutId,
      status: 'pending',
      reference: payout.reference,
      currency: payout.currency,
      netPence: payout.net,
      grossPence: getGross(items),
      createdAt: payout.createdAt,
      arrivesOn: payout.arrivesOn ?? null,
      isPosted: false,
      updatedAt: payout.createdAt,
    })
    .onConflictDoNothing()
    .returning({ id: directDebitPayouts.id });
  if (insertedPayouts.length > 0 && items.length > 0) {
    await tx.insert(directDebitPayoutItems).values(
      items.map(({ type, paymentId, tenths }, index) => ({
        payoutId: id,
        number: index + 1,
        type,
        providerPaymentId: paymentId ?? null,
        tenths,
      })),
    );
  }
  const [row] = await tx.select().from(directDebitPayouts).where(eq(directDebitPayouts.providerPayoutId, payout.payoutId)).for('update');
  if (!row) throw new Error(`the payout ${payout.payoutId} is gone`);
  return row;
}

async function postTransfer(
  tx: Tx,
  row: PayoutRow,
  shares: readonly PayoutShare[],
  isPaid: boolean,
  at: PayoutRow['updatedAt'],
): Promise<void> {
  for (const share of shares) {
    const lines = isPaid ? postDirectDebitPayout(share) : postBouncedPayout(share);
    if (lines.length === 0) continue;
    await postToLedger(tx, {
      companyId: share.companyId,
      idempotencyKey: `gocardless-payout:${row.id}:${row.moves + 1}`,
      description: `GoCardless payout ${row.reference} ${isPaid ? 'paid to our bank' : 'returned by our bank'}: ${formatPounds(share.gross)} less ${formatPounds(share.fee)} in fees`,
      postedAt: at,
      lines,
    });
  }
}
