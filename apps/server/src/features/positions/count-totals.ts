/**
 * Counts the totals of a practice, and of each member's assigned clients, from positions and due items. All counts use one database
 * snapshot, unaffected by concurrent writes.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { parseDatabaseInstant } from '@portal/db/schema/columns.ts';
import type { OverallTotals, PracticeTotals } from '@portal/db/schema/schema.ts';
import { sumPence, ZERO, type Pence } from '@portal/domain/money.ts';
import { addMonths, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { FLOWS, getFiguresStateSql, IS_UNKNOWN_AMOUNT, isIncompleteSql, isUnreadSql } from './figures-sql.ts';

/** The viewer ID of totals over all clients, which admins see. No user has the nil UUID. */
export const WHOLE_PRACTICE = '00000000-0000-0000-0000-000000000000';

const getStartOfMonth = (day: PlainDate): PlainDate => plainDate(`${day.slice(0, 7)}-01`);

export type CountedTotals = {
  readonly viewerId: string;
  /** Identifies the clients that were counted (see `getAssignmentsFingerprint`). Empty for the whole practice. */
  readonly assigned: string;
  readonly overall: OverallTotals;
  readonly totals: readonly PracticeTotals[];
};

/** Returns a fingerprint of the clients assigned to a user. It changes with any assignment. */
export function getAssignmentsFingerprint(companyId: SQL | string, userId: SQL | string): SQL<string> {
  return sql<string>`(select count(*) || ':' || coalesce(sum(uuid_hash_extended(client_id, 0)), 0) from client_members
    where company_id = ${companyId} and user_id = ${userId})`;
}

/**
 * Counts the totals of one viewer, or of the practice and everyone with assigned clients. A viewer without clients is included only when
 * requested by ID.
 */
export function countTotals(db: Db, companyId: string, today: PlainDate, viewerId?: string): Promise<readonly CountedTotals[]> {
  // All statements read one snapshot, so that a user's figures cover exactly the clients in `assigned`.
  return db.transaction((tx) => countInTransaction(tx, companyId, today, viewerId), { isolationLevel: 'repeatable read' });
}

export async function countInTransaction(
  tx: Tx,
  companyId: string,
  today: PlainDate,
  viewerId?: string,
): Promise<readonly CountedTotals[]> {
  // The planner expects a single row for a practice that its statistics don't know yet, and would then scan every table for every client:
  // the totals of 230 clients took 37 seconds. Hash joins read each table once, whatever it expects.
  await tx.execute(sql`set local enable_nestloop = off`);
  const viewerClients = selectViewerClients(companyId, viewerId);
  const { rows: overall } = await tx.execute<OverallRow>(countClients(companyId, viewerClients, today));
  const { rows: figures } = await tx.execute<FiguresRow>(sumPositions(companyId, viewerClients, today));
  const { rows: windows } = await tx.execute<WindowsRow>(countWindows(companyId, viewerClients, today));
  const { rows: months } = await tx.execute<MonthRow>(sumMonths(companyId, viewerClients, today));
  const viewers = new Set([...(viewerId === undefined ? [WHOLE_PRACTICE] : [viewerId]), ...overall.map(({ viewer }) => viewer)]);
  return [...viewers].map((viewer) => {
    const viewerTotals = overall.find((row) => row.viewer === viewer);
    return {
      viewerId: viewer,
      assigned: viewerTotals?.assigned ?? (viewer === WHOLE_PRACTICE ? '' : '0:0'),
      overall: toOverallTotals(viewerTotals),
      totals: TABS.map((tax) => {
        const isOfViewer = (row: { viewer: string; tax: Tab }): boolean => row.viewer === viewer && (row.tax === tax || tax === 'all');
        const ofTax = figures.find(isOfViewer);
        const foundFigures = tax === 'all' ? viewerTotals && toAllFigures(viewerTotals) : ofTax && toTaxFigures(ofTax);
        const window = windows.find((row) => row.viewer === viewer && row.tax === tax);
        return toPracticeTotals(tax, foundFigures, window, sumByMonth(today, tax, months.filter(isOfViewer)));
      }),
    };
  });
}

type Tab = Tax | 'all';
const TABS = [...TAXES, 'all'] as const;

