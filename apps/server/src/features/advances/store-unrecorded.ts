/** Stores payments in the provider's record that don't match any of our orders, with the company and advance that they name. */
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import { advances, bankAccounts, payouts, unrecordedPayouts, vrnClaims } from '@portal/db/schema/schema.ts';
import { isSamePayoutReference, parsePayoutReference } from '@portal/domain/advances/payout-reference.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { postReturnedSurplus } from '@portal/domain/ledger/ledger.ts';
import { formatPounds } from '@portal/domain/money.ts';
import type { SentPayout } from '@portal/providers/truelayer/truelayer-port.ts';
import { and, desc, eq, inArray, isNull, notInArray, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { detachFromFailedOrder, listRecordedPayouts } from './bank-record.ts';
import { lockCompany } from './transition-advance.ts';

type UnrecordedRow = typeof unrecordedPayouts.$inferSelect;

/** The provider's clock can differ from ours. */
const CLOCK_MARGIN_MS = 60_000;

export async function storeUnrecordedPayouts(
  deps: AppDeps,
  payoutsAtBank: readonly SentPayout[],
  returnedIds: ReadonlySet<string>,
): Promise<void> {
  const { db } = deps.database;
  await retryAttribution(db);
  const sentPayouts = payoutsAtBank.filter(
    ({ payoutId, returnedByTransactionId }) => returnedByTransactionId === undefined && !returnedIds.has(payoutId),
  );
  // Read the open orders first: an order that receives its provider ID in the meantime is then found in the next query.
  const openPayouts = await db.select().from(payouts).where(eq(payouts.status, 'created'));
  const recordedIds = await listRecordedPayouts(deps, sentPayouts);
  for (const payout of sentPayouts) {
    if (recordedIds.has(payout.payoutId) || openPayouts.some((order) => isOwnSubmission(order, payout))) continue;
    await storePayout(deps, toRow(deps, payout));
  }
}

/** Returns whether the payment belongs to one of our orders that was submitted but got no response yet. */
function isOwnSubmission(order: typeof payouts.$inferSelect, { reference, beneficiary, createdAt }: SentPayout): boolean {
  const isSame = isSamePayoutReference(order.reference, reference) && order.accountNumber === beneficiary?.accountNumber;
  return isSame && order.unknownAttempts > 0 && addMilliseconds(order.createdAt, -CLOCK_MARGIN_MS) <= createdAt;
}

/** Returns a row for a payment that isn't stored yet. `getAttribution` adds the company and advance. */
export function toRow(deps: AppDeps, payout: SentPayout): UnrecordedRow {
  return {
    companyId: NO_COMPANY,
    id: randomUUID(),
    providerPayoutId: payout.payoutId,
    advanceId: null,
    payoutId: null,
    amountPence: payout.amountPence,
    reference: payout.reference,
    accountHolder: payout.beneficiaryName,
    sortCode: payout.beneficiary?.sortCode ?? '',
    accountNumber: payout.beneficiary?.accountNumber ?? '',
    sentAt: payout.createdAt,
    foundAt: deps.clock.now(),
    resolution: null,
    resolvedAt: null,
  };
}

async function storePayout(deps: AppDeps, row: UnrecordedRow): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const rowWithAttribution = { ...row, ...(await getAttribution(tx, row)) };
    await detachFromFailedOrder(tx, row.providerPayoutId);
    const insertedPayouts = await tx
      .insert(unrecordedPayouts)
      .values(rowWithAttribution)
      .onConflictDoNothing()
      .returning({ id: unrecordedPayouts.id });
    if (insertedPayouts.length === 0) return;
    const { companyId, id, advanceId, amountPence, reference, providerPayoutId, foundAt: at } = rowWithAttribution;
    const after = { provider_payout_id: providerPayoutId, amount_pence: amountPence, reference };
    await recordAudit(tx, { companyId, at, actor: 'bank', action: 'payout.unrecorded', subject: advanceId ?? id, after });
    deps.logger.warn({ provider_payout_id: providerPayoutId, reference }, 'bank: a payment from our account has no payout order');
  });
}

type PayoutAttribution = Pick<UnrecordedRow, 'companyId' | 'advanceId'>;

