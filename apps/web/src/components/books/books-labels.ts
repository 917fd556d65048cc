/** Names of the things a books file contains, each with its meaning and an example. */
import type { BooksTarget, KindMeaning } from '@portal/domain/books/books-targets.ts';
import { TREATMENTS } from '@portal/domain/books/books-row.ts';
import { TREATMENT_NAMES } from '../books/treatment-names.ts';

const TARGET_LABELS: Readonly<Record<BooksTarget, string>> = {
  date: 'Date',
  kind: 'Sale or purchase',
  reference: 'Invoice number',
  counterparty: 'Customer or supplier',
  description: 'Description',
  net: 'Net amount',
  vat: 'VAT amount',
  gross: 'Gross amount (net plus VAT)',
  treatment: 'VAT treatment or rate',
};

const KIND_LABELS: Readonly<Record<KindMeaning, string>> = {
  sale: 'Sale',
  purchase: 'Purchase',
  sale_credit: 'Credit note to a customer (negative)',
  purchase_credit: 'Credit note from a supplier (negative)',
};

const toOptions = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));

export const TARGET_OPTIONS = toOptions(TARGET_LABELS);
export const KIND_OPTIONS = toOptions(KIND_LABELS);
export const TREATMENT_OPTIONS = TREATMENTS.map((value) => ({ value, label: TREATMENT_NAMES[value] }));

export const getTargetLabel = (target: BooksTarget): string => TARGET_LABELS[target];
