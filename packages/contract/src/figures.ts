/** What is known of a client's figures, and what a filter found: fields that the list, the client page and the totals share. */
import { FIGURES_STATES } from '@portal/domain/positions/figures-state.ts';
import { DEADLINES } from '@portal/domain/positions/position.ts';
import { z } from 'zod/mini';
import { taxScalar } from './practice.ts';
import { dateScalar, instantScalar, itemKind, penceScalar } from './scalars.ts';

/**
 * What is known of a client's amounts, for lists, pages, files and totals alike (docs/product/figures-states.md). Zero means "nothing owed" only
 * in the states `current` and `stale`.
 */
const figuresState = z.enum(FIGURES_STATES);

/** A client's next item and its amounts over its taxes. */
export const clientAmounts = {
  /** Null if nothing is known to be due. */
  next_due_on: z.nullable(dateScalar),
  next_due_tax: z.nullable(taxScalar),
  next_due_what: z.nullable(z.enum(DEADLINES)),
  next_due_pence: z.nullable(penceScalar),
  /** Totals of the taxes that were read; null if none was. With `unread_taxes`, they are "at least". */
  owed_pence: z.nullable(penceScalar),
  overdue_pence: z.nullable(penceScalar),
  refund_pence: z.nullable(penceScalar),
};

/** The fields that say what is known of amounts; the same in every answer. */
export const figuresFields = {
  figures_state: figuresState,
  /** Taxes whose amounts were never read. */
  unread_taxes: z.array(taxScalar),
  /** The last refresh of one of the taxes failed. */
  refresh_failed: z.boolean(),
  /** When the oldest of the figures was read; null if none was. */
  as_of: z.nullable(instantScalar),
};

export type FiguresFields = { readonly [Field in keyof typeof figuresFields]: z.output<(typeof figuresFields)[Field]> };

const matched = { items: z.nullable(z.int()), amount_pence: z.nullable(penceScalar) };

/**
 * What a filter found: returns, payments or refunds (`items`) and their known amounts. Of several filters, the first of `due_before`, `pay_in`,
 * `refund_in` and `has` counts. The sum over the list equals the dashboard's total.
 */
export const matchedItems = z.object({
  ...matched,
  /** The amount is "at least": one of these clients' taxes was never read, or one of the amounts isn't known. */
  is_partial: z.boolean(),
});
export type MatchedItems = z.output<typeof matchedItems>;

/** The same of one client. */
export const clientMatchedItems = z.object({
  ...matched,
  /**
   * Each counted item, earliest first; empty without `due_before`, `pay_in` and `refund_in`. Amounts are positive in both directions and null
   * if unknown; they add up to `amount_pence`.
   */
  due: z.array(z.object({ due_on: dateScalar, tax: taxScalar, kind: itemKind, amount_pence: z.nullable(penceScalar) })),
});
export type ClientMatchedItems = z.output<typeof clientMatchedItems>;
