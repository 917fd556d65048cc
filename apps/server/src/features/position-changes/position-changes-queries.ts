/** The net change of each client and tax since the start of yesterday. */
import { POSITION_CHANGES_PAGE_SIZE, type POSITION_CHANGE_GROUPS } from '@portal/contract/position-changes.ts';
import { clients, positionChanges } from '@portal/db/schema/schema.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { describePositionChange, type PositionFigures } from '@portal/domain/positions/describe-position-change.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, desc, eq, max, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';

type ListInput = { readonly tax?: Tax | undefined; readonly group: Group; readonly from: number };
type Group = (typeof POSITION_CHANGE_GROUPS)[number];

export async function listPositionChanges(
  { database: { db }, clock }: AppDeps,
  companyId: string,
  actor: Actor,
  { tax, group, from }: ListInput,
) {
  const since = addDays(clock.today(), -1);
  const changedAt = max(positionChanges.changedAt);
  const rows = await db
    .select({
      clientId: clients.id,
      name: clients.name,
      tax: positionChanges.tax,
      changedAt,
      before: sql<PositionFigures>`(array_agg(${positionChanges.before} order by ${positionChanges.changedAt}))[1]`,
      after: sql<PositionFigures>`(array_agg(${positionChanges.after} order by ${positionChanges.changedAt} desc))[1]`,
    })
    .from(positionChanges)
    .innerJoin(clients, and(eq(clients.companyId, positionChanges.companyId), eq(clients.id, positionChanges.clientId)))
    .where(
      and(
        eq(positionChanges.companyId, companyId),
        sql`${positionChanges.changedAt} >= (${since}::date::timestamp at time zone 'Europe/London')`,
        tax === undefined ? undefined : eq(positionChanges.tax, tax),
        sql`${clients.status} not in ('inactive', 'closed')`,
        isVisibleTo(actor, clients.companyId, clients.id),
      ),
    )
    .groupBy(clients.id, clients.name, positionChanges.tax)
    .orderBy(desc(changedAt), clients.name, clients.id);
  // A figure that changed and then changed back isn’t a change.
  const changes = rows.flatMap((row) => {
    const details = describePositionChange(row.before, row.after);
    if (details.length === 0 || row.changedAt === null) return [];
    const ofGroup: Group = details.some(({ kind }) => kind === 'first_figures') ? 'first' : 'changed';
    return [
      { ofGroup, change: { client_id: row.clientId, name: row.name, tax: row.tax, changed_at: row.changedAt, details: [...details] } },
    ];
  });
  const list = (shownGroup: Group) => changes.filter(({ ofGroup }) => ofGroup === shownGroup);
  return {
    since,
    totals: { changed: list('changed').length, first: list('first').length },
    changes: list(group)
      .slice(from, from + POSITION_CHANGES_PAGE_SIZE)
      .map(({ change }) => change),
  };
}
