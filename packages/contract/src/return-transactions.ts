/** The bookkeeping rows behind a box of a VAT return. */
import { BOOKS_KINDS, TREATMENTS } from '@portal/domain/books/books-row.ts';
import { DOCUMENT_FLAGS } from '@portal/domain/connected-books/books-document.ts';
import { z } from 'zod/mini';
import { dateScalar, instantScalar, penceScalar } from './scalars.ts';

/** What has happened to a document since the figures were approved or filed. */
export const DOCUMENT_CHANGES = ['added', 'changed', 'removed'] as const;
export type DocumentChange = (typeof DOCUMENT_CHANGES)[number];

/** The boxes that transactions and adjustments add to. Boxes 3 and 5 are calculated. */
export const BOXES = ['1', '2', '4', '6', '7', '8', '9'] as const;

/**
 * `since`: `filing` for a return that is filed or being filed, whose figures are compared with the current books; otherwise `approval`, by
 * the client or, if HMRC refused the return, by the trader who filed it.
 */
const changesSince = { since: z.enum(['approval', 'filing']), at: instantScalar, documents: z.int() };

/** Null if the figures were never approved, or the books they were approved from are gone. */
export const returnChanges = z.nullable(
  z.object({ ...changesSince, boxes: z.array(z.object({ box: z.enum(BOXES), documents: z.int() })) }),
);
export type ReturnChanges = NonNullable<z.output<typeof returnChanges>>;

export const transactionsOutput = z.object({
  transactions: z.array(
    z.object({
      line: z.int(),
      date: dateScalar,
      kind: z.enum(BOOKS_KINDS),
      reference: z.string(),
      counterparty: z.string(),
      description: z.string(),
      treatment: z.enum(TREATMENTS),
      net_pence: penceScalar,
      vat_pence: penceScalar,
      /** The amount that this row adds to the box; 0 if it isn’t in the figures. */
      amount_pence: penceScalar,
      flagged: z.boolean(),
      /** Opens the document in the bookkeeping software that it came from. */
      link: z.nullable(z.string()),
      /** Why a document from bookkeeping software needs review. */
      document_flags: z.array(z.enum(DOCUMENT_FLAGS)),
      /** What has happened to the document’s part of this box since the approval or filing; null if nothing. */
      change: z.nullable(z.enum(DOCUMENT_CHANGES)),
      /** The amount that was approved or, for a filed return, the amount in the books now; null if there is none. */
      other_amount_pence: z.nullable(penceScalar),
      /** False for a row that was removed since the approval, or added since the filing. */
      is_in_figures: z.boolean(),
    }),
  ),
  total_pence: penceScalar,
  /** The number of matching rows in the figures. */
  rows: z.int(),
  /** The number of matching rows that aren’t in the figures. They follow the others. */
  other_rows: z.int(),
  next_after_line: z.nullable(z.int()),
  /** The number of documents that have changed in this box, whatever is searched for. Null if there is nothing to compare with. */
  changes: z.nullable(z.object(changesSince)),
});
