/**
 * The amounts and dates of the client list and their state, as SQL: over all taxes from the list row, or for one tax from its position.
 * Shared by the list, the count, exports and bulk actions, so that a filter always selects by the figures on screen.
 */
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import { MATCHED_FILTERS, type MatchedFilter } from '@portal/contract/figures.ts';
import { clientRows, taxPositions } from '@portal/db/schema/schema.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, eq, sql, type SQL } from '@portal/db/sql.ts';
import { FLOWS, IS_UNKNOWN_AMOUNT } from '../positions/figures-sql.ts';

/** Joins the position of one tax. Without a tax, nothing is joined, because the list row has the figures. */
export function matchesTaxPosition(tax: Tax): SQL | undefined {
  return and(
    eq(taxPositions.companyId, clientRows.companyId),
    eq(taxPositions.clientId, clientRows.clientId),
    eq(taxPositions.tax, sql.raw(`'${tax}'`)),
  );
}

const DUE_COLUMNS = { vat: clientRows.vatDueOn, paye: clientRows.payeDueOn, ct: clientRows.ctDueOn, sa: clientRows.saDueOn };

/** Returns the columns of the list row that show figures, by their names in the database. */
export function getFigureColumns(tax: Tax | undefined) {
  if (tax === undefined) {
    return {
      nextDueOn: sql`${clientRows.nextDueOn}`,
      nextDueTax: sql`${clientRows.nextDueTax}`,
      nextDueWhat: sql`${clientRows.nextDueWhat}`,
      nextDuePence: sql`${clientRows.nextDuePence}`,
      owedPence: sql`${clientRows.owedPence}`,
      overduePence: sql`${clientRows.overduePence}`,
      refundPence: sql`${clientRows.refundPence}`,
      asOf: sql`${clientRows.asOf}`,
      readTaxes: sql`${clientRows.readTaxes}`,
      unreadTaxes: sql`${clientRows.unreadTaxes}`,
      figures: sql`${clientRows.figures}`,
      staleOn: sql`${clientRows.staleOn}`,
      refreshFailed: sql`${clientRows.refreshFailed}`,
    };
  }
  const name = sql.raw(`'${tax}'`);
  return {
    // The date is also in the list row, because sorting the list needs an index on a single table.
    nextDueOn: sql`${DUE_COLUMNS[tax]}`,
    nextDueTax: sql`case when ${taxPositions.nextDueOn} is not null then ${name} end`,
    nextDueWhat: sql`${taxPositions.nextDueWhat}`,
    nextDuePence: sql`${taxPositions.nextDuePence}`,
    owedPence: sql`coalesce(${taxPositions.owedPence}, 0)`,
    overduePence: sql`coalesce(${taxPositions.overduePence}, 0)`,
    refundPence: sql`coalesce(${taxPositions.refundPence}, 0)`,
    asOf: sql`${taxPositions.asOf}`,
    unreadTaxes: sql`case when ${taxPositions.asOf} is null then array[${name}] else '{}'::text[] end`,
    figures: sql`case when ${taxPositions.asOf} is null then 'unread' else 'read' end`,
    readTaxes: sql`case when ${taxPositions.asOf} is null then '{}'::text[] else array[${name}] end`,
    staleOn: sql`${taxPositions.staleOn}`,
    refreshFailed: sql`coalesce(${taxPositions.refreshFailed}, false)`,
  };
}

/** The condition on `due_items` of each filter by date. */
const DATE_CONDITIONS: Readonly<Record<Exclude<MatchedFilter, 'has'>, () => SQL>> = {
  due_before: () => isDueInWindow(),
  pay_in: () => isInMonth('payIn'),
  refund_in: () => isInMonth('refundIn'),
};

function getScope(tax: Tax | undefined, clientCondition: SQL): SQL {
  const taxCondition = tax === undefined ? sql`` : sql.raw(`and tax = '${tax}'`);
  return sql`company_id = ${sql.placeholder('companyId')}::uuid ${clientCondition} ${taxCondition}`;
}

/**
 * Returns the first date of each client that the (first) filter by date found, as a table of client_id and due_on. Undefined without one. Without
 * grouping, so that PostgreSQL walks the index by day and stops after a page.
 */
export function getFirstDateSql(filters: ClientFilters): SQL | undefined {
  const [first] = MATCHED_FILTERS.filter((name) => filters[name] !== undefined);
  if (first === undefined || first === 'has') return undefined;
  const condition = DATE_CONDITIONS[first]();
  const scope = getScope(filters.tax, sql``);
  return sql`select client_id, due_on from due_items d where ${scope} and ${condition} and not exists (
    select from due_items where ${scope} and ${condition} and client_id = d.client_id and (due_on, tax, key) < (d.due_on, d.tax, d.key))`;
}

