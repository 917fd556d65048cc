/**
 * Money that came from neither HMRC nor the trader. It is returned to its sender, never paid on to the trader, which would launder it
 * (Proceeds of Crime Act 2002 s327 to s329).
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { advances, bankCredits, companies, creditAllocations } from '@portal/db/schema/schema.ts';
import { isHmrcRemitter } from '@portal/domain/advances/match-credit.ts';
import { isThirdParty } from '@portal/domain/advances/third-party.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds, sumPence, type Pence } from '@portal/domain/money.ts';
import { and, eq, isNull, sql } from '@portal/db/sql.ts';
import type { CreditRow } from '../advances/credit-facts.ts';

/** Lists the company's names in public registers. A name that the trader typed could be anyone's. */
export async function listTraderNames(db: Db | Tx, companyId: string): Promise<string[]> {
  const [company] = await db
    .select({ register: companies.register, hmrcName: companies.vrnRegisteredName })
    .from(companies)
    .where(eq(companies.id, companyId));
  const { register, hmrcName } = company ?? {};
  return [register?.name, ...(register?.previous_names ?? []), hmrcName].filter((name) => name !== undefined && name !== null);
}

export type ThirdPartyMoney = { readonly amount: Pence; readonly senders: readonly string[] };

/**
 * Finds money that a third party paid above the shortfall of an advance and that was allocated to the trader: part of the surplus, but not
 * to be paid out.
 */
export async function findThirdPartyMoney(db: Db | Tx, companyId: string): Promise<ThirdPartyMoney> {
  const names = await listTraderNames(db, companyId);
  const rows = (await listAllocatedCredits(db, companyId)).filter((row) => row.advanceId === null && isThirdParty(row.remitter, names));
  return { amount: sumPence(rows.map(({ amount }) => amount)), senders: [...new Set(rows.map(({ remitter }) => remitter))] };
}

function listAllocatedCredits(db: Db | Tx, companyId: string) {
  return db
    .select({
      advanceId: creditAllocations.advanceId,
      amount: creditAllocations.amountPence,
      remitter: bankCredits.remitter,
      // It was matched while HMRC was awaited, so it counted as HMRC's repayment. What is due from the trader, anyone may pay.
      isInHmrcsPlace: sql`coalesce(${advances.repaidAt} = ${bankCredits.receivedAt}, false)`.mapWith(Boolean),
    })
    .from(creditAllocations)
    .innerJoin(bankCredits, and(eq(bankCredits.companyId, creditAllocations.companyId), eq(bankCredits.id, creditAllocations.creditId)))
    .leftJoin(advances, and(eq(advances.companyId, creditAllocations.companyId), eq(advances.id, creditAllocations.advanceId)))
    .where(and(eq(creditAllocations.companyId, companyId), isNull(creditAllocations.reversedAt)));
}

/** Describes the money in a sentence for operators. */
export function describeThirdPartyMoney({ amount, senders }: ThirdPartyMoney): string {
  return `${formatPounds(amount)} of it came from ${senders.join(' and ')}, which is neither HMRC nor the trader. Reverse the match and return that payment to its sender.`;
}

/** Throws if the trader can't have a part of the credit. */
export async function assertMayBeTraders(tx: Tx, credit: CreditRow): Promise<void> {
  const { companyId, remitter } = credit;
  if (isThirdParty(remitter, await listTraderNames(tx, companyId))) {
    const message = `This payment came from ${remitter}, which is neither HMRC nor the trader, so it can’t be the trader’s. Return it to its sender.`;
    throw new AppError('conflict', 'reconciliation.third_party', message);
  }
  // The trader's own payment can't be HMRC's.
  const replacement = isHmrcRemitter(remitter) ? await findReplacedRepayment(tx, credit) : undefined;
  if (!replacement) return;
  throw new AppError(
    'conflict',
    'reconciliation.repaid_by_third_party',
    `${replacement.remitter} paid ${formatPounds(replacement.amount)} instead of HMRC. Reverse that match and return the payment, then match this one to the advance.`,
  );
}

/**
 * Finds a third party's payment that repaid a refund in HMRC's place. Any credit of HMRC may be its repayment, also a smaller one, because
 * HMRC can set a debt off. Giving a part of it to the trader would then give them HMRC's money in exchange for the third party's.
 */
export async function findReplacedRepayment(
  tx: Tx,
  { companyId }: CreditRow,
): Promise<{ readonly amount: Pence; readonly remitter: string } | undefined> {
  const names = await listTraderNames(tx, companyId);
  return (await listAllocatedCredits(tx, companyId)).find((row) => row.isInHmrcsPlace && isThirdParty(row.remitter, names));
}
