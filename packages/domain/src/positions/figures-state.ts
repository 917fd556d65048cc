/**
 * What we know about a client's amounts. Unknown (never read), nothing owed, partly known and stale are four different states; every
 * screen, file and API response uses this definition.
 */
import { toLondonDate, type Instant } from '../clock.ts';
import { addDays, countDaysBetween, formatDate, type PlainDate } from '../plain-date.ts';
import { type Tax, TAX_NAMES } from '../uk-tax/tax.ts';
import type { FigureSource } from './tax-facts.ts';

/**
 * `no_taxes`: the client has no taxes, so nothing can be read. `unread`: no amounts have ever been read. `partial`: some taxes have never
 * been read. `stale`: all have been read, but an amount is old or its last refresh failed. `current`: everything else; only here does zero
 * mean that nothing is owed.
 */
export const FIGURES_STATES = ['no_taxes', 'unread', 'partial', 'stale', 'current'] as const;
export type FiguresState = (typeof FIGURES_STATES)[number];

/** The states of a single tax. */
export const TAX_FIGURES_STATES = ['unread', 'stale', 'current'] as const;
export type TaxFiguresState = (typeof TAX_FIGURES_STATES)[number];

/**
 * The number of days after which figures count as stale. HMRC's figures change with every return and payment. A statement is imported
 * manually, usually once a month.
 */
const STALE_AFTER_DAYS: Readonly<Record<FigureSource, number>> = { hmrc: 7, statement: 31, companies_house: 31, rule: 31 };

/** One tax: whether and when its amounts were last read (`asOf`), and whether the last refresh failed permanently. */
export type TaxReading = {
  readonly tax: Tax;
  readonly source: FigureSource;
  readonly asOf: Instant | null;
  readonly hasReadingFailed: boolean;
};

/**
 * Returns the first day on which the figures count as stale; null if they were never read. A failed refresh makes them stale immediately.
 */
export function getStaleDay({ source, asOf, hasReadingFailed }: TaxReading): PlainDate | null {
  if (asOf === null) return null;
  const readOn = toLondonDate(asOf);
  return hasReadingFailed ? readOn : addDays(readOn, STALE_AFTER_DAYS[source] + 1);
}

/** `readTaxes`: the taxes with amounts from a source; `staleOn`: the earliest `getStaleDay` among them. */
export type FiguresFacts = { readonly taxes: readonly Tax[]; readonly readTaxes: readonly Tax[]; readonly staleOn: PlainDate | null };

/** Returns the combined state of these taxes' amounts. */
export function getFiguresState({ taxes, readTaxes, staleOn }: FiguresFacts, today: PlainDate): FiguresState {
  if (taxes.length === 0) return 'no_taxes';
  const unreadTaxes = listUnreadTaxes(taxes, readTaxes);
  if (unreadTaxes.length === taxes.length) return 'unread';
  if (unreadTaxes.length > 0) return 'partial';
  return staleOn !== null && staleOn <= today ? 'stale' : 'current';
}

/** Returns the state of one tax. */
export function getTaxFiguresState(
  reading: Pick<FiguresFacts, 'staleOn'> & { readonly isRead: boolean },
  today: PlainDate,
): TaxFiguresState {
  if (!reading.isRead) return 'unread';
  return reading.staleOn !== null && reading.staleOn <= today ? 'stale' : 'current';
}

/** Lists the taxes whose amounts have never been read, in the order of `taxes`. */
export function listUnreadTaxes(taxes: readonly Tax[], readTaxes: readonly Tax[]): Tax[] {
  return taxes.filter((tax) => !readTaxes.includes(tax));
}

/** Returns true if there are amounts to show: the total of the taxes that have been read. */
export const hasAmounts = (state: FiguresState): boolean => state !== 'unread' && state !== 'no_taxes';

/** Returns true if one of these taxes lacks an amount, so a total of the rest is only "at least". */
export const isIncomplete = (state: FiguresState): boolean => state === 'unread' || state === 'partial';

/** The input for `describeFigures`. `asOf`: when the oldest amount was read. */
export type DescribedFigures = {
  readonly state: FiguresState;
  readonly taxes: readonly Tax[];
  readonly unreadTaxes: readonly Tax[];
  readonly asOf: Instant | null;
  readonly hasFailed: boolean;
};

/** Describes the state, for example "VAT only: PAYE not updated yet" or "Updated 12 Nov 2026, 10 days ago; last refresh failed". */
export function describeFigures({ state, taxes, unreadTaxes, asOf, hasFailed }: DescribedFigures, today: PlainDate): string {
  switch (state) {
    case 'no_taxes':
      return 'No taxes';
    case 'unread':
      return hasFailed ? 'Not updated yet: last refresh failed' : 'Not updated yet';
    case 'partial': {
      const read = listUnreadTaxes(taxes, unreadTaxes);
      return `${joinTaxNames(read)} only: ${joinTaxNames(unreadTaxes)} not updated yet`;
    }
    case 'stale':
    case 'current': {
      const age = asOf === null ? 'Updated' : `Updated ${formatReadOn(toLondonDate(asOf), today)}`;
      return hasFailed ? `${age}; last refresh failed` : age;
    }
  }
}

function joinTaxNames(taxes: readonly Tax[]): string {
  const names = taxes.map((tax) => TAX_NAMES[tax]);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Formats a day as, for example, "12 Nov 2026, 10 days ago". */
function formatReadOn(day: PlainDate, today: PlainDate): string {
  const days = countDaysBetween(day, today);
  if (days <= 0) return 'today';
  return `${formatDate(day, 'short')}, ${days === 1 ? 'yesterday' : `${days} days ago`}`;
}
