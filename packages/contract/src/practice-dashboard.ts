/**
 * Totals and calendar of the amounts a practice's clients owe or are due back, and of the returns they must file. For a team_member, only
 * for assigned clients.
 */
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { DUE_KINDS } from '@portal/domain/positions/position.ts';
import { z } from 'zod/mini';
import type { ClientFilters } from './client-filters.ts';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { practiceTodayEndpoints } from './practice-today.ts';
import { companyInput, dateScalar, doneOutput, figureSource, idScalar, instantScalar, itemKind, penceScalar } from './scalars.ts';

/** `items` of `clients`. `amount_pence` is the sum of the known amounts; null if no amount has been read. */
const dueTotals = z.object({ clients: z.int(), items: z.int(), amount_pence: z.nullable(penceScalar) });

/**
 * Totals over active clients. Amounts owed to and by HMRC are separate fields, so neither needs a sign. An amount or a number of overdue
 * returns or updates is null until at least one client has been read, and "at least" while some are unread (`incomplete_clients`).
 */
const totals = z.object({
  clients: z.int(),
  /** Clients with at least one tax (of the tab) that was never read, and those with none read. */
  incomplete_clients: z.int(),
  unread_clients: z.int(),
  /** Clients whose figures have all been read, but are old or failed to refresh. */
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
  /** Items due within 7, 30 and 90 days from today, inclusive. */
  due: z.object({ 7: dueTotals, 30: dueTotals, 90: dueTotals }),
  /**
   * Twelve months, starting with the current one, which also includes overdue amounts. `month` is its first day. Empty until figures have
   * been read.
   */
  by_month: z.array(z.object({ month: dateScalar, to_pay_pence: penceScalar, to_receive_pence: penceScalar })),
});
export type Totals = z.output<typeof totals>;

/** Filters of the client list behind a total. */
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

/** A total that links to the clients behind it. */
export type TotalName = keyof typeof TOTAL_FILTERS;
export const TOTAL_NAMES = Object.keys(TOTAL_FILTERS) as readonly TotalName[];

/**
 * Returns the client list's filter that shows exactly the clients behind a total of a tab. Their `matched` amounts and items add up to the
 * total; a server test checks it.
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

/** Returns the client list's filter that shows exactly the payments, or the refunds, of one of a tab's twelve months. */
export function getMonthFilters(flow: 'pay_in' | 'refund_in', month: PlainDate, tab: 'all' | Tax): ClientFilters {
  return { status: 'in_hand', ...(tab === 'all' ? {} : { tax: tab }), [flow]: month };
}

const dashboard = z.object({
  tax: z.enum(['all', ...TAXES]),
  today: dateScalar,
  /**
   * `nothing_imported`: no clients yet. `nothing_read`: clients but no figures from HMRC or statements yet, so only dates calculated by
   * rule.
   */
  state: z.enum(['nothing_imported', 'nothing_read', 'ready']),
  /** Covers all clients of the practice, or those assigned to the user. */
  scope: z.enum(['practice', 'assigned']),
  totals,
  counted_at: instantScalar,
  /** Time of the oldest reading behind the figures; null before the first reading. */
  read_from: z.nullable(instantScalar),
  read_to: z.nullable(instantScalar),
  /** Taxes being refreshed now; `refreshing-clients` gives the progress. */
  syncing: z.array(taxScalar),
});
export type PracticeDashboard = z.output<typeof dashboard>;

const dashboardFilters = { tax: z.optional(taxScalar), member: z.optional(idScalar) };

/** Dashboard of a single tax, with the same input and output. */
const singleTaxEndpoint = (path: `/${string}`, summary: string) =>
  endpoint({ method: 'GET', path, access: 'practice.read', summary, input: companyInput, output: dashboard });

/** Path of a user's calendar feed, followed by `<token>.ics`. The secret token in the URL is the only credential. */
export const CALENDAR_FEED_PATH = '/open-tax/calendar';

const dueKind = z.enum(DUE_KINDS);
/** Covers deadlines of all clients that the user may see, or of those assigned to them. */
const feedCovers = z.enum(['all', 'assigned']);

/** One client's item, in lists that cover several clients. */
const clientDueItem = z.object({
  client_id: idScalar,
  client_name: z.string(),
  tax: taxScalar,
  key: z.string(),
  what: dueKind,
  kind: itemKind,
  title: z.string(),
  /** Positive if paid to HMRC, negative if received from HMRC. */
  amount_pence: z.nullable(penceScalar),
  source: figureSource,
  as_of: instantScalar,
});

