/** The bookkeeping rows behind a box of a VAT return. */
import { BOOKS_KINDS, TREATMENTS } from '@portal/domain/books/books-row.ts';
import { DOCUMENT_FLAGS } from '@portal/domain/connected-books/books-document.ts';
import { z } from 'zod/mini';
import { dateScalar, penceScalar } from './scalars.ts';

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
      /** The amount that this row adds to the box. */
      amount_pence: penceScalar,
      flagged: z.boolean(),
      /** Opens the document in the bookkeeping software that it came from. */
      link: z.nullable(z.string()),
      /** Why a document from bookkeeping software needs review. */
      document_flags: z.array(z.enum(DOCUMENT_FLAGS)),
    }),
  ),
  total_pence: penceScalar,
  rows: z.int(),
  next_after_line: z.nullable(z.int()),
});
