/**
 * Stores payments from a collection account. The portal makes none, so each needs an explanation: by the rules, if it went to the account
 * from which we pay or made a recorded return, otherwise by two people.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { bankCredits, collectionAccounts, collectionPayouts, creditReturns } from '@portal/db/schema/schema.ts';
import { isSameAccountName } from '@portal/domain/advances/collection-payout-kinds.ts';
import { postCredit, postRecoveredMoney, postReturnedCredit, postReturnedSurplus, type LedgerLine } from '@portal/domain/ledger/ledger.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import type { SentPayout, UkAccount } from '@portal/providers/truelayer/truelayer-port.ts';
import { and, asc, eq, inArray, isNull, notExists, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { lockCompany } from './transition-advance.ts';
import { UNALLOCATED_PENCE } from './unallocated-sql.ts';

export type CollectionPayoutRow = typeof collectionPayouts.$inferSelect;

export async function storeCollectionPayouts(deps: AppDeps, accountId: string, payoutsAtBank: readonly SentPayout[]): Promise<void> {
  const newPayouts = await listUnexplained(deps, payoutsAtBank);
  if (newPayouts.length === 0) return;
  const { db } = deps.database;
  const [account] = await db.select().from(collectionAccounts).where(eq(collectionAccounts.providerAccountId, accountId));
  if (!account) return;
  const payingAccount = await deps.payments.readPayingAccount();
  for (const payout of newPayouts) {
    await db.transaction(async (tx) => {
      await lockCompany(tx, account.companyId);
      const row = await storeOnce(deps, tx, account.companyId, payout);
      if (payout.returnedByTransactionId !== undefined) await recordReturn(deps, tx, row, payout.returnedByTransactionId);
      else if (row.resolution === null) await explain(deps, tx, row, payingAccount);
    });
  }
}

/** Leaves out those that are explained and, if the receiving bank returned one, marked as returned. */
async function listUnexplained(deps: AppDeps, payoutsAtBank: readonly SentPayout[]): Promise<SentPayout[]> {
  // A pending one may still fail; the next read shows its outcome.
  const executedPayouts = payoutsAtBank.filter(({ status }) => status === 'executed');
  if (executedPayouts.length === 0) return [];
  const ids = executedPayouts.map(({ payoutId }) => payoutId);
  const rows = await deps.database.db
    .select({ id: collectionPayouts.providerPayoutId, resolution: collectionPayouts.resolution })
    .from(collectionPayouts)
    .where(inArray(collectionPayouts.providerPayoutId, ids));
  const resolutions = new Map(rows.map(({ id, resolution }) => [id, resolution]));
  return executedPayouts.filter(({ payoutId, returnedByTransactionId }) => {
    const resolution = resolutions.get(payoutId) ?? null;
    return resolution === null || (returnedByTransactionId !== undefined && resolution !== 'returned');
  });
}

/** The caller holds the company's lock. */
async function storeOnce(deps: AppDeps, tx: Tx, companyId: string, payout: SentPayout): Promise<CollectionPayoutRow> {
  const [storedRow] = await tx
    .select()
    .from(collectionPayouts)
    .where(eq(collectionPayouts.providerPayoutId, payout.payoutId))
    .for('update');
  if (storedRow) return storedRow;
  const at = deps.clock.now();
  const row: CollectionPayoutRow = {
    companyId,
    id: randomUUID(),
    providerPayoutId: payout.payoutId,
    amountPence: payout.amountPence,
    reference: payout.reference,
    accountHolder: payout.beneficiaryName,
    sortCode: payout.beneficiary?.sortCode ?? '',
    accountNumber: payout.beneficiary?.accountNumber ?? '',
    sentAt: payout.executedAt ?? payout.createdAt,
    foundAt: at,
    resolution: null,
    resolvedAt: null,
    creditReturnId: null,
    accountCreditId: null,
  };
  await tx.insert(collectionPayouts).values(row);
  const after = { provider_payout_id: row.providerPayoutId, amount_pence: row.amountPence, reference: row.reference };
  await recordAudit(tx, { companyId, at, actor: 'bank', action: 'collection_payout.found', subject: row.id, after });
  return row;
}

async function explain(deps: AppDeps, tx: Tx, row: CollectionPayoutRow, payingAccount: UkAccount): Promise<void> {
  const isToUs = row.sortCode === payingAccount.sortCode && row.accountNumber === payingAccount.accountNumber;
  if (isToUs) return recordExplanation(deps, tx, row, { resolution: 'to_us' });
  const returnedCredit = (await listUnexplainedReturns(tx, row)).find(({ remitter }) => isSameAccountName(remitter, row.accountHolder));
  if (returnedCredit) return recordExplanation(deps, tx, row, { resolution: 'credit_return', creditReturnId: returnedCredit.id });
  deps.logger.warn({ provider_payout_id: row.providerPayoutId }, 'bank: a payment from a collection account has no explanation');
}

