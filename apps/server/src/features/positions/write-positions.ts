/** Writes positions and their due items in one statement for any number of clients. Unchanged due items are not written. */
import type { Tx } from '@portal/db/database.ts';
import type { Position } from '@portal/domain/positions/position.ts';
import { RULES_VERSION } from '@portal/domain/positions/rules-version.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { sql } from '@portal/db/sql.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { getNextDueKind } from '@portal/domain/positions/position.ts';

/** Why positions are rebuilt: a source has new data, or only the day has changed. */
export type ChangeCause = 'data' | 'day';

/**
 * `now` becomes the date of computed due items. If `cause` is set, changes in figures are recorded, except those caused by new rules or by
 * edits to the client's details.
 */
export type RebuildScope = {
  readonly companyId: string;
  readonly today: PlainDate;
  readonly now: Instant;
  readonly cause?: ChangeCause | undefined;
};

/** A client's position for a tax. Null if the client doesn't have the tax. */
export type ClientPosition = { readonly clientId: string; readonly tax: Tax; readonly position: Position | null };

/** The caller has locked the clients. Deletes due items that are no longer listed for a client and tax. */
export async function writePositions(tx: Tx, { companyId, now }: RebuildScope, list: readonly ClientPosition[]): Promise<void> {
  const targets = list.map(({ clientId, tax, position }) => ({ client_id: clientId, tax, has: position !== null }));
  const positions = list.flatMap(({ clientId, position }) => (position ? [toRow(clientId, position)] : []));
  const items = list.flatMap(({ clientId, tax, position }) =>
    (position?.items ?? []).map((item) => ({ client_id: clientId, tax, ...item, as_of: item.as_of ?? now })),
  );
  await tx.execute(sql`
    with wanted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) as w(client_id uuid, tax text, has boolean)
    ), items as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i(client_id uuid, tax text, key text, what text, kind text, due_on date,
        amount_pence bigint, title text, period_start date, period_end date, source text, as_of timestamptz)
    ), lost as (
      delete from tax_positions p using wanted w
      where not w.has and p.company_id = ${companyId} and p.client_id = w.client_id and p.tax = w.tax
    ), past as (
      delete from due_items d using wanted w
      where d.company_id = ${companyId} and d.client_id = w.client_id and d.tax = w.tax
        and not exists (select from items i where i.client_id = d.client_id and i.tax = d.tax and i.key = d.key)
    ), due as (
      insert into due_items as d (company_id, client_id, tax, key, what, kind, due_on, amount_pence, title, period_start, period_end, source, as_of)
      select ${companyId}::uuid, i.* from items i
      on conflict (company_id, client_id, tax, key) do update set what = excluded.what, kind = excluded.kind, due_on = excluded.due_on,
        amount_pence = excluded.amount_pence, title = excluded.title, period_start = excluded.period_start, period_end = excluded.period_end,
        source = excluded.source, as_of = excluded.as_of
      where (d.what, d.kind, d.due_on, d.amount_pence, d.title, d.period_start, d.period_end, d.source, d.as_of)
        is distinct from (excluded.what, excluded.kind, excluded.due_on, excluded.amount_pence, excluded.title, excluded.period_start, excluded.period_end,
          excluded.source, excluded.as_of)
    )
    insert into tax_positions (company_id, ${POSITION_COLUMN_NAMES})
    select ${companyId}::uuid, ${POSITION_COLUMN_NAMES} from jsonb_to_recordset(${JSON.stringify(positions)}::jsonb) as p(${POSITION_RECORD_COLUMNS})
    on conflict (company_id, client_id, tax) do update set ${POSITION_UPDATES}`);
}

/** The columns of tax_positions with their SQL types. */
const POSITION_COLUMNS = {
  client_id: 'uuid',
  tax: 'text',
  owed_pence: 'bigint',
  overdue_pence: 'bigint',
  overdue_since: 'date',
  refund_pence: 'bigint',
  overdue_returns: 'int',
  overdue_updates: 'int',
  penalty_points: 'int',
  points_threshold: 'int',
  penalty_pence: 'bigint',
  interest_pence: 'bigint',
  computed_on: 'date',
  is_estimate: 'boolean',
  next_due_on: 'date',
  next_due_what: 'text',
  next_due_pence: 'bigint',
  source: 'text',
  as_of: 'timestamptz',
  rules_version: 'int',
  detail: 'jsonb',
} as const;

type PositionColumn = keyof typeof POSITION_COLUMNS;

const POSITION_COLUMN_NAMES = sql.raw(Object.keys(POSITION_COLUMNS).join(', '));
const POSITION_RECORD_COLUMNS = sql.raw(
  Object.entries(POSITION_COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
);
const POSITION_UPDATES = sql.raw(
  Object.keys(POSITION_COLUMNS)
    .filter((name) => name !== 'client_id' && name !== 'tax')
    .map((name) => `${name} = excluded.${name}`)
    .join(', '),
);

function toRow(clientId: string, position: Position): Record<PositionColumn, unknown> {
  const { nextDue } = position;
  return {
    client_id: clientId,
    tax: position.tax,
    owed_pence: position.owed,
    overdue_pence: position.overdue,
    overdue_since: position.overdueSince,
    refund_pence: position.refund,
    overdue_returns: position.overdueReturns,
    overdue_updates: position.overdueUpdates,
    penalty_points: position.points,
    points_threshold: position.pointsThreshold,
    penalty_pence: position.penalty,
    interest_pence: position.interest,
    computed_on: position.detail.computed_on,
    is_estimate: position.isEstimate,
    next_due_on: nextDue?.due_on ?? null,
    next_due_what: nextDue && getNextDueKind(nextDue.kind),
    next_due_pence: nextDue?.amount_pence ?? null,
    source: position.source,
    as_of: position.asOf,
    rules_version: RULES_VERSION,
    detail: position.detail,
  };
}