/** The filter determines the direction, because a refund's amount is stored as negative. */
const COUNTED_AMOUNT = sql`case when what = 'refund' or amount_pence > 0 then abs(amount_pence) end`;
const COUNTED_ITEM = sql`json_build_object('due_on', due_on, 'tax', tax, 'kind', kind, 'amount_pence', ${COUNTED_AMOUNT})`;

/** What one filter found: a table of client_id, items, amount_pence, unknown_amounts and due. */
export type MatchedSql = { readonly filter: MatchedFilter; readonly found: SQL };

/**
 * Returns what each of the filters `due_before`, `pay_in`, `refund_in` and `has` found, in this order. The dashboard's totals count the same
 * items (positions/count-totals.ts).
 */
export function listMatchedSql(filters: ClientFilters, clientCondition: SQL = sql``): readonly MatchedSql[] {
  const { has, tax } = filters;
  const scope = getScope(tax, clientCondition);
  const countItems = (condition: SQL): SQL => sql`select client_id, count(*)::int as items, sum(${COUNTED_AMOUNT})::bigint as amount_pence,
        count(*) filter (where ${IS_UNKNOWN_AMOUNT})::int as unknown_amounts,
        json_agg(${COUNTED_ITEM} order by due_on, tax, key) as due
      from due_items where ${scope} and ${condition} group by client_id`;
  const countAmounts = (
    name: keyof typeof AMOUNTS,
  ): SQL => sql`select client_id, ${MATCHED_ITEM_COUNTS[name] ?? sql`null::int`} as items, ${MATCHED_AMOUNTS[name] ?? sql`null::bigint`} as amount_pence,
      0 as unknown_amounts, '[]'::json as due
    from tax_positions where ${scope} group by client_id`;
  return MATCHED_FILTERS.flatMap((filter): MatchedSql[] => {
    if (filter === 'has') return has === undefined ? [] : [{ filter, found: countAmounts(has) }];
    return filters[filter] === undefined ? [] : [{ filter, found: countItems(DATE_CONDITIONS[filter]()) }];
  });
}

/** Matches a return, quarterly update or payment due from today to the chosen day. */
export const isDueInWindow = (): SQL =>
  sql`what <> 'refund' and due_on between ${sql.placeholder('today')}::date and ${sql.placeholder('dueBefore')}::date`;

/**
 * Matches a payment (even of an unknown amount) or a refund in the chosen month. The current month also includes overdue ones from earlier
 * months.
 */
export const isInMonth = (flow: 'payIn' | 'refundIn'): SQL => {
  const month = sql`date_trunc('month', ${sql.placeholder(flow)}::date)::date`;
  const thisMonth = sql`date_trunc('month', ${sql.placeholder('today')}::date)::date`;
  // One lower limit instead of two alternatives, so that the index by day begins there.
  return sql`${FLOWS[flow]} and due_on < (${month} + interval '1 month')::date
    and due_on >= case when ${month} = ${thisMonth} then '-infinity'::date else ${month} end`;
};

/**
 * The amount in a position for each `has` filter, which matches if it is above zero. `overdue_any` is the largest of the three, not their
 * sum.
 */
export const AMOUNTS: Readonly<Record<NonNullable<ClientFilters['has']>, SQL>> = {
  owed: sql`${taxPositions.owedPence}`,
  overdue: sql`${taxPositions.overduePence}`,
  overdue_return: sql`${taxPositions.overdueReturns}`,
  overdue_update: sql`${taxPositions.overdueUpdates}`,
  overdue_any: sql`greatest(${taxPositions.overduePence}, ${taxPositions.overdueReturns}, ${taxPositions.overdueUpdates})`,
  refund: sql`${taxPositions.refundPence}`,
  at_risk: sql`(${taxPositions.penaltyPence} + ${taxPositions.interestPence})`,
};

const sum = (amount: SQL, type: 'int' | 'bigint'): SQL => sql`sum(${amount})::${sql.raw(type)}`;

/** What each `has` filter counts over a client's positions. */
const MATCHED_ITEM_COUNTS: Readonly<Partial<Record<keyof typeof AMOUNTS, SQL>>> = {
  overdue_return: sum(AMOUNTS.overdue_return, 'int'),
  overdue_update: sum(AMOUNTS.overdue_update, 'int'),
  overdue_any: sum(sql`overdue_returns + overdue_updates`, 'int'),
};
const MATCHED_AMOUNTS: Readonly<Partial<Record<keyof typeof AMOUNTS, SQL>>> = {
  owed: sum(AMOUNTS.owed, 'bigint'),
  overdue: sum(AMOUNTS.overdue, 'bigint'),
  overdue_any: sum(AMOUNTS.overdue, 'bigint'),
  refund: sum(AMOUNTS.refund, 'bigint'),
  at_risk: sum(AMOUNTS.at_risk, 'bigint'),
};
