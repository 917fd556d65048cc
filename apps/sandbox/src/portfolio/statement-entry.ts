/** One line of a statement; unused columns are empty. */
import { pence, toPoundsText } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { StatementColumn } from '@portal/domain/tax-statements/statement-columns.ts';

export type StatementEntry = Readonly<Record<StatementColumn, string>>;

export type StatementEntryFields = {
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

export function createStatementEntry(fields: StatementEntryFields): StatementEntry {
  const formatOptionalPounds = (amount: number | undefined) => (amount === undefined ? '' : toPoundsText(pence(amount)));
  return {
    reference: fields.reference,
    client: fields.client,
    entry: fields.entry,
    kind: fields.kind ?? '',
    title: fields.title,
    period_start: fields.period.start,
    period_end: fields.period.end,
    due_on: fields.dueOn ?? '',
    received_on: fields.receivedOn ?? '',
    amount: formatOptionalPounds(fields.amountPence),
    outstanding: formatOptionalPounds(fields.outstandingPence),
    pays: fields.pays ?? '',
  };
}
