/** The rules that apply at any moment, once the providers' responses have arrived: every penny has a label, an owner and a next action. */
import { isOpenShortfall } from '@portal/domain/shortfalls/shortfall-status.ts';
import { readBalances } from './read-balances.ts';
import { readSequence, type Sequence, type ViewedAdvance } from './sequence.ts';
import { listExceptions } from './trader-steps.ts';

type ListedCase = { readonly shortfall_id: string; readonly owner: string | null; readonly next_action: object | null };

/** Returns one sentence for each violated rule. */
export async function verifyOwners(sequence: Sequence): Promise<string[]> {
  const [operator] = sequence.testBed.operators;
  if (!operator) throw new Error('there is no operator');
  const { advances, cases, consolePayouts } = await readSequence(sequence);
  const balances = await readBalances(sequence);
  const sumOutstanding = (...states: ViewedAdvance['state'][]): number =>
    advances.filter(({ state }) => states.includes(state)).reduce((sum, { outstanding_pence }) => sum + outstanding_pence, 0);
  const { body } = await operator.get('/operator/shortfalls');
  const listedCases = body['shortfalls'] as ListedCase[];
  const openCases = cases.filter(({ status }) => isOpenShortfall(status));
  const unownedCases = openCases.filter(({ id }) => {
    const foundCase = listedCases.find(({ shortfall_id }) => shortfall_id === id);
    return !foundCase || foundCase.owner === null || foundCase.next_action === null;
  });
  const exceptions = await listExceptions(sequence, operator);
  const owedTotal = exceptions
    .filter(({ kind }) => kind === 'credit' || kind === 'surplus')
    .reduce((sum, { amount_pence, in_flight_pence }) => sum + amount_pence + in_flight_pence, 0);
  const dueTotal = sumOutstanding('shortfall', 'collecting');
  const receivable = sumOutstanding('paid', 'awaiting_hmrc', 'repaid');
  const writtenOff = advances.reduce((sum, { written_off_pence }) => sum + written_off_pence, 0);
  const lost = consolePayouts.filter(({ resolution }) => resolution === 'lost').reduce((sum, { amount_pence }) => sum + amount_pence, 0);
  const rules: [boolean, string][] = [
    [
      (balances['bad_debts'] ?? 0) === writtenOff + lost,
      `the ledger has ${balances['bad_debts'] ?? 0} in bad debts, the write-offs are ${writtenOff}, and ${lost} are lost`,
    ],
    [unownedCases.length === 0, 'an open case has no owner or no next action'],
    [dueTotal === 0 || openCases.length > 0, `${dueTotal} are due from the trader without a case`],
    [
      (balances['due_from_trader'] ?? 0) === dueTotal,
      `the ledger has ${balances['due_from_trader'] ?? 0} due from the trader, the cases ${dueTotal}`,
    ],
    [
      (balances['refunds_receivable'] ?? 0) === receivable,
      `the ledger has ${balances['refunds_receivable'] ?? 0} receivable from HMRC, the advances ${receivable}`,
    ],
    [
      (balances['owed_to_trader'] ?? 0) === -owedTotal,
      `the ledger owes the trader ${-(balances['owed_to_trader'] ?? 0)}, the operators see ${owedTotal}`,
    ],
  ];
  return rules.filter(([isMet]) => !isMet).map(([, sentence]) => `before the end, ${sentence}`);
}
