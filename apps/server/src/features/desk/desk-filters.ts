/** Converts the desk's filters to SQL conditions for one statement. */
import { ENDED_STATES } from '@portal/domain/advances/advance-states.ts';
import type { deskFilters } from '@portal/contract/desk.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { DeskQueue } from '@portal/domain/operators/desk-steps.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import type { z } from 'zod/mini';
import { matchCompany } from '../operator-companies/match-company.ts';
import { DUE_AT, IS_NEW_TRADER, isException, needsOperator, needsRelease, PAY_BY } from './desk-sql.ts';

export type DeskFilters = z.output<typeof deskFilters>;

/** The operator that a list is for, and the time. */
export type DeskScope = { readonly now: Instant; readonly me: string };

const ENDED_LIST = sql.raw(`(${ENDED_STATES.map((state) => `'${state}'`).join(', ')})`);
export const isOpen = sql`a.state not in ${ENDED_LIST}`;
/** Matches advances that are accepted and unpaid, with at most this time left. */
export const isDueWithin = (now: Instant, hours: number): SQL =>
  sql`${DUE_AT} <= ${now}::timestamptz + ${sql.raw(`interval '${hours} hours'`)}`;
/** Matches refunds above an amount. */
export const isAbove = (amount: number): SQL => sql`a.refund_pence > ${amount}`;
/** Matches first refunds before their payout, because only then does it matter that the trader is new. */
export const isNewTrader = sql`a.paid_at is null and ${IS_NEW_TRADER}`;
export const isAssignedTo = (operatorId: string): SQL => sql`asg.operator_id = ${operatorId}::uuid`;

function matchesQueue(queue: DeskQueue, now: Instant): SQL | undefined {
  switch (queue) {
    case 'needs_us':
      return needsOperator(now);
    case 'review':
      return sql`a.state = 'in_review'`;
    case 'release':
      return needsRelease(now);
    case 'exceptions':
      return isException(now);
    case 'in_progress':
      return isOpen;
    case 'ended':
      return sql`a.state in ${ENDED_LIST}`;
    case 'all':
      return undefined;
  }
}

/** Returns the conditions of a filter, which are never empty. */
export function toConditions(filters: DeskFilters, { now, me }: DeskScope): SQL {
  const { q, assigned, due_within_hours: hours, above_pence: abovePence } = filters;
  const conditions: (SQL | undefined)[] = [
    matchesQueue(filters.queue, now),
    q ? matchCompany(q, sql`a.id`) : undefined,
    hours === undefined ? undefined : isDueWithin(now, hours),
    abovePence === undefined ? undefined : isAbove(abovePence),
    filters.trader === undefined ? undefined : filters.trader === 'new' ? isNewTrader : sql`not (${IS_NEW_TRADER})`,
    assigned === undefined
      ? undefined
      : assigned === 'nobody'
        ? sql`asg.operator_id is null`
        : isAssignedTo(assigned === 'me' ? me : assigned),
    filters.promise === undefined
      ? undefined
      : sql`coalesce(a.paid_at, ${now}::timestamptz) > ${PAY_BY} and (a.paid_at is not null or ${DUE_AT} is not null)`,
  ];
  return sql.join([sql`true`, ...conditions.filter((condition) => condition !== undefined)], sql` and `);
}
