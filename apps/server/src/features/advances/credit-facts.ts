/** Reads credits and their allocations for decisions. Callers hold the company's lock. */
import type { Db, Tx } from '@portal/db/database.ts';
import { advances, bankCredits, companies, creditAllocations, creditReturns, shortfalls } from '@portal/db/schema/schema.ts';
import { UNPAID_STATES, type AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { getCollectionReference } from '@portal/domain/advances/collection-reference.ts';
import { matchCredit, type MatchCandidate } from '@portal/domain/advances/match-credit.ts';
import { getOutstandingRefund, isMatchable, MATCHABLE_STATES } from '@portal/domain/advances/settle-credit.ts';
import { pence, sumPence, type Pence } from '@portal/domain/money.ts';
import { and, asc, eq, gte, inArray, isNull, sql } from '@portal/db/sql.ts';
import { selectReceivedPence } from './receipts-sql.ts';
import type { AdvanceRow } from './transition-advance.ts';
import { listWrittenOffRefunds } from './written-off.ts';

export type CreditRow = typeof bankCredits.$inferSelect;
export type AllocationRow = typeof creditAllocations.$inferSelect;

export async function lockCredit(tx: Tx, companyId: string, creditId: string): Promise<CreditRow | undefined> {
  const [credit] = await tx
    .select()
    .from(bankCredits)
    .where(and(eq(bankCredits.companyId, companyId), eq(bankCredits.id, creditId)))
    .for('update');
  return credit;
}

/** Lists the credit's current allocations, excluding reversed ones. */
export function listActiveAllocations(tx: Db | Tx, companyId: string, creditId: string): Promise<AllocationRow[]> {
  return tx
    .select()
    .from(creditAllocations)
    .where(and(eq(creditAllocations.companyId, companyId), eq(creditAllocations.creditId, creditId), isNull(creditAllocations.reversedAt)))
    .orderBy(asc(creditAllocations.at));
}

/** Sums the part of a credit that was returned to its sender. */
export async function sumReturnedAmounts(tx: Db | Tx, { companyId, id }: Pick<CreditRow, 'companyId' | 'id'>): Promise<Pence> {
  const rows = await tx
    .select({ amount: creditReturns.amountPence })
    .from(creditReturns)
    .where(and(eq(creditReturns.companyId, companyId), eq(creditReturns.creditId, id)));
  return sumPence(rows.map(({ amount }) => amount));
}

/** Sums the money that has repaid an advance so far. */
export async function sumReceivedAmounts(tx: Db | Tx, companyId: string, advanceId: string): Promise<Pence> {
  const { rows } = await tx.execute<{ sum: string }>(
    sql`select ${selectReceivedPence(sql`${companyId}::uuid`, sql`${advanceId}::uuid`)}::text as sum`,
  );
  return pence(Number(rows[0]?.sum ?? 0));
}

/** Computes `sumReceivedAmounts` for each row of a query on advances. */
export const RECEIVED_PENCE = selectReceivedPence(advances.companyId, advances.id);

/** Lists the company's advances that are waiting for money, with the payment reference of each. */
export async function listMatchCandidates(tx: Db | Tx, companyId: string): Promise<MatchCandidate[]> {
  const rows = await tx
    .select({ advance: advances, vrn: companies.vrn, shortfallReference: shortfalls.reference })
    .from(advances)
    .innerJoin(companies, eq(companies.id, advances.companyId))
    .leftJoin(shortfalls, and(eq(shortfalls.companyId, advances.companyId), eq(shortfalls.advanceId, advances.id)))
    .where(and(eq(advances.companyId, companyId), inArray(advances.state, [...MATCHABLE_STATES])))
    .orderBy(asc(advances.paidAt));
  const candidates = await Promise.all(
    rows.map(async ({ advance, vrn, shortfallReference }) => {
      if (!isMatchable(advance.state)) return [];
      const receivedAmount = await sumReceivedAmounts(tx, companyId, advance.id);
      const outstanding = getOutstandingRefund({ refund: advance.refundPence, received: receivedAmount });
      const reference = getCollectionReference(vrn ?? '', advance.periodEnd);
      return [{ id: advance.id, state: advance.state, outstanding, reference, shortfallReference: shortfallReference ?? undefined }];
    }),
  );
  return candidates.flat();
}

const hasAllocation = sql`exists (select 1 from ${creditAllocations} where ${creditAllocations.companyId} = ${bankCredits.companyId} and ${creditAllocations.creditId} = ${bankCredits.id} and ${creditAllocations.reversedAt} is null)`;
const hasReturn = sql`exists (select 1 from ${creditReturns} where ${creditReturns.companyId} = ${bankCredits.companyId} and ${creditReturns.creditId} = ${bankCredits.id})`;

/** Lists sterling credits that haven't been allocated or returned, even in part, oldest first. */
export async function listHeldCredits(tx: Db | Tx, companyId: string): Promise<CreditRow[]> {
  return tx
    .select()
    .from(bankCredits)
    .where(
      and(
        eq(bankCredits.companyId, companyId),
        eq(bankCredits.currency, 'GBP'),
        gte(bankCredits.amountPence, pence(1)),
        isNull(bankCredits.returnedAt),
        sql`not ${hasAllocation}`,
        sql`not ${hasReturn}`,
      ),
    )
    .orderBy(asc(bankCredits.receivedAt));
}

/**
 * Lists held credits that arrived while the payout was waiting and would repay the whole refund. The payout check and the matching must use
 * the same rule, which also considers the other refunds that wait for money, and those whose payout is being sent: until it is made, their
 * money can't be matched. Otherwise we could pay out with nothing left to repay the advance.
 */
export async function listEarlyCredits(tx: Db | Tx, advance: AdvanceRow): Promise<CreditRow[]> {
  const since = advance.acceptedAt ?? advance.quotedAt;
  const [company] = await tx.select({ vrn: companies.vrn }).from(companies).where(eq(companies.id, advance.companyId));
  const toCandidate = (unpaid: AdvanceRow) => toUnpaidCandidate(unpaid, company?.vrn ?? '');
  const heldCredits = await listHeldCredits(tx, advance.companyId);
  const payingAdvances = await listAdvancesIn(tx, advance.companyId, ['paying']);
  const others = [...(await listMatchCandidates(tx, advance.companyId)), ...payingAdvances.map(toCandidate)].filter(
    ({ id }) => id !== advance.id,
  );
  const writtenOff = await listWrittenOffRefunds(tx, advance.companyId);
  return heldCredits.filter((credit) => {
    if (credit.amountPence < advance.refundPence || credit.receivedAt < since) return false;
    const match = matchCredit({ ...credit, amount: credit.amountPence }, [toCandidate(advance), ...others], [], writtenOff);
    return 'advanceId' in match && match.advanceId === advance.id;
  });
}

/** Lists accepted refunds that we haven't paid for yet. HMRC's payment may be for one of them: it is then kept until the payout. */
export async function listUnpaidCandidates(tx: Db | Tx, companyId: string): Promise<MatchCandidate[]> {
  const [company] = await tx.select({ vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId));
  const unpaidAdvances = await listAdvancesIn(tx, companyId, UNPAID_STATES);
  return unpaidAdvances.map((advance) => toUnpaidCandidate(advance, company?.vrn ?? ''));
}

async function listAdvancesIn(tx: Db | Tx, companyId: string, states: readonly AdvanceState[]): Promise<AdvanceRow[]> {
  const rows = await tx
    .select()
    .from(advances)
    .where(and(eq(advances.companyId, companyId), inArray(advances.state, [...states])));
  return rows as AdvanceRow[];
}

function toUnpaidCandidate({ id, refundPence, periodEnd }: AdvanceRow, vrn: string): MatchCandidate {
  return { id, state: 'awaiting_hmrc', outstanding: refundPence, reference: getCollectionReference(vrn, periodEnd) };
}
