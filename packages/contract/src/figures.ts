/**
 * Describes which figures are known for a client, and what a filter matched. The list, the client page and the totals share these fields.
 */
import { FIGURES_STATES } from '@portal/domain/positions/figures-state.ts';
import { NEXT_DUE_KINDS } from '@portal/domain/positions/position.ts';
import { z } from 'zod/mini';
import { taxScalar } from './practice.ts';
import { dateScalar, instantScalar, itemKind, penceScalar } from './scalars.ts';

/**
 * How complete a client's amounts are, in lists, pages, files and totals alike (docs/product/figures-states.md). Zero means "nothing owed"
 * only in the states `current` and `stale`.
 */
const figuresState = z.enum(FIGURES_STATES);

/** A client's next due item, and total amounts across all taxes. */
export const clientAmounts = {
  /** Null if nothing is known to be due. */
  next_due_on: z.nullable(dateScalar),
  next_due_tax: z.nullable(taxScalar),
  next_due_what: z.nullable(z.enum(NEXT_DUE_KINDS)),
  next_due_pence: z.nullable(penceScalar),
  /** Totals of the taxes that have been read; null if none has. If there are `unread_taxes`, these are "at least". */
  owed_pence: z.nullable(penceScalar),
  overdue_pence: z.nullable(penceScalar),
  refund_pence: z.nullable(penceScalar),
};

/** How complete the amounts are. Every response has the same fields. */
export const figuresFields = {
  figures_state: figuresState,
  /** Taxes that have never been read. */
  unread_taxes: z.array(taxScalar),
  /** Whether the last refresh failed for any of the taxes. */
  refresh_failed: z.boolean(),
  /** When the oldest figure was read; null if none has been read. */
  as_of: z.nullable(instantScalar),
};

export type FiguresFields = { readonly [Field in keyof typeof figuresFields]: z.output<(typeof figuresFields)[Field]> };

/** The filters by dates and amounts, which count something. Those by dates come first. */
export const MATCHED_FILTERS = ['due_before', 'pay_in', 'refund_in', 'has'] as const;
export type MatchedFilter = (typeof MATCHED_FILTERS)[number];

const matched = { filter: z.enum(MATCHED_FILTERS), items: z.nullable(z.int()), amount_pence: z.nullable(penceScalar) };

const matchedOverList = {
  ...matched,
  /** Whether the amount is "at least", because one of these clients' taxes has never been read or one of the amounts is unknown. */
  is_partial: z.boolean(),
};

/**
 * What a filter matched: returns, payments or refunds (`items`) and their known amounts. The sum over the list equals the dashboard's total.
 * If several filters are set, the list has the clients that all of them find; the first is here and the others, which count for
 * themselves, are `further`.
 */
export const matchedItems = z.object({ ...matchedOverList, further: z.array(z.object(matchedOverList)) });
export type MatchedItems = z.output<typeof matchedItems>;

const matchedOfClient = {
  ...matched,
  /**
   * The counted items, earliest first; empty without `due_before`, `pay_in` and `refund_in`. Amounts are positive in both directions and
   * null if unknown; they add up to `amount_pence`.
   */
  due: z.array(z.object({ due_on: dateScalar, tax: taxScalar, kind: itemKind, amount_pence: z.nullable(penceScalar) })),
};

/** The items that a filter matched for one client. */
export const clientMatchedItems = z.object({ ...matchedOfClient, further: z.array(z.object(matchedOfClient)) });
export type ClientMatchedItems = z.output<typeof clientMatchedItems>;

/** Returns what each filter matched, in the order of `MATCHED_FILTERS`. */
export function listMatched<Found extends object>(
  matched: (Found & { readonly further: readonly Found[] }) | null | undefined,
): readonly Found[] {
  return matched ? [matched, ...matched.further] : [];
}
