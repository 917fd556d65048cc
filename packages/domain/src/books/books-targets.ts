import { BOOKS_COLUMNS } from './books-row.ts';

/**
 * The possible contents of a column: a column of the template, or the gross amount, from which a missing net or VAT amount is calculated,
 * and which is compared with them if the file has all three.
 */
export const BOOKS_TARGETS = [...BOOKS_COLUMNS, 'gross'] as const;
export type BooksTarget = (typeof BOOKS_TARGETS)[number];

/** The possible meanings of a value in the kind column. A credit note's amounts are made negative, if they aren't already. */
export const KIND_MEANINGS = ['sale', 'purchase', 'sale_credit', 'purchase_credit'] as const;
export type KindMeaning = (typeof KIND_MEANINGS)[number];
