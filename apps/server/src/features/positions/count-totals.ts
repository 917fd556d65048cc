/**
 * Counts the totals of a practice, and of each person's assigned clients, from positions and due items. All counts use one database
 * snapshot, unaffected by concurrent writes.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { parseDatabaseInstant } from '@portal/db/schema/columns.ts';
import type { OverallTotals, PracticeTotals } from '@portal/db/schema/schema.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { addMonths, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { sql, type SQL } from 'drizzle-orm';

/** The viewer ID of totals over all clients, which admins see. No user has the nil UUID. */
export const WHOLE_PRACTICE = '00000000-0000-0000-0000-000000000000';

const startOfMonth = (day: PlainDate): PlainDate => plainDate(`${day.slice(0, 7)}-01`);

export type CountedTotals = {
  readonly viewerId: string;
  /** Identifies the clients that were counted (see `assignmentsFingerprint`). Empty for the whole practice. */
  readonly assigned: string;
  readonly overall: OverallTotals;
  readonly totals: readonly PracticeTotals[];
};

/** A fingerprint of the clients assigned to a person. It differs after any change of assignments. */
export function assignmentsFingerprint(companyId: SQL | string, userId: SQL | string): SQL<string> {
  return sql<string>`(select count(*) || ':' || coalesce(sum(uuid_hash_extended(client_id, 0)), 0) from client_members
    where company_id = ${companyId} and user_id = ${userId})`;
}

/**
 * Totals of one viewer, or of the practice and everybody with assigned clients. A viewer without clients is included only when requested by
 * ID.
 */
export function countTotals(db: Db, companyId: string, today: PlainDate, viewerId?: string): Promise<readonly CountedTotals[]> {
  // All statements read one snapshot, so that a person's figures cover exactly the clients in `assigned`.
  return db.transaction((tx) => countInTransaction(tx, companyId, today, viewerId), { isolationLevel: 'repeatable read' });
}

export async function countInTransaction(
  tx: Tx,
  companyId: string,
  today: PlainDate,
  viewerId?: string,
): Promise<readonly CountedTotals[]> {
  const viewerClients = selectViewerClients(companyId, viewerId);
  const { rows: overall } = await tx.execute<OverallRow>(countClients(companyId, viewerClients));
  const { rows: figures } = await tx.execute<FiguresRow>(sumPositions(companyId, viewerClients));
  const { rows: months } = await tx.execute<MonthRow>(sumItems(companyId, viewerClients, today));
  const viewers = new Set([...(viewerId === undefined ? [WHOLE_PRACTICE] : [viewerId]), ...overall.map(({ viewer }) => viewer)]);
  return [...viewers].map((viewer) => ({
    viewerId: viewer,
    assigned: overall.find((row) => row.viewer === viewer)?.assigned ?? (viewer === WHOLE_PRACTICE ? '' : '0:0'),
    overall: toOverallTotals(overall.find((row) => row.viewer === viewer)),
    totals: TAXES.map((tax) => {
      const isOfViewer = (row: { viewer: string; tax: Tax }): boolean => row.viewer === viewer && row.tax === tax;
      return toPracticeTotals(tax, today, figures.find(isOfViewer), months.filter(isOfViewer));
    }),
  }));
}

/** Pairs of viewer and client, with the client's columns. */
function selectViewerClients(companyId: string, viewerId: string | undefined): SQL {
  const all = sql`select ${WHOLE_PRACTICE}::uuid as viewer, c.* from clients c where c.company_id = ${companyId}`;
  if (viewerId === WHOLE_PRACTICE) return all;
  const viewerCondition = viewerId === undefined ? sql`` : sql`and user_id = ${viewerId}`;
  const assigned = sql`select m.user_id as viewer, c.*
    from (select distinct user_id, client_id from client_members where company_id = ${companyId} ${viewerCondition}) m
    join clients c on c.company_id = ${companyId} and c.id = m.client_id`;
  return viewerId === undefined ? sql`${all} union all ${assigned}` : assigned;
}

const IS_ACTIVE = sql`s.status not in ('inactive', 'closed')`;

type OverallRow = {
  viewer: string;
  assigned: string;
  clients: number;
  active: number;
  overdue: number;
  refund: number;
  read_from: string | null;
  read_to: string | null;
};

function countClients(companyId: string, viewerClients: SQL): SQL {
  return sql`
    with counted as (
      select s.viewer, count(*) as clients, count(*) filter (where ${IS_ACTIVE}) as active,
        count(*) filter (where ${IS_ACTIVE} and r.overdue_pence > 0) as overdue, count(*) filter (where ${IS_ACTIVE} and r.refund_pence > 0) as refund,
        min(r.as_of) as read_from, max(r.as_of) as read_to
      from (${viewerClients}) s join client_rows r on r.company_id = ${companyId} and r.client_id = s.id
      group by s.viewer
    )
    select counted.*, case when viewer = ${WHOLE_PRACTICE} then '' else ${assignmentsFingerprint(companyId, sql`counted.viewer`)} end as assigned from counted`;
}