/** Finds the company and advance by the reference (a VAT number and a month), or by the bank account if only one company uses it. */
async function getAttribution(db: Db | Tx, { reference, sortCode, accountNumber }: UnrecordedRow): Promise<PayoutAttribution> {
  const parsedReference = parsePayoutReference(reference);
  if (parsedReference) {
    const [claim] = await db.select({ companyId: vrnClaims.companyId }).from(vrnClaims).where(eq(vrnClaims.vrn, parsedReference.vrn));
    if (claim) return { companyId: claim.companyId, advanceId: await findAdvanceOfMonth(db, claim.companyId, parsedReference.month) };
  }
  const users = await db
    .selectDistinct({ companyId: bankAccounts.companyId })
    .from(bankAccounts)
    .where(and(eq(bankAccounts.sortCode, sortCode), eq(bankAccounts.accountNumber, accountNumber)))
    .limit(2);
  return { companyId: (users.length === 1 ? users[0]?.companyId : undefined) ?? NO_COMPANY, advanceId: null };
}

/** `month` is written as in the reference, for example "2609". */
async function findAdvanceOfMonth(db: Db | Tx, companyId: string, month: string | null): Promise<string | null> {
  if (month === null) return null;
  const [advance] = await db
    .select({ id: advances.id })
    .from(advances)
    .where(
      and(
        eq(advances.companyId, companyId),
        sql`to_char(${advances.periodEnd}, 'YYMM') = ${month}`,
        notInArray(advances.state, ['expired', 'withdrawn', 'declined']),
      ),
    )
    .orderBy(desc(advances.quotedAt))
    .limit(1);
  return advance?.id ?? null;
}

/** After a restore, a company or an advance may be re-entered after its payment has been found. */
async function retryAttribution(db: Db): Promise<void> {
  const rows = await db
    .select()
    .from(unrecordedPayouts)
    .where(and(isNull(unrecordedPayouts.resolvedAt), isNull(unrecordedPayouts.payoutId), isNull(unrecordedPayouts.advanceId)));
  for (const row of rows) {
    const { companyId, advanceId } = await getAttribution(db, row);
    if (companyId === row.companyId && advanceId === null) continue;
    await db
      .update(unrecordedPayouts)
      .set({ companyId, advanceId })
      .where(and(eq(unrecordedPayouts.id, row.id), isNull(unrecordedPayouts.payoutId)));
  }
}

/** Records that the bank returned a payment. It is no longer missing, and a trader who owed it no longer does. */
export async function recordReturnedUnrecorded(deps: AppDeps, returnedIds: readonly string[]): Promise<void> {
  if (returnedIds.length === 0) return;
  const { db } = deps.database;
  const isOpen = or(isNull(unrecordedPayouts.resolution), eq(unrecordedPayouts.resolution, 'overpayment'));
  const isReturned = and(inArray(unrecordedPayouts.providerPayoutId, [...returnedIds]), isNull(unrecordedPayouts.payoutId), isOpen);
  for (const { companyId, id } of await db.select().from(unrecordedPayouts).where(isReturned)) {
    await db.transaction(async (tx) => {
      await lockCompany(tx, companyId);
      const isThis = and(eq(unrecordedPayouts.id, id), isReturned);
      const [row] = await tx.select().from(unrecordedPayouts).where(isThis).for('update');
      if (!row) return;
      const at = deps.clock.now();
      await tx.update(unrecordedPayouts).set({ resolution: 'returned', resolvedAt: at }).where(eq(unrecordedPayouts.id, id));
      const after = { provider_payout_id: row.providerPayoutId, amount_pence: row.amountPence };
      await recordAudit(tx, { companyId, at, actor: 'bank', action: 'payout.unrecorded_returned', subject: row.advanceId ?? id, after });
      if (row.resolution === null) return;
      await postToLedger(tx, {
        companyId,
        idempotencyKey: `unrecorded-payout-returned:${id}`,
        description: `Payment of ${formatPounds(row.amountPence)} that the trader owed us, returned by the bank`,
        postedAt: at,
        lines: postReturnedSurplus(row.amountPence),
      });
    });
  }
}

/** Neither resolved nor recognised as one of our payouts. */
export const IS_UNCLAIMED = and(isNull(unrecordedPayouts.payoutId), isNull(unrecordedPayouts.resolution));
