/** One line of a statement; unused columns are empty. */
import { pence, poundsText } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { StatementColumn } from '@portal/domain/practice/statements/statement-columns.ts';

export type StatementEntry = Readonly<Record<StatementColumn, string>>;

export type EntryFacts = {
  readonly reference: string;
  readonly client: string;
  readonly entry: 'charge' | 'payment' | 'return';
  readonly title: string;
  readonly period: { readonly start: PlainDate; readonly end: PlainDate };
  readonly dueOn?: PlainDate;
  readonly receivedOn?: PlainDate;
  readonly amountPence?: number;
  readonly outstandingPence?: number;
  readonly kind?: 'tax' | 'penalty';
  readonly pays?: 'monthly' | 'quarterly';
};

export function statementEntry(facts: EntryFacts): StatementEntry {
  const pounds = (amount: number | undefined) => (amount === undefined ? '' : poundsText(pence(amount)));
  return {
    reference: facts.reference,
    client: facts.client,
    entry: facts.entry,
    kind: facts.kind ?? '',
    title: facts.title,
    period_start: facts.period.start,
    period_end: facts.period.end,
    due_on: facts.dueOn ?? '',
    received_on: facts.receivedOn ?? '',
    amount: pounds(facts.amountPence),
    outstanding: pounds(facts.outstandingPence),
    pays: facts.pays ?? '',
  };
}