/** Lists the company's recorded returns of this amount that no payment has been linked to, oldest first. */
export async function listUnexplainedReturns(tx: Tx, row: CollectionPayoutRow): Promise<{ id: string; remitter: string }[]> {
  const linkedPayouts = tx
    .select({ one: sql`1` })
    .from(collectionPayouts)
    .where(eq(collectionPayouts.creditReturnId, creditReturns.id));
  return tx
    .select({ id: creditReturns.id, remitter: bankCredits.remitter })
    .from(creditReturns)
    .innerJoin(bankCredits, and(eq(bankCredits.companyId, creditReturns.companyId), eq(bankCredits.id, creditReturns.creditId)))
    .where(and(eq(creditReturns.companyId, row.companyId), eq(creditReturns.amountPence, row.amountPence), notExists(linkedPayouts)))
    .orderBy(asc(creditReturns.at));
}

type Explanation = Pick<CollectionPayoutRow, 'resolution'> & Partial<Pick<CollectionPayoutRow, 'creditReturnId'>>;

async function recordExplanation(deps: AppDeps, tx: Tx, row: CollectionPayoutRow, explanation: Explanation): Promise<void> {
  const { companyId, id, amountPence } = row;
  const at = deps.clock.now();
  await tx
    .update(collectionPayouts)
    .set({ ...explanation, resolvedAt: at })
    .where(isThisCollectionPayout(row));
  const after = { as: explanation.resolution, amount_pence: amountPence, provider_payout_id: row.providerPayoutId };
  await recordAudit(tx, { companyId, at, actor: 'rules', action: 'collection_payout.resolved', subject: id, after });
}

/**
 * The money is back on the collection account, so what it was posted as is reversed. The recorded return that it made stays linked to it, so
 * that no other payment is taken for that return.
 */
async function recordReturn(deps: AppDeps, tx: Tx, row: CollectionPayoutRow, returnedBy: string): Promise<void> {
  const { companyId, id, amountPence } = row;
  if (row.resolution === 'returned') return;
  const credit = await findReturningCredit(tx, row, returnedBy);
  // It has been used or sent back as money of its own, so reversing the payment too would count it twice. Undoing that decision changes this.
  if (credit && credit.unallocated !== amountPence) return;
  const at = deps.clock.now();
  await tx
    .update(collectionPayouts)
    .set({ resolution: 'returned', resolvedAt: at, accountCreditId: null })
    .where(isThisCollectionPayout(row));
  const after = { was: row.resolution, amount_pence: amountPence, provider_payout_id: row.providerPayoutId };
  await recordAudit(tx, { companyId, at, actor: 'bank', action: 'collection_payout.returned', subject: id, after });
  if (credit) await closeReturningCredit(tx, row, credit.id, at);
  if (row.resolution === 'credit_return') await undoCreditReturn(tx, row, at);
  const lines = reversePosting(row);
  if (lines.length === 0) return;
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `collection-payout-returned:${id}`,
    description: `Payment of ${formatPounds(amountPence)} from the collection account, returned by the bank`,
    postedAt: at,
    lines,
  });
}

/** The provider may name the payment that a credit returns only after the credit was received as someone's money. */
async function findReturningCredit(tx: Tx, { companyId }: CollectionPayoutRow, returnedBy: string) {
  const [credit] = await tx
    .select({ id: bankCredits.id, unallocated: UNALLOCATED_PENCE })
    .from(bankCredits)
    .where(and(eq(bankCredits.companyId, companyId), eq(bankCredits.providerTransactionId, returnedBy)));
  return credit;
}

/** It is no longer held for the trader, because the payment's reversal counts the same money. */
async function closeReturningCredit(
  tx: Tx,
  { companyId, id, amountPence }: CollectionPayoutRow,
  creditId: string,
  at: Instant,
): Promise<void> {
  await tx
    .update(bankCredits)
    .set({ returnedAt: at, returnReference: id })
    .where(and(eq(bankCredits.companyId, companyId), eq(bankCredits.id, creditId)));
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `credit-returned:${creditId}:${id}`,
    description: `The credit of ${formatPounds(amountPence)} returned a payment from the collection account`,
    postedAt: at,
    lines: postReturnedCredit(amountPence),
  });
}

function reversePosting({ resolution, amountPence }: CollectionPayoutRow): LedgerLine[] {
  switch (resolution) {
    case 'lost':
      return postRecoveredMoney(amountPence);
    case 'to_trader':
      return postReturnedSurplus(amountPence);
    case 'credit_return':
      return postCredit(amountPence);
    default:
      return [];
  }
}

/** The sender doesn't have the money, so it needs a decision again. */
async function undoCreditReturn(tx: Tx, { companyId, id, creditReturnId, amountPence }: CollectionPayoutRow, at: Instant): Promise<void> {
  const [undone] = await tx
    .select()
    .from(creditReturns)
    .where(and(eq(creditReturns.companyId, companyId), eq(creditReturns.id, creditReturnId ?? '')));
  if (!undone) throw new Error(`the payment ${id} made a return that isn’t recorded`);
  const { creditId, reference } = undone;
  await tx.insert(creditReturns).values({ companyId, id, creditId, amountPence: pence(-amountPence), reference, at });
  await tx
    .update(bankCredits)
    .set({ returnedAt: null, returnReference: null })
    .where(and(eq(bankCredits.companyId, companyId), eq(bankCredits.id, creditId)));
}

export const isThisCollectionPayout = ({ companyId, id }: Pick<CollectionPayoutRow, 'companyId' | 'id'>) =>
  and(eq(collectionPayouts.companyId, companyId), eq(collectionPayouts.id, id));

export const IS_UNEXPLAINED = isNull(collectionPayouts.resolution);
