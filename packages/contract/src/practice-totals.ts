/** Totals of the amounts that a practice's clients owe or are due back, and of the returns they must file. Kept apart from the calendar. */
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { z } from 'zod/mini';
import type { ClientFilters } from './client-filters.ts';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { companyInput, dateScalar, instantScalar, penceScalar } from './scalars.ts';

/**
 * The number of `items`, and of the `clients` they belong to. `amount_pence` is the sum of the known amounts; null if no amount has been
 * read.
 */
const dueTotals = z.object({ clients: z.int(), items: z.int(), amount_pence: z.nullable(penceScalar) });

/**
 * Totals over active clients. Amounts owed to and by HMRC are separate fields, so neither needs a sign. Amounts and numbers of overdue
 * returns or updates are null until at least one client has been read, and "at least" while some are unread (`incomplete_clients`).
 */
const totals = z.object({
  clients: z.int(),
  /** Clients with at least one tax (of the tab) that has never been read, and clients with none read. */
  incomplete_clients: z.int(),
  unread_clients: z.int(),
  /** Clients whose figures have all been read but are old or failed to refresh. */
  stale_clients: z.int(),
  owed_pence: z.nullable(penceScalar),
  owed_clients: z.int(),
  overdue_pence: z.nullable(penceScalar),
  overdue_clients: z.int(),
  refund_pence: z.nullable(penceScalar),
  refund_clients: z.int(),
  overdue_returns: z.nullable(z.int()),
  overdue_return_clients: z.int(),
  /** Quarterly updates of Making Tax Digital for Income Tax, counted separately from returns, which carry penalty points. */
  overdue_updates: z.nullable(z.int()),
  overdue_update_clients: z.int(),
  /** Penalties and interest to date, calculated by rule. */
  at_risk_pence: z.nullable(penceScalar),
  at_risk_clients: z.int(),
  /** Items due within 7, 30 and 90 days of today, inclusive. */
  due: z.object({ 7: dueTotals, 30: dueTotals, 90: dueTotals }),
  /**
   * Twelve months, starting with the current one, which also includes overdue amounts. `month` is its first day. Empty until figures have
   * been read. An amount is "at least" (`…_is_partial`) exactly if the sum over the clients behind it is: one of them isn't fully read, or a
   * payment's amount isn't known.
   */
  by_month: z.array(
    z.object({
      month: dateScalar,
      to_pay_pence: penceScalar,
      to_pay_is_partial: z.boolean(),
      to_receive_pence: penceScalar,
      to_receive_is_partial: z.boolean(),
    }),
  ),
});
export type Totals = z.output<typeof totals>;

/** The client list filters behind each total. */
const TOTAL_FILTERS = {
  clients: {},
  incomplete: { figures: 'incomplete' },
  stale: { figures: 'stale' },
  owed: { has: 'owed' },
  overdue: { has: 'overdue' },
  refund: { has: 'refund' },
  overdue_returns: { has: 'overdue_return' },
  overdue_updates: { has: 'overdue_update' },
  at_risk: { has: 'at_risk' },
  due_7: { days: 7 },
  due_30: { days: 30 },
  due_90: { days: 90 },
} as const satisfies Record<string, Pick<ClientFilters, 'figures' | 'has'> & { days?: number }>;

/** The name of a total that links to the clients behind it. */
export type TotalName = keyof typeof TOTAL_FILTERS;
export const TOTAL_NAMES = Object.keys(TOTAL_FILTERS) as readonly TotalName[];

/**
 * Returns the filter of the client list that shows exactly the clients behind a tab's total. Their `matched` amounts and items add up to
 * the total, which a server test checks.
 */
export function getTotalFilters(total: TotalName, tab: 'all' | Tax, today: PlainDate): ClientFilters {
  const { days, ...filters } = { days: undefined, ...TOTAL_FILTERS[total] };
  return {
    status: 'in_hand',
    ...(tab === 'all' ? {} : { tax: tab }),
    ...filters,
    ...(days === undefined ? {} : { due_before: addDays(today, days) }),
  };
}

/** Returns the filter of the client list that shows exactly the payments, or the refunds, in one of a tab's twelve months. */
export function getMonthFilters(flow: 'pay_in' | 'refund_in', month: PlainDate, tab: 'all' | Tax): ClientFilters {
  return { status: 'in_hand', ...(tab === 'all' ? {} : { tax: tab }), [flow]: month };
}

const dashboard = z.object({
  tax: z.enum(['all', ...TAXES]),
  today: dateScalar,
  /**
   * `nothing_imported`: no clients yet. `nothing_read`: clients, but no figures from HMRC or statements yet, only dates calculated by rule.
   */
  state: z.enum(['nothing_imported', 'nothing_read', 'ready']),
  /** Whether the totals cover all the practice's clients, or only those assigned to the user. */
  scope: z.enum(['practice', 'assigned']),
  totals,
  counted_at: instantScalar,
  /** When the oldest of the figures was read; null until figures have been read. */
  read_from: z.nullable(instantScalar),
  read_to: z.nullable(instantScalar),
  /** Taxes being refreshed now. `refreshing-clients` returns the progress. */
  syncing: z.array(taxScalar),
});
export type PracticeDashboard = z.output<typeof dashboard>;

/** Declares a dashboard endpoint for a single tax, with the same input and output. */
const createSingleTaxEndpoint = (path: `/${string}`, summary: string) =>
  endpoint({ method: 'GET', path, access: 'practice.read', summary, input: companyInput, output: dashboard });

export const practiceTotalsEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/open-tax/dashboard',
    access: 'practice.read',
    summary: 'Get dashboard totals for all taxes or for VAT',
    input: z.extend(companyInput, { tax: z._default(z.enum(['all', 'vat']), 'all') }),
    output: dashboard,
  }),
  paye: createSingleTaxEndpoint('/open-tax/paye-dashboard', 'Get dashboard totals for PAYE'),
  corporationTax: createSingleTaxEndpoint('/open-tax/corp-dashboard', 'Get dashboard totals for corporation tax'),
  selfAssessment: createSingleTaxEndpoint('/open-tax/self-assessment-dashboard', 'Get dashboard totals for Self Assessment'),
};
