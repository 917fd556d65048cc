/** What a practice's clients owe, must file and get back in all, and when: the dashboard's totals and the calendar. Counted over the assigned clients for a team_member. */
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { DUE_KINDS } from '@portal/domain/practice/positions/position.ts';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { figureSource } from './positions.ts';
import { taxScalar } from './practice.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

const dueWithin = z.object({ items: z.int(), amount_pence: penceScalar });

/** Totals over the clients in hand. Amounts to HMRC and from HMRC are apart, so none needs a sign. */
const totals = z.object({
  clients: z.int(),
  owed_pence: penceScalar,
  overdue_pence: penceScalar,
  overdue_clients: z.int(),
  refund_pence: penceScalar,
  refund_clients: z.int(),
  overdue_returns: z.int(),
  /** Penalties and interest to date, by the rules. */
  at_risk_pence: penceScalar,
  /** From today up to and including the day so many days from now. */
  due: z.object({ 7: dueWithin, 30: dueWithin, 90: dueWithin }),
  /** Twelve months from the present one, which also carries what is overdue. `month` is its first day. */
  by_month: z.array(z.object({ month: dateScalar, to_pay_pence: penceScalar, to_receive_pence: penceScalar })),
});
export type Totals = z.output<typeof totals>;

const dashboard = z.object({
  tax: z.enum(['all', ...TAXES]),
  today: dateScalar,
  /** `nothing_imported`: no client yet. `nothing_read`: clients are here, HMRC and the statements have said nothing yet, so that only dates by rule are known. */
  state: z.enum(['nothing_imported', 'nothing_read', 'ready']),
  /** Over all clients of the practice, or over those assigned to the person. */
  scope: z.enum(['practice', 'assigned']),
  totals,
  counted_at: instantScalar,
  /** The oldest and newest reading that the figures stand on; null before the first. */
  read_from: instantScalar.nullable(),
  read_to: instantScalar.nullable(),
  /** Taxes that are being read now; how far is told by `refreshing-clients`. */
  syncing: z.array(taxScalar),
});
export type PracticeDashboard = z.output<typeof dashboard>;

const narrowing = { tax: taxScalar.optional(), member: idScalar.optional() };

/** One tax's page of the dashboard: same input, same answer. */
const ofOneTax = (path: `/${string}`, summary: string) =>
  endpoint({ method: 'GET', path, access: 'practice.read', summary, input: companyInput, output: dashboard });

/** Where a person's calendar is read by their calendar program: `<token>.ics` follows. The secret in the address is the right. */
export const CALENDAR_FEED_PATH = '/open-tax/calendar';

const dueKind = z.enum(DUE_KINDS);

const dueOnDay = z.object({
  due_on: dateScalar,
  tax: taxScalar,
  what: dueKind,
  items: z.int(),
  /** Null where nobody has said an amount. */
  amount_pence: penceScalar.nullable(),
});

export const practiceDashboardApi = {
  get: endpoint({
    method: 'GET',
    path: '/open-tax/dashboard',
    access: 'practice.read',
    summary: 'Totals over all taxes, or over VAT alone.',
    input: companyInput.extend({ tax: z.enum(['all', 'vat']).default('all') }),
    output: dashboard,
  }),
  paye: ofOneTax('/open-tax/paye-dashboard', 'Totals of PAYE.'),
  corporationTax: ofOneTax('/open-tax/corp-dashboard', 'Totals of corporation tax.'),
  selfAssessment: ofOneTax('/open-tax/self-assessment-dashboard', 'Totals of Self Assessment.'),
  calendar: endpoint({
    method: 'GET',
    path: '/open-tax/calendar',
    access: 'practice.read',
    summary: 'What is due on each day of a month, by tax, with bank holidays and by when to pay where the day is no working day.',
    input: companyInput.extend({
      month: z.string().regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, 'Enter a month as YYYY-MM, for example 2026-03'),
      ...narrowing,
    }),
    output: z.object({
      today: dateScalar,
      first: dateScalar,
      last: dateScalar,
      days: z.array(dueOnDay),
      /** The practice's own days before HMRC's (`due_on`), by its settings: what should be done on `on`. */
      own_days: z.array(dueOnDay.extend({ on: dateScalar })),
      bank_holidays: z.array(dateScalar),
      /** Days with a payment on which banks do not work: CHAPS and Bacs must be there by the working day before. */
      pay_before: z.array(z.object({ due_on: dateScalar, cleared_by: dateScalar, is_certain: z.boolean() })),
    }),
  }),
  calendarDay: endpoint({
    method: 'GET',
    path: '/open-tax/calendar/day',
    access: 'practice.read',
    summary: 'Who has what due on one day, by name; of one kind where `what` names it.',
    input: companyInput.extend({
      day: dateScalar,
      ...narrowing,
      what: dueKind.optional(),
      cursor: z.string().max(500).optional(),
      limit: z.coerce.number().int().min(1).max(100, 'Ask for at most 100').default(100),
    }),
    output: z.object({
      items: z.array(
        z.object({
          client_id: idScalar,
          client_name: z.string(),
          tax: taxScalar,
          key: z.string(),
          what: dueKind,
          title: z.string(),
          /** Positive: to HMRC. Negative: from HMRC. */
          amount_pence: penceScalar.nullable(),
          source: figureSource,
          as_of: instantScalar,
        }),
      ),
      next_cursor: z.string().nullable(),
    }),
  }),
  feed: endpoint({
    method: 'GET',
    path: '/open-tax/calendar/feed',
    access: 'practice.read',
    summary: "Whether the signed-in person's calendar has a secret address; the address itself is told once.",
    input: companyInput,
    output: z.object({ created_at: instantScalar.nullable() }),
  }),
  makeFeed: endpoint({
    method: 'POST',
    path: '/open-tax/calendar/feed',
    access: 'practice.read',
    summary: "Makes a secret address for the signed-in person's calendar; an earlier one stops working.",
    input: companyInput,
    output: z.object({ url: z.string() }),
  }),
  revokeFeed: endpoint({
    method: 'POST',
    path: '/open-tax/calendar/feed/revoke',
    access: 'practice.read',
    summary: "Makes the secret address of the signed-in person's calendar stop working.",
    input: companyInput,
    output: doneOutput,
  }),
};
