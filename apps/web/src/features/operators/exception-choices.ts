/** What an operator can do about a reconciliation exception, in words. */
import { formatPounds } from '@portal/domain/money.ts';
import type { ReconciliationException } from './exception-labels.ts';

export type PayoutChoice = ReconciliationException['resolutions'][number];
export type Choice = 'allocate' | 'return' | 'pay' | 'note' | PayoutChoice;

export const BUTTON_LABELS: Readonly<Record<Choice, string>> = {
  allocate: 'Request match',
  return: 'Request return record',
  pay: 'Request payment',
  confirmed: 'Request confirmation',
  advance: 'Request record',
  overpayment: 'Request record',
  other: 'Request record',
  discarded: 'Request discard',
  own_money: 'Request record',
  sent_back: 'Request record',
  payout_return: 'Request record',
  to_us: 'Request record',
  credit_return: 'Request record',
  to_trader: 'Request record',
  lost: 'Request record',
  note: 'Save note',
};

type LabelledChoice = { readonly value: Choice; readonly label: string; readonly hint: string };

const NOTE_CHOICE: LabelledChoice = { value: 'note', label: 'Not sure yet', hint: 'Add a note and leave the exception open.' };
const RETURN: LabelledChoice = {
  value: 'return',
  label: 'Returned to sender',
  hint: 'All or part of it. Return the money at the payments provider first. This only records the return.',
};

const PAYOUT_CHOICES: Readonly<Record<PayoutChoice, Omit<LabelledChoice, 'value'>>> = {
  confirmed: { label: 'Our record is correct', hint: 'This is the payment we recorded. Closes the exception.' },
  advance: {
    label: 'It was the payout for the refund in its reference',
    hint: 'The refund is then shown as paid, and nothing more is sent.',
  },
  overpayment: {
    label: 'It was an overpayment',
    hint: 'The refund had already been paid, or wasn’t due. The trader then owes us this amount.',
  },
  discarded: {
    label: 'Discard the order',
    hint: 'No payment is made. The advance is then shown as “payout failed” and can be returned for release.',
  },
  payout_return: {
    label: 'It’s a payout that came back',
    hint: 'The portal has since recorded a returned payout of this amount. Closes the exception.',
  },
  own_money: {
    label: 'It’s our own money',
    hint: 'For example funding for payouts. It isn’t posted to this ledger, so record it in your own books.',
  },
  sent_back: {
    label: 'Sent back to its sender',
    hint: 'Send the money back at the payments provider first. This only records that.',
  },
  to_us: {
    label: 'It went to an account of ours',
    hint: 'For example to use HMRC’s repayment. Nothing is posted. Payments to the account we pay from are recognised automatically.',
  },
  credit_return: {
    label: 'It was the return of a payment to its sender',
    hint: 'The return is already recorded, for this amount. Closes the exception.',
  },
  to_trader: {
    label: 'It paid the trader what we owed them',
    hint: 'Posted to the ledger, so that it isn’t paid again. If we owed less, the trader owes us the rest.',
  },
  lost: {
    label: 'It was taken and won’t come back',
    hint: 'Posted as a bad debt. The trader’s balance stays the same. If the money returns, this is reversed.',
  },
  other: {
    label: 'It wasn’t related to a trader',
    hint: 'Closes the exception. It isn’t posted to this ledger, so record it in your own books.',
  },
};

export function listChoices({ kind, amount_pence, in_flight_pence, resolutions }: ReconciliationException): LabelledChoice[] {
  const match = {
    value: 'allocate',
    label: 'Match or split',
    hint: 'Choose what this payment is for: advances, the trader, or both.',
  } as const;
  const pay = {
    value: 'pay',
    label: `Pay ${formatPounds(amount_pence)} to the trader`,
    hint: 'To the bank account on file, once someone else has approved it.',
  } as const;
  if (kind === 'credit') return [match, RETURN, NOTE_CHOICE];
  if (kind === 'unpostable') return [RETURN, NOTE_CHOICE];
  if (kind === 'direct_debit_payout') return [NOTE_CHOICE];
  if (kind === 'unrecorded_payout' || kind === 'refused_payout' || kind === 'account_credit' || kind === 'collection_payout')
    return [...resolutions.map((value) => ({ value, ...PAYOUT_CHOICES[value] })), NOTE_CHOICE];
  return kind === 'surplus' && amount_pence > 0 && in_flight_pence === 0 ? [pay, NOTE_CHOICE] : [];
}