const dailyDue = z.object({
  due_on: dateScalar,
  tax: taxScalar,
  what: dueKind,
  kind: itemKind,
  items: z.int(),
  /** Null if no amount is known; "at least" with `unknown_amounts`. */
  amount_pence: z.nullable(penceScalar),
  /** Payments among the items whose amounts aren't known. */
  unknown_amounts: z.int(),
});

export const practiceDashboardApi = {
  ...practiceTodayEndpoints,
  get: endpoint({
    method: 'GET',
    path: '/open-tax/dashboard',
    access: 'practice.read',
    summary: 'Get dashboard totals for all taxes or for VAT',
    input: z.extend(companyInput, { tax: z._default(z.enum(['all', 'vat']), 'all') }),
    output: dashboard,
  }),
  paye: singleTaxEndpoint('/open-tax/paye-dashboard', 'Get dashboard totals for PAYE'),
  corporationTax: singleTaxEndpoint('/open-tax/corp-dashboard', 'Get dashboard totals for corporation tax'),
  selfAssessment: singleTaxEndpoint('/open-tax/self-assessment-dashboard', 'Get dashboard totals for Self Assessment'),
  calendar: endpoint({
    method: 'GET',
    path: '/open-tax/calendar',
    access: 'practice.read',
    summary:
      'Get the calendar of a month: items due each day by tax, bank holidays, and the latest payment date when a due date is not a working day',
    input: z.extend(companyInput, {
      month: z.string().check(z.regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, 'Enter a month as YYYY-MM, for example 2026-03')),
      ...dashboardFilters,
    }),
    output: z.object({
      today: dateScalar,
      first: dateScalar,
      last: dateScalar,
      days: z.array(dailyDue),
      /** The practice's internal deadlines before HMRC's (`due_on`), from its settings; `on` is the internal deadline. */
      own_days: z.array(z.extend(dailyDue, { on: dateScalar })),
      /** Open tasks of the member that the calendar is filtered by, otherwise of the user. */
      task_days: z.array(z.object({ due_on: dateScalar, tasks: z.int() })),
      bank_holidays: z.array(dateScalar),
      /** Payment days on which banks are closed: CHAPS and Bacs must arrive by the previous working day. */
      pay_before: z.array(z.object({ due_on: dateScalar, cleared_by: dateScalar, is_certain: z.boolean() })),
    }),
  }),
  calendarDay: endpoint({
    method: 'GET',
    path: '/open-tax/calendar/day',
    access: 'practice.read',
    summary: 'List the items due on a day by client name, optionally of one kind',
    input: z.extend(companyInput, {
      day: dateScalar,
      ...dashboardFilters,
      what: z.optional(dueKind),
      kind: z.optional(itemKind),
      cursor: z.optional(z.string().check(z.maxLength(500))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100, 'Request at most 100 items')), 100),
    }),
    output: z.object({
      items: z.array(clientDueItem),
      next_cursor: z.nullable(z.string()),
    }),
  }),
  dueItems: endpoint({
    method: 'GET',
    path: '/open-tax/due-items',
    access: 'practice.read',
    summary: 'List the items due between two days, inclusive, earliest first, of one tax, kind or colleague if given',
    input: z.extend(companyInput, {
      from: dateScalar,
      to: dateScalar,
      ...dashboardFilters,
      what: z.optional(dueKind),
      cursor: z.optional(z.string().check(z.maxLength(500))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100, 'Request at most 100 items')), 50),
    }),
    output: z.object({
      items: z.array(z.extend(clientDueItem, { due_on: dateScalar })),
      today: dateScalar,
      next_cursor: z.nullable(z.string()),
    }),
  }),
  feed: endpoint({
    method: 'GET',
    path: '/open-tax/calendar/feed',
    access: 'practice.read',
    summary: 'Get whether the user has a private calendar link. The link itself is shown only when it is created.',
    input: companyInput,
    output: z.object({ created_at: z.nullable(instantScalar), covers: z.nullable(feedCovers) }),
  }),
  createFeed: endpoint({
    method: 'POST',
    path: '/open-tax/calendar/feed',
    access: 'practice.read',
    summary: 'Create a private calendar link for the user, with their tasks. An earlier link stops working.',
    input: z.extend(companyInput, { covers: z._default(feedCovers, 'all') }),
    output: z.object({ url: z.string() }),
  }),
  revokeFeed: endpoint({
    method: 'POST',
    path: '/open-tax/calendar/feed/revoke',
    access: 'practice.read',
    summary: 'Revoke the user’s private calendar link',
    input: companyInput,
    output: doneOutput,
  }),
};