function toOverallTotals(row: OverallRow | undefined): OverallTotals {
  return {
    all: row?.clients ?? 0,
    active: row?.active ?? 0,
    overdue: row?.overdue ?? 0,
    refund: row?.refund ?? 0,
    read_from: row?.read_from ? parseDatabaseInstant(row.read_from) : null,
    read_to: row?.read_to ? parseDatabaseInstant(row.read_to) : null,
  };
}

/** The part of `PracticeTotals` that comes from positions. */
type Figures = Omit<PracticeTotals, 'tax' | 'due' | 'by_month'>;
type FiguresRow = { viewer: string; tax: Tax } & Figures;

/** An active client that has a tax is counted for it, with or without a position. */
function expandByTax(viewerClients: SQL): SQL {
  return sql`(${viewerClients}) s cross join lateral (values ('vat', s.has_vat), ('paye', s.has_paye), ('ct', s.has_ct), ('sa', s.has_sa)) as t(tax, has)`;
}

function sumPositions(companyId: string, viewerClients: SQL): SQL {
  return sql`
    select s.viewer, t.tax, count(*) as clients,
      coalesce(sum(p.owed_pence), 0)::bigint as owed_pence, coalesce(sum(p.overdue_pence), 0)::bigint as overdue_pence,
      count(*) filter (where p.overdue_pence > 0) as overdue_clients,
      coalesce(sum(p.refund_pence), 0)::bigint as refund_pence, count(*) filter (where p.refund_pence > 0) as refund_clients,
      coalesce(sum(p.overdue_returns), 0)::bigint as overdue_returns,
      coalesce(sum(p.penalty_pence + p.interest_pence), 0)::bigint as at_risk_pence
    from ${expandByTax(viewerClients)}
    left join tax_positions p on p.company_id = ${companyId} and p.client_id = s.id and p.tax = t.tax
    where t.has and ${IS_ACTIVE} group by s.viewer, t.tax`;
}

type MonthRow = {
  viewer: string;
  tax: Tax;
  month: PlainDate;
  to_pay: Pence;
  to_receive: Pence;
} & Record<`items_${7 | 30 | 90}`, number> &
  Record<`amount_${7 | 30 | 90}`, Pence>;

/**
 * Sums due items by month. The counts for 7, 30 and 90 days are split over the months they fall in. Overdue items count in the current
 * month.
 */
function sumItems(companyId: string, viewerClients: SQL, today: PlainDate): SQL {
  const within = (days: number): SQL =>
    sql`where d.what <> 'refund' and d.due_on between ${today}::date and ${today}::date + ${sql.raw(String(days))}`;
  const windowColumns = (days: number): SQL => sql`count(*) filter (${within(days)}) as ${sql.raw(`items_${days}`)},
      coalesce(sum(greatest(d.amount_pence, 0)) filter (${within(days)}), 0)::bigint as ${sql.raw(`amount_${days}`)}`;
  const thisMonth = startOfMonth(today);
  return sql`
    select s.viewer, t.tax, greatest(date_trunc('month', d.due_on)::date, ${thisMonth}::date)::text as month,
      coalesce(sum(d.amount_pence) filter (where d.what = 'payment'), 0)::bigint as to_pay,
      coalesce(-sum(d.amount_pence) filter (where d.what = 'refund'), 0)::bigint as to_receive,
      ${windowColumns(7)}, ${windowColumns(30)}, ${windowColumns(90)}
    from ${expandByTax(viewerClients)}
    join due_items d on d.company_id = ${companyId} and d.client_id = s.id and d.tax = t.tax
    where t.has and ${IS_ACTIVE} and d.due_on < ${addMonths(thisMonth, 12)}::date group by s.viewer, t.tax, 3`;
}

const ZERO_FIGURES: Figures = {
  clients: 0,
  owed_pence: pence(0),
  overdue_pence: pence(0),
  overdue_clients: 0,
  refund_pence: pence(0),
  refund_clients: 0,
  overdue_returns: 0,
  at_risk_pence: pence(0),
};

function toPracticeTotals(tax: Tax, today: PlainDate, figures: FiguresRow | undefined, months: readonly MonthRow[]): PracticeTotals {
  const { viewer: _viewer, tax: _tax, ...ownFigures } = figures ?? { viewer: '', tax, ...ZERO_FIGURES };
  const sum = (getValue: (row: MonthRow) => number): number => months.reduce((total, row) => total + getValue(row), 0);
  const due = (days: 7 | 30 | 90) => ({
    items: sum((row) => row[`items_${days}`]),
    amount_pence: pence(sum((row) => row[`amount_${days}`])),
  });
  return {
    tax,
    ...ownFigures,
    due: { 7: due(7), 30: due(30), 90: due(90) },
    by_month: Array.from({ length: 12 }, (_, index) => {
      const month = addMonths(startOfMonth(today), index);
      const row = months.find((candidate) => candidate.month === month);
      return { month, to_pay_pence: row?.to_pay ?? pence(0), to_receive_pence: row?.to_receive ?? pence(0) };
    }),
  };
}
