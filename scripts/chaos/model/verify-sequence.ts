/** What must hold at the end of a sequence, whatever happened in it. */
import { ledgerLines, ledgerPostings } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from 'drizzle-orm';
import { readSequence, type Sequence } from './sequence.ts';

/** Returns one sentence for each violated rule. */
export async function verifySequence(sequence: Sequence, ended: string | undefined): Promise<string[]> {
  const { testBed, trader } = sequence;
  const { advance, payoutsAtBank, credits, account } = await readSequence(sequence);
  const balances = await readBalances(sequence);
  const executed = payoutsAtBank.filter(({ status }) => status === 'executed');
  const alive = payoutsAtBank.filter(({ status }) => status !== 'failed');
  const arrived = testBed.portal.bank
    .listCredits()
    .filter(({ sort_code, account_number }) => sort_code === account?.sortCode && account_number === account.accountNumber);
  const accepted = testBed.portal.hmrc
    .listReturns(trader.vrn)
    .filter(({ periodKey }) => periodKey === trader.obligation.periodKey)
    .reduce((sum, { timesAccepted }) => sum + timesAccepted, 0);
  const sumOf = (items: readonly { readonly amount_pence: number }[]) => items.reduce((sum, { amount_pence }) => sum + amount_pence, 0);
  const expectedCash = sumOf(arrived) - sumOf(executed);
  const isPaid = ['settled', 'written_off'].includes(advance?.state ?? '');
  const held = credits.filter(({ advanceId, returnedAt }) => advanceId === null && returnedAt === null);
  const rules: [boolean, string][] = [
    [ended !== undefined, `it did not end; its advance is ${advance?.state ?? 'missing'}`],
    [accepted === 1, `HMRC has ${accepted} returns of the period`],
    [alive.length <= 1, `the bank made ${alive.length} payouts`],
    [!isPaid || executed.length === 1 || isReturnedAfterwards(balances, advance?.netPence), `paid out ${executed.length} times`],
    [executed.every(({ amount_pence }) => amount_pence === advance?.netPence), 'the bank paid another amount than the quote’s'],
    [sumOf(arrived) === credits.reduce((sum, { amountPence }) => sum + amountPence, 0), 'a credit at the bank is not stored once'],
    [(balances['cash'] ?? 0) === expectedCash, `the ledger has ${balances['cash'] ?? 0} in cash, the bank ${expectedCash}`],
    [Object.values(balances).reduce((sum, amount) => sum + amount, 0) === 0, 'the ledger does not balance'],
    [(balances['refunds_receivable'] ?? 0) === 0, `${balances['refunds_receivable']} still count as receivable from HMRC`],
    [advance?.state !== 'settled' || (balances['due_from_trader'] ?? 0) === 0, `${balances['due_from_trader']} are due from the trader`],
    [(balances['owed_to_trader'] ?? 0) <= 0, 'the trader owes on the account of what we owe'],
    [
      -(balances['owed_to_trader'] ?? 0) >= held.reduce((sum, { amountPence }) => sum + amountPence, 0),
      'an unmatched credit is owed to no one',
    ],
  ];
  return rules.filter(([isMet]) => !isMet).map(([, sentence]) => sentence);
}

/** A payout that comes back after HMRC repaid is owed to the trader. */
function isReturnedAfterwards(balances: Readonly<Record<string, number>>, netPence: number | undefined): boolean {
  return netPence !== undefined && -(balances['owed_to_trader'] ?? 0) >= netPence;
}

async function readBalances({ testBed, trader }: Sequence): Promise<Record<string, number>> {
  const rows = await testBed.portal.deps.database.db
    .select({ account: ledgerLines.account, balance: sql`sum(${ledgerLines.amountPence})`.mapWith(Number) })
    .from(ledgerLines)
    .innerJoin(ledgerPostings, and(eq(ledgerPostings.companyId, ledgerLines.companyId), eq(ledgerPostings.id, ledgerLines.postingId)))
    .where(eq(ledgerLines.companyId, trader.companyId))
    .groupBy(ledgerLines.account);
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
}