/** Pairs of viewer and client, with the client's columns. */
function selectViewerClients(companyId: string, viewerId: string | undefined): SQL {
  const all = sql`select ${WHOLE_PRACTICE}::uuid as viewer, c.* from clients c where c.company_id = ${companyId}`;
  if (viewerId === WHOLE_PRACTICE) return all;
  const viewerCondition = viewerId === undefined ? sql`` : sql`and user_id = ${viewerId}`;
  const assignedClients = sql`select m.user_id as viewer, c.*
    from (select distinct user_id, client_id from client_members where company_id = ${companyId} ${viewerCondition}) m
    join clients c on c.company_id = ${companyId} and c.id = m.client_id`;
  return viewerId === undefined ? sql`${all} union all ${assignedClients}` : assignedClients;
}

const IS_ACTIVE = sql`s.status not in ('inactive', 'closed')`;

type OverallRow = Omit<Figures, 'clients'> & {
  viewer: string;
  assigned: string;
  clients: number;
  active: number;
  read_from: string | null;
  read_to: string | null;
};

/** Totals over all taxes: sums of the list rows, counting each client once. Only positions contain penalties and late returns. */
function countClients(companyId: string, viewerClients: SQL, today: PlainDate): SQL {
  const countActiveClients = (condition: SQL): SQL => sql`count(*) filter (where ${IS_ACTIVE} and ${condition})`;
  const sumOverActiveClients = (column: string): SQL => sql`coalesce(sum(${sql.raw(column)}) filter (where ${IS_ACTIVE}), 0)::bigint`;
  return sql`
    with late as (
      select client_id, sum(overdue_returns) as overdue_returns, sum(overdue_updates) as overdue_updates,
        sum(penalty_pence + interest_pence) as at_risk_pence from tax_positions
      where company_id = ${companyId} and (overdue_returns > 0 or overdue_updates > 0 or penalty_pence + interest_pence > 0) group by client_id
    ), counted as (
      select s.viewer, count(*) as clients, count(*) filter (where ${IS_ACTIVE}) as active,
        ${countActiveClients(sql`state in ('partial', 'stale', 'current')`)} as read_clients,
        ${countActiveClients(sql`state in ('unread', 'partial')`)} as incomplete_clients,
        ${countActiveClients(sql`state = 'unread'`)} as unread_clients, ${countActiveClients(sql`state = 'stale'`)} as stale_clients,
        ${sumOverActiveClients('r.owed_pence')} as owed_pence, ${countActiveClients(sql`r.owed_pence > 0`)} as owed_clients,
        ${sumOverActiveClients('r.overdue_pence')} as overdue_pence, ${countActiveClients(sql`r.overdue_pence > 0`)} as overdue_clients,
        ${sumOverActiveClients('r.refund_pence')} as refund_pence, ${countActiveClients(sql`r.refund_pence > 0`)} as refund_clients,
        ${sumOverActiveClients('l.overdue_returns')} as overdue_returns, ${countActiveClients(sql`l.overdue_returns > 0`)} as overdue_return_clients,
        ${sumOverActiveClients('l.overdue_updates')} as overdue_updates, ${countActiveClients(sql`l.overdue_updates > 0`)} as overdue_update_clients,
        ${sumOverActiveClients('l.at_risk_pence')} as at_risk_pence, ${countActiveClients(sql`l.at_risk_pence > 0`)} as at_risk_clients,
        min(r.as_of) as read_from, max(r.as_of) as read_to
      from (${viewerClients}) s join client_rows r on r.company_id = ${companyId} and r.client_id = s.id
        left join late l on l.client_id = s.id
        cross join lateral (select ${getFiguresStateSql('r', sql`${today}`)} as state) f
      group by s.viewer
    )
    select counted.*, case when viewer = ${WHOLE_PRACTICE} then '' else ${getAssignmentsFingerprint(companyId, sql`counted.viewer`)} end as assigned from counted`;
}

function toOverallTotals(row: OverallRow | undefined): OverallTotals {
  return {
    clients: row?.clients ?? 0,
    read_from: row?.read_from ? parseDatabaseInstant(row.read_from) : null,
    read_to: row?.read_to ? parseDatabaseInstant(row.read_to) : null,
  };
}

function toAllFigures({
  viewer: _viewer,
  assigned: _assigned,
  read_from: _readFrom,
  read_to: _readTo,
  active,
  ...figures
}: OverallRow): Figures {
  return { ...figures, clients: active };
}

/** The fields of `PracticeTotals` that come from positions. */
type Figures = Omit<PracticeTotals, 'tax' | 'due' | 'by_month'>;
type FiguresRow = { viewer: string; tax: Tax } & Figures;

function toTaxFigures({ viewer: _viewer, tax: _tax, ...figures }: FiguresRow): Figures {
  return figures;
}

