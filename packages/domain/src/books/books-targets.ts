import { BOOKS_COLUMNS } from './books-row.ts';

/** What a column can hold: a column of the template, or the gross amount, from which the missing one of net and VAT follows. */
export const BOOKS_TARGETS = [...BOOKS_COLUMNS, 'gross'] as const;
export type BooksTarget = (typeof BOOKS_TARGETS)[number];

/** What a value of the kind column can mean. The amounts of a credit note are made negative, if they aren't already. */
export const KIND_MEANINGS = ['sale', 'purchase', 'sale_credit', 'purchase_credit'] as const;
export type KindMeaning = (typeof KIND_MEANINGS)[number];
