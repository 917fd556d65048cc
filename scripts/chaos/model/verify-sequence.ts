/** The rules that apply at the end of every sequence. */
import { payoutNettings } from '@portal/db/schema/schema.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { verifyAudit } from '../../../apps/server/src/features/audit/verify-audit.ts';
import { listConsolePayments } from './console-actions.ts';
import { readBalances } from './read-balances.ts';
import { listArrivedCredits, readSequence, type Sequence } from './sequence.ts';

/** Returns one sentence for each violated rule. */
export async function verifySequence(sequence: Sequence, lastState: string | undefined): Promise<string[]> {
  const { testBed, trader } = sequence;
  const { advance, advances, payoutsAtBank, orders, credits, account } = await readSequence(sequence);
  const balances = await readBalances(sequence);
  const orderIds = new Set(orders.map(({ id }) => id));
  const unorderedPayouts = testBed.portal.bank
    .listPayouts()
    .filter(({ id, idempotency_key }) => !orderIds.has(idempotency_key) && !sequence.consolePayments.has(id));
  const executedPayouts = payoutsAtBank.filter(({ status }) => status === 'executed');
  const collectedPayments = testBed.portal.directDebits.listPayments().filter(({ status }) => status === 'paid_out');
  const arrivedCredits = account ? listArrivedCredits(sequence, account) : [];
  const poundCredits = arrivedCredits.filter(({ currency, amount_pence }) => (currency ?? 'GBP') === 'GBP' && amount_pence > 0);
  const acceptedCount = testBed.portal.hmrc
    .listReturns(trader.vrn)
    .filter(({ periodKey }) => periodKey === trader.obligation.periodKey)
    .reduce((sum, { timesAccepted }) => sum + timesAccepted, 0);
  const returnedCredits = credits.filter(({ returned_at }) => returned_at !== null);
  const expectedCash =
    sumAmounts(poundCredits) -
    sumAmounts(returnedCredits) +
    collectedPayments.reduce((sum, { amount }) => sum + amount, 0) -
    sumAmounts(executedPayouts) -
    sumAmounts(listConsolePayments(sequence));
  const nettedAmounts = await readNettedAmounts(sequence);
  const { problems } = await verifyAudit(testBed.portal.deps.database.db);
  // Money that was collected is either held by GoCardless, or in our bank less its fees.
  const heldTotal = ['cash', 'bank', 'direct_debits', 'direct_debit_fees'].reduce((sum, account) => sum + (balances[account] ?? 0), 0);
  const rules: [boolean, string][] = [
    [lastState !== undefined, `it did not end; its advance is ${advance?.state ?? 'missing'}`],
    [unorderedPayouts.length === 0, `the bank has ${unorderedPayouts.length} payouts under keys that our orders don’t have`],
    [problems.length === 0, `the audit trail isn’t whole: ${problems.map(({ problem }) => problem).join(', ')}`],
    [acceptedCount === 1, `HMRC has ${acceptedCount} returns of the period`],
    ...advances.map(({ id, net_pence }): [boolean, string] => {
      const orderedKeys = new Set(orders.filter(({ advance_id }) => advance_id === id).map((order) => order.id));
      const paidPayouts = payoutsAtBank.filter(({ idempotency_key, status }) => orderedKeys.has(idempotency_key) && status !== 'failed');
      const expectedAmount = net_pence - (nettedAmounts.get(paidPayouts[0]?.idempotency_key ?? '') ?? 0);
      const isRight = paidPayouts.length <= 1 && paidPayouts.every(({ amount_pence }) => amount_pence === expectedAmount);
      return [
        isRight,
        `the bank paid an advance of ${expectedAmount} with ${paidPayouts.map(({ amount_pence }) => amount_pence).join(' and ')}`,
      ];
    }),
    [arrivedCredits.length === credits.length, 'a credit at the bank is not stored once'],
    [heldTotal === expectedCash, `the ledger has ${heldTotal} in cash and from Direct Debits, the banks ${expectedCash}`],
    [Object.values(balances).reduce((sum, amount) => sum + amount, 0) === 0, 'the ledger does not balance'],
    ...(['refunds_receivable', 'due_from_trader', 'owed_to_trader'] as const).map((name): [boolean, string] => {
      return [(balances[name] ?? 0) === 0, `${balances[name]} are left in ${name}`];
    }),
    // All money received goes to the trader, apart from our fee.
    [expectedCash === -(balances['fee_income'] ?? 0) - (balances['bad_debts'] ?? 0), 'what is left at the bank is not our fee'],
  ];
  return rules.filter(([isMet]) => !isMet).map(([, sentence]) => sentence);
}

const sumAmounts = (items: readonly { readonly amount_pence: number }[]): number =>
  items.reduce((sum, { amount_pence }) => sum + amount_pence, 0);

/** Returns each payout's deductions for earlier differences. */
async function readNettedAmounts({ testBed, trader }: Sequence): Promise<Map<string, number>> {
  const rows = await testBed.portal.deps.database.db
    .select({ payoutId: payoutNettings.payoutId, sum: sql`sum(${payoutNettings.amountPence})`.mapWith(Number) })
    .from(payoutNettings)
    .where(eq(payoutNettings.companyId, trader.companyId))
    .groupBy(payoutNettings.payoutId);
  return new Map(rows.map(({ payoutId, sum }) => [payoutId, sum]));
}