/** Whether the client has the tax of a due item. Joined to a list of taxes, the items would be scanned once for each client. */
const HAS_TAX_OF_ITEM = sql`case d.tax when 'vat' then s.has_vat when 'paye' then s.has_paye when 'ct' then s.has_ct else s.has_sa end`;

/** An active client counts for each of its taxes, with or without a position. */
function expandByTax(viewerClients: SQL): SQL {
  return sql`(${viewerClients}) s cross join lateral (values ('vat', s.has_vat), ('paye', s.has_paye), ('ct', s.has_ct), ('sa', s.has_sa)) as t(tax, has)`;
}

function sumPositions(companyId: string, viewerClients: SQL, today: PlainDate): SQL {
  const isRead = sql`p.as_of is not null`;
  const countClientsWith = (condition: SQL): SQL => sql`count(*) filter (where ${condition})`;
  return sql`
    select s.viewer, t.tax, count(*) as clients, ${countClientsWith(isRead)} as read_clients,
      ${countClientsWith(sql`p.as_of is null`)} as incomplete_clients, ${countClientsWith(sql`p.as_of is null`)} as unread_clients,
      ${countClientsWith(sql`${isRead} and p.stale_on <= ${today}::date`)} as stale_clients,
      coalesce(sum(p.owed_pence), 0)::bigint as owed_pence, ${countClientsWith(sql`p.owed_pence > 0`)} as owed_clients,
      coalesce(sum(p.overdue_pence), 0)::bigint as overdue_pence, ${countClientsWith(sql`p.overdue_pence > 0`)} as overdue_clients,
      coalesce(sum(p.refund_pence), 0)::bigint as refund_pence, ${countClientsWith(sql`p.refund_pence > 0`)} as refund_clients,
      coalesce(sum(p.overdue_returns), 0)::bigint as overdue_returns, ${countClientsWith(sql`p.overdue_returns > 0`)} as overdue_return_clients,
      coalesce(sum(p.overdue_updates), 0)::bigint as overdue_updates, ${countClientsWith(sql`p.overdue_updates > 0`)} as overdue_update_clients,
      coalesce(sum(p.penalty_pence + p.interest_pence), 0)::bigint as at_risk_pence,
      ${countClientsWith(sql`p.penalty_pence + p.interest_pence > 0`)} as at_risk_clients
    from ${expandByTax(viewerClients)}
    left join tax_positions p on p.company_id = ${companyId} and p.client_id = s.id and p.tax = t.tax
    where t.has and ${IS_ACTIVE} group by s.viewer, t.tax`;
}

const WINDOWS = [7, 30, 90] as const;
type WindowsRow = { viewer: string; tax: Tab } & Record<`clients_${7 | 30 | 90}` | `items_${7 | 30 | 90}`, number> &
  Record<`amount_${7 | 30 | 90}`, Pence | null>;

/**
 * Counts items due within 7, 30 and 90 days, with their clients, by tax and over all taxes. Includes clients with an overdue item. The list
 * filters by the same condition (clients/client-figures.ts).
 */
function countWindows(companyId: string, viewerClients: SQL, today: PlainDate): SQL {
  const buildColumns = (getColumns: (days: string, until: SQL) => SQL): SQL =>
    sql.join(
      WINDOWS.map((days) => getColumns(String(days), sql`${today}::date + ${sql.raw(String(days))}`)),
      sql`, `,
    );
  const perClient = buildColumns(
    (days, untilSql) => sql`count(*) filter (where d.due_on <= ${untilSql}) as ${sql.raw(`items_${days}`)},
      sum(d.amount_pence) filter (where d.amount_pence > 0 and d.due_on <= ${untilSql}) as ${sql.raw(`amount_${days}`)}`,
  );
  const sums = buildColumns((days) =>
    sql.raw(`sum(items_${days})::bigint as items_${days}, sum(amount_${days})::bigint as amount_${days}`),
  );
  const clients = buildColumns((days, untilSql) => sql`count(*) filter (where first_due <= ${untilSql}) as ${sql.raw(`clients_${days}`)}`);
  return sql`
    with by_tax as (
      select s.viewer, s.id, d.tax, min(d.due_on) as first_due, ${perClient}
      from (${viewerClients}) s join due_items d on d.company_id = ${companyId} and d.client_id = s.id
      where ${HAS_TAX_OF_ITEM} and ${IS_ACTIVE} and d.what <> 'refund' and d.due_on between ${today}::date and ${today}::date + 90
      group by s.viewer, s.id, d.tax
    ), by_client as (
      select viewer, min(first_due) as first_due, ${sums} from by_tax group by viewer, id
    )
    select viewer, tax, ${clients}, ${sums} from by_tax group by viewer, tax
    union all select viewer, 'all', ${clients}, ${sums} from by_client group by viewer`;
}

