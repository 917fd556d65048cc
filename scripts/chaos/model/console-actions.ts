/** Payments that someone makes from the collection account in the bank's console, which the portal must find and two operators explain. */
import { pick } from '../random.ts';
import type { Action } from './action.ts';
import type { Sequence, SequenceView } from './sequence.ts';
import { requestAndApprove } from './trader-steps.ts';

const STRANGER = { name: 'Mallory Ltd', sortCode: '200001', accountNumber: '12345678' };

/** Lists the console's payments that the receiving bank hasn't returned. */
export const listConsolePayments = ({ testBed, consolePayments }: Sequence) =>
  testBed.portal.bank.listPayouts().filter(({ id, status }) => consolePayments.has(id) && status === 'executed');

export const CONSOLE_ACTIONS: readonly Action[] = [
  {
    name: 'a payment in the bank’s console',
    weight: 0.5,
    isPossible: ({ account, credits }) => account !== undefined && credits.length > 0,
    run: async (sequence, view) => payFromConsole(sequence, view),
  },
  {
    name: 'the receiving bank returns a console payment',
    weight: 0.5,
    isPossible: ({ consolePayouts }) => consolePayouts.length > 0,
    run: async (sequence) => {
      const payments = listConsolePayments(sequence);
      // The portal may not have read yet that the last one was returned.
      if (payments.length === 0) return 'all were returned';
      return sequence.testBed.portal.bank.returnPayout(pick(sequence.random, payments).id, 'account_closed');
    },
  },
];

function payFromConsole({ testBed, random, consolePayments }: Sequence, { account, credits }: SequenceView): string {
  const accounts = testBed.portal.bank.listCollectionAccounts();
  const fromAccountId = accounts.find(({ account_number }) => account_number === account?.account_number)?.id ?? '';
  const amountPence = 1 + Math.floor(random() * pick(random, credits).amount_pence);
  const id = testBed.portal.bank.payFromConsole({ fromAccountId, amountPence, to: STRANGER, reference: 'CONSULTING' });
  if (id !== undefined) consolePayments.add(id);
  return id === undefined ? 'the account doesn’t hold this much' : `${amountPence}`;
}

/** Two operators record that the money is lost. */
export function recordAsLost(sequence: Sequence, paymentId: string): Promise<number> {
  const request = { company_id: sequence.trader.companyId, subject_id: paymentId, as: 'lost', reason: 'The bank doesn’t get it back' };
  return requestAndApprove(sequence, sequence.testBed.operators, '/operator/matters/resolve-collection-payout', request);
}
