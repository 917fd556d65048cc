/**
 * Totals and calendar of the amounts that a practice's clients owe or are due back, and of the returns they must file. For a team_member,
 * covers only assigned clients.
 */
import { DUE_KINDS } from '@portal/domain/positions/position.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { practiceTodayEndpoints } from './practice-today.ts';
import { practiceTotalsEndpoints } from './practice-totals.ts';
import { companyInput, dateScalar, doneOutput, figureSource, idScalar, instantScalar, itemKind, penceScalar } from './scalars.ts';

const dashboardFilters = { tax: z.optional(taxScalar), member: z.optional(idScalar) };

/** The path of a user's calendar feed, followed by `<token>.ics`. The secret token in the URL is the only credential. */
export const CALENDAR_FEED_PATH = '/open-tax/calendar';

const dueKind = z.enum(DUE_KINDS);
/** Which deadlines the feed covers: those of all clients that the user may see, or of those assigned to them. */
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

const dailyDueItems = z.object({
  due_on: dateScalar,
  tax: taxScalar,
  what: dueKind,
  kind: itemKind,
  items: z.int(),
  /** The sum of the known amounts, or null if none is known. With `unknown_amounts`, it is "at least". */
  amount_pence: z.nullable(penceScalar),
  /** The number of payments among the items whose amounts aren't known. */
  unknown_amounts: z.int(),
});

export const practiceDashboardApi = {
  ...practiceTodayEndpoints,
  ...practiceTotalsEndpoints,
  calendar: endpoint({
    method: 'GET',
    path: '/open-tax/calendar',
    access: 'practice.read',
    summary:
      'Get a month’s calendar: items due each day by tax, bank holidays, and the latest payment date when a due date isn’t a working day',
    input: z.extend(companyInput, {
      month: z.string().check(z.regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, 'Enter a month as YYYY-MM, for example 2026-03')),
      ...dashboardFilters,
    }),
    output: z.object({
      today: dateScalar,
      first: dateScalar,
      last: dateScalar,
      days: z.array(dailyDueItems),
      /** The practice's internal deadlines, which come before HMRC's (`due_on`), from its settings. `on` is the internal deadline. */
      own_days: z.array(z.extend(dailyDueItems, { on: dateScalar })),
      /** Open tasks of the member chosen in the calendar's filter, or of the user if none is chosen. */
      task_days: z.array(z.object({ due_on: dateScalar, tasks: z.int() })),
      bank_holidays: z.array(dateScalar),
      /** Payment days on which banks are closed, so that CHAPS and Bacs payments must arrive by the previous working day. */
      pay_before: z.array(z.object({ due_on: dateScalar, cleared_by: dateScalar, is_certain: z.boolean() })),
    }),
  }),
  calendarDay: endpoint({
    method: 'GET',
    path: '/open-tax/calendar/day',
    access: 'practice.read',
    summary: 'List the items due on a date by client name, optionally of one kind',
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
    summary: 'List the items due between two dates, inclusive, earliest first, optionally for one tax, kind or team member',
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
    summary: 'Get whether the user has a private calendar link. The link itself is shown only when it’s created.',
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