type Flow = 'pay' | 'receive';
/** `…_unread`: a sum of this tax is "at least"; `…_incomplete`: so is one over all taxes, of which another may be unread. */
type MonthRow = { viewer: string; tax: Tax; month: PlainDate } & Record<Flow, Pence> &
  Record<`${Flow}_${'unread' | 'incomplete'}`, boolean>;

/**
 * Sums payments and refunds by month. Overdue items count in the current month. The list behind a month counts the same items, and is "at
 * least" by the same conditions (clients/client-figures.ts).
 */
function sumMonths(companyId: string, viewerClients: SQL, today: PlainDate): SQL {
  const thisMonth = getStartOfMonth(today);
  const buildColumns = (flow: Flow, isFlow: SQL): SQL => {
    const [amount, unreadColumn, incompleteColumn] = [flow, `${flow}_unread`, `${flow}_incomplete`].map((name) => sql.raw(name));
    const isPartial = (isClientPartial: SQL): SQL =>
      sql`coalesce(bool_or(${isClientPartial} or (${IS_UNKNOWN_AMOUNT})) filter (where ${isFlow}), false)`;
    return sql`coalesce(sum(abs(d.amount_pence)) filter (where ${isFlow}), 0)::bigint as ${amount},
      ${isPartial(isUnreadSql('p'))} as ${unreadColumn}, ${isPartial(isIncompleteSql('r'))} as ${incompleteColumn}`;
  };
  return sql`
    select s.viewer, d.tax, greatest(date_trunc('month', d.due_on)::date, ${thisMonth}::date)::text as month,
      ${buildColumns('pay', FLOWS.payIn)}, ${buildColumns('receive', FLOWS.refundIn)}
    from (${viewerClients}) s join due_items d on d.company_id = ${companyId} and d.client_id = s.id
    join client_rows r on r.company_id = ${companyId} and r.client_id = s.id
    left join tax_positions p on p.company_id = ${companyId} and p.client_id = s.id and p.tax = d.tax
    where ${HAS_TAX_OF_ITEM} and ${IS_ACTIVE} and d.due_on < ${addMonths(thisMonth, 12)}::date group by s.viewer, d.tax, 3`;
}

function sumByMonth(today: PlainDate, tab: Tab, months: readonly MonthRow[]): PracticeTotals['by_month'] {
  const partialKind = tab === 'all' ? 'incomplete' : 'unread';
  return Array.from({ length: 12 }, (_, index) => {
    const month = addMonths(getStartOfMonth(today), index);
    const rows = months.filter((candidate) => candidate.month === month);
    return {
      month,
      to_pay_pence: sumPence(rows.map((row) => row.pay)),
      to_pay_is_partial: rows.some((row) => row[`pay_${partialKind}`]),
      to_receive_pence: sumPence(rows.map((row) => row.receive)),
      to_receive_is_partial: rows.some((row) => row[`receive_${partialKind}`]),
    };
  });
}

const ZERO_FIGURES: Figures = {
  clients: 0,
  read_clients: 0,
  incomplete_clients: 0,
  unread_clients: 0,
  stale_clients: 0,
  owed_pence: ZERO,
  owed_clients: 0,
  overdue_pence: ZERO,
  overdue_clients: 0,
  refund_pence: ZERO,
  refund_clients: 0,
  overdue_returns: 0,
  overdue_return_clients: 0,
  overdue_updates: 0,
  overdue_update_clients: 0,
  at_risk_pence: ZERO,
  at_risk_clients: 0,
};

function toPracticeTotals(
  tax: Tab,
  foundFigures: Figures | undefined,
  window: WindowsRow | undefined,
  byMonth: PracticeTotals['by_month'],
): PracticeTotals {
  const buildDueColumns = (days: 7 | 30 | 90) => ({
    clients: window?.[`clients_${days}`] ?? 0,
    items: window?.[`items_${days}`] ?? 0,
    amount_pence: window?.[`amount_${days}`] ?? null,
  });
  return {
    ...(foundFigures ?? ZERO_FIGURES),
    tax,
    due: { 7: buildDueColumns(7), 30: buildDueColumns(30), 90: buildDueColumns(90) },
    by_month: byMonth,
  };
}
