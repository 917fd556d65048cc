/** What must hold at the end of a sequence, whatever happened in it. */
import { ledgerLines, ledgerPostings } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from 'drizzle-orm';
import { listArrived, readSequence, type Sequence } from './sequence.ts';

/** Returns one sentence for each violated rule. */
export async function verifySequence(sequence: Sequence, ended: string | undefined): Promise<string[]> {
  const { testBed, trader } = sequence;
  const { advance, payoutsAtBank, orders, credits, account } = await readSequence(sequence);
  const balances = await readBalances(sequence);
  const advanceOrders = new Set(orders.filter(({ advanceId }) => advanceId !== null).map(({ id }) => id));
  const executed = payoutsAtBank.filter(({ status }) => status === 'executed');
  const ofAdvance = payoutsAtBank.filter(({ idempotency_key, status }) => advanceOrders.has(idempotency_key) && status !== 'failed');
  const arrived = account ? listArrived(sequence, account) : [];
  const inPounds = arrived.filter(({ currency, amount_pence }) => (currency ?? 'GBP') === 'GBP' && amount_pence > 0);
  const accepted = testBed.portal.hmrc
    .listReturns(trader.vrn)
    .filter(({ periodKey }) => periodKey === trader.obligation.periodKey)
    .reduce((sum, { timesAccepted }) => sum + timesAccepted, 0);
  const expectedCash = sumOf(inPounds) - sumOf(executed);
  const rules: [boolean, string][] = [
    [ended !== undefined, `it did not end; its advance is ${advance?.state ?? 'missing'}`],
    [accepted === 1, `HMRC has ${accepted} returns of the period`],
    [ofAdvance.length <= 1, `the bank paid the advance ${ofAdvance.length} times`],
    [ofAdvance.every(({ amount_pence }) => amount_pence === advance?.netPence), 'the bank paid another amount than the quote’s'],
    [arrived.length === credits.length, 'a credit at the bank is not stored once'],
    [(balances['cash'] ?? 0) === expectedCash, `the ledger has ${balances['cash'] ?? 0} in cash, the bank ${expectedCash}`],
    [Object.values(balances).reduce((sum, amount) => sum + amount, 0) === 0, 'the ledger does not balance'],
    ...(['refunds_receivable', 'due_from_trader', 'owed_to_trader'] as const).map((name): [boolean, string] => {
      return [(balances[name] ?? 0) === 0, `${balances[name]} are left in ${name}`];
    }),
    // All that came in goes to the trader, except our fee.
    [expectedCash === -(balances['fee_income'] ?? 0) - (balances['bad_debts'] ?? 0), 'what is left at the bank is not our fee'],
  ];
  return rules.filter(([isMet]) => !isMet).map(([, sentence]) => sentence);
}

const sumOf = (items: readonly { readonly amount_pence: number }[]): number =>
  items.reduce((sum, { amount_pence }) => sum + amount_pence, 0);

async function readBalances({ testBed, trader }: Sequence): Promise<Record<string, number>> {
  const rows = await testBed.portal.deps.database.db
    .select({ account: ledgerLines.account, balance: sql`sum(${ledgerLines.amountPence})`.mapWith(Number) })
    .from(ledgerLines)
    .innerJoin(ledgerPostings, and(eq(ledgerPostings.companyId, ledgerLines.companyId), eq(ledgerPostings.id, ledgerLines.postingId)))
    .where(eq(ledgerLines.companyId, trader.companyId))
    .groupBy(ledgerLines.account);
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
}
