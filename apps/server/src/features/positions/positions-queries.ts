/** Reads positions for the API. rebuild-position.ts writes them; nothing is computed here. */
import type { Db } from '@portal/db/database.ts';
import { clientAuthorisations, clientRows, clients, dueItems, hmrcConnections, taxPositions } from '@portal/db/schema/schema.ts';
import { getAuthorisationStatus } from '@portal/domain/authorisations/describe-authorisation.ts';
import { toLondonDate, type Clock, type Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { isId } from '../../http/resolve-tenant.ts';
import { getTaxFiguresState } from '@portal/domain/positions/figures-state.ts';
import type { PositionDetail } from '@portal/domain/positions/position.ts';
import { RULES_VERSION } from '@portal/domain/positions/rules-version.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { and, asc, eq, sql, type SQL } from '@portal/db/sql.ts';
import { getHmrcConnectionStatus } from '../connections/connection-status.ts';
import { isVisibleTo } from './visible-clients.ts';
import { DUE_ITEM_COLUMNS } from './due-item-columns.ts';

const FIGURES = {
  tax: taxPositions.tax,
  owed_pence: taxPositions.owedPence,
  overdue_pence: taxPositions.overduePence,
  overdue_since: taxPositions.overdueSince,
  refund_pence: taxPositions.refundPence,
  overdue_returns: taxPositions.overdueReturns,
  overdue_updates: taxPositions.overdueUpdates,
  penalty_points: taxPositions.penaltyPoints,
  points_threshold: taxPositions.pointsThreshold,
  penalty_pence: taxPositions.penaltyPence,
  interest_pence: taxPositions.interestPence,
  is_estimate: taxPositions.isEstimate,
  next_due_on: taxPositions.nextDueOn,
  next_due_what: taxPositions.nextDueWhat,
  next_due_pence: taxPositions.nextDuePence,
  source: taxPositions.source,
  as_of: taxPositions.asOf,
  stale_on: taxPositions.staleOn,
  refresh_failed: taxPositions.refreshFailed,
};

type StoredFigures = {
  readonly as_of: Instant | null;
  readonly stale_on: PlainDate | null;
  readonly owed_pence: Pence;
  readonly overdue_pence: Pence;
  readonly refund_pence: Pence;
  readonly overdue_returns: number;
  readonly overdue_updates: number;
  readonly penalty_pence: Pence;
  readonly interest_pence: Pence;
};

/**
 * Returns the tax's state and its figures. For a tax that has never been read, the dates that follow from rules are known but amounts
 * aren't: unknown must not look like zero.
 */
function toTaxFigures<Row extends StoredFigures>({ stale_on: staleOn, ...figures }: Row, today: PlainDate) {
  const isRead = figures.as_of !== null;
  const hideUnlessRead = <Value>(value: Value): Value | null => (isRead ? value : null);
  return {
    ...figures,
    figures_state: getTaxFiguresState({ isRead, staleOn }, today),
    owed_pence: hideUnlessRead(figures.owed_pence),
    overdue_pence: hideUnlessRead(figures.overdue_pence),
    refund_pence: hideUnlessRead(figures.refund_pence),
    overdue_returns: hideUnlessRead(figures.overdue_returns),
    overdue_updates: hideUnlessRead(figures.overdue_updates),
    penalty_pence: hideUnlessRead(figures.penalty_pence),
    interest_pence: hideUnlessRead(figures.interest_pence),
  };
}

/**
 * Finds the position of one client for one tax. All fields are null when nothing is known. `detail` is also null until an older one is
 * rebuilt.
 */
export async function getPosition(db: Db, companyId: string, clientId: string, tax: Tax, today: PlainDate) {
  const [row] = await db
    .select({ figures: FIGURES, detail: taxPositions.detail, rulesVersion: taxPositions.rulesVersion })
    .from(taxPositions)
    .where(and(eq(taxPositions.companyId, companyId), eq(taxPositions.clientId, clientId), eq(taxPositions.tax, tax)));
  // After a release, the detail keeps its old shape until the position is rebuilt.
  const detail = row === undefined || row.rulesVersion < RULES_VERSION ? null : (row.detail as Mutable<PositionDetail>);
  return { client_id: clientId, figures: row ? toTaxFigures(row.figures, today) : null, detail };
}

/** Removes `readonly`, because the contract's response types are mutable. */
type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends string | number | boolean | null
    ? T
    : { [K in keyof T]: Mutable<T[K]> };

/** Returns the taxes of one client. */
export async function getClientTaxes({ db, clock }: { readonly db: Db; readonly clock: Clock }, companyId: string, clientId: string) {
  const today = clock.today();
  const isThisClient = and(eq(clients.companyId, companyId), eq(clients.id, clientId));
  const [client] = await db
    .select({ name: clients.name, vat: clients.hasVat, paye: clients.hasPaye, ct: clients.hasCt, sa: clients.hasSa })
    .from(clients)
    .where(isThisClient);
  if (!client) throw createNotFoundError();
  const positions = await db
    .select(FIGURES)
    .from(taxPositions)
    .where(and(eq(taxPositions.companyId, companyId), eq(taxPositions.clientId, clientId)));
  const authorisations = await db
    .select({
      tax: clientAuthorisations.tax,
      status: clientAuthorisations.status,
      sentAt: clientAuthorisations.sentAt,
      expiresOn: clientAuthorisations.expiresOn,
    })
    .from(clientAuthorisations)
    .where(and(eq(clientAuthorisations.companyId, companyId), eq(clientAuthorisations.clientId, clientId)));
  const [connection] = await db.select().from(hmrcConnections).where(eq(hmrcConnections.companyId, companyId));
  const hmrcConnection = getHmrcConnectionStatus(connection ?? null, clock.now());
  const taxes = TAXES.filter((tax) => client[tax]);
  const getFigures = (tax: Tax) => {
    const storedPosition = positions.find((entry) => entry.tax === tax);
    return storedPosition ? toTaxFigures(storedPosition, today) : null;
  };
  return {
    client_company_id: clientId,
    name: client.name,
    taxes: taxes.map((tax) => {
      const storedAuthorisation = authorisations.find((entry) => entry.tax === tax);
      return {
        tax,
        figures: getFigures(tax),
        authorisation: getAuthorisationStatus({
          tax,
          status: storedAuthorisation?.status ?? null,
          sentOn: storedAuthorisation?.sentAt ? toLondonDate(storedAuthorisation.sentAt) : null,
          expiresOn: storedAuthorisation?.expiresOn ?? null,
          hmrcConnection,
          today,
        }),
      };
    }),
  };
}

export type PageRequest = { readonly cursor?: string | undefined; readonly limit: number };

/** Lists items due for one tax, earliest first. Each page is one index scan from the cursor. */
export async function listUpcomingItems(
  db: Db,
  companyId: string,
  tax: Tax,
  actor: Actor,
  page: PageRequest & { readonly clientId?: string | undefined },
) {
  const cursorPosition = parseCursor(page.cursor, 3);
  const items = await db
    .select({
      client_id: dueItems.clientId,
      client_name: clients.name,
      ...DUE_ITEM_COLUMNS,
      period_start: dueItems.periodStart,
      period_end: dueItems.periodEnd,
    })
    .from(dueItems)
    .innerJoin(clients, and(eq(clients.companyId, dueItems.companyId), eq(clients.id, dueItems.clientId)))
    .where(
      and(
        eq(dueItems.companyId, companyId),
        eq(dueItems.tax, tax),
        sql`${clients.status} not in ('inactive', 'closed')`,
        page.clientId === undefined ? undefined : eq(dueItems.clientId, page.clientId),
        isVisibleTo(actor, dueItems.companyId, dueItems.clientId),
        // Redundant on purpose: the date alone lets PostgreSQL start the index scan at the right place.
        cursorPosition && sql`${dueItems.dueOn} >= ${cursorPosition[0]}::date`,
        cursorPosition &&
          sql`(${dueItems.dueOn}, ${dueItems.clientId}, ${dueItems.key}) > (${cursorPosition[0]}::date, ${cursorPosition[1]}::uuid, ${cursorPosition[2]})`,
      ),
    )
    .orderBy(asc(dueItems.dueOn), asc(dueItems.clientId), asc(dueItems.key))
    .limit(page.limit + 1);
  return {
    items: items.slice(0, page.limit),
    next_cursor: toNextCursor(items, page.limit, ({ due_on, client_id, key }) => [due_on, client_id, key]),
  };
}

/** Lists clients with Self Assessment by next due date. Those without a date come last. */
export async function listSelfAssessmentClients(
  db: Db,
  companyId: string,
  actor: Actor,
  { today, ...page }: PageRequest & { today: PlainDate },
) {
  const cursorPosition = parseCursor(page.cursor, 2);
  const nextDue = sql<PlainDate>`coalesce(${taxPositions.nextDueOn}, '9999-12-31'::date)`;
  const rows = await db
    .select({ client_id: clientRows.clientId, name: clientRows.name, sort: sql<string>`${nextDue}::text`, figures: FIGURES })
    .from(clientRows)
    .leftJoin(
      taxPositions,
      and(eq(taxPositions.companyId, clientRows.companyId), eq(taxPositions.clientId, clientRows.clientId), eq(taxPositions.tax, 'sa')),
    )
    .where(
      and(
        eq(clientRows.companyId, companyId),
        clientRows.hasSa,
        isVisibleTo(actor, clientRows.companyId, clientRows.clientId),
        cursorPosition && sql`(${nextDue}, ${clientRows.clientId}) > (${cursorPosition[0]}::date, ${cursorPosition[1]}::uuid)`,
      ),
    )
    .orderBy(nextDue, asc(clientRows.clientId))
    .limit(page.limit + 1);
  const matchingRows = rows
    .slice(0, page.limit)
    .map(({ client_id, name, figures }) => ({ client_id, name, figures: figures ? toTaxFigures(figures, today) : null }));
  return { clients: matchingRows, next_cursor: toNextCursor(rows, page.limit, ({ sort, client_id }) => [sort, client_id]) };
}

/**
 * Finds the April-based year in which the earliest stored period ends. `periods` is sorted newest first, so its last element is the
 * earliest.
 */
export async function findMinimumYear(
  db: Db,
  companyId: string,
  tax: Tax,
  actor: Actor,
  clientId: string | undefined,
): Promise<number | null> {
  const conditions: (SQL | undefined)[] = [
    eq(taxPositions.companyId, companyId),
    eq(taxPositions.tax, tax),
    clientId === undefined ? undefined : eq(taxPositions.clientId, clientId),
    isVisibleTo(actor, taxPositions.companyId, taxPositions.clientId),
  ];
  const [row] = await db
    .select({ first: sql<string | null>`min(${taxPositions.detail} #>> '{periods,-1,end}')` })
    .from(taxPositions)
    .where(and(...conditions));
  return row?.first ? toAprilYear(row.first as PlainDate) : null;
}

/** January to March count towards the previous year (docs/product/specification.md section 9). */
export function toAprilYear(date: PlainDate): number {
  const year = Number(date.slice(0, 4));
  return date.slice(5, 7) >= '04' ? year : year - 1;
}

function toNextCursor<Row>(rows: readonly Row[], limit: number, getKey: (row: Row) => readonly string[]): string | null {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return last === undefined ? null : Buffer.from(JSON.stringify(getKey(last))).toString('base64url');
}

/** An invalid cursor returns the first page, which reveals nothing extra. */
function parseCursor(cursor: string | undefined, length: number): readonly string[] | undefined {
  if (cursor === undefined) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (!Array.isArray(parts) || parts.length !== length || !parts.every(isStorableText)) return undefined;
    const [date = '', id = ''] = parts;
    return (date === NEVER_DUE || parsePlainDate(date) !== undefined) && isId(id) ? parts : undefined;
  } catch {
    return undefined;
  }
}

function isStorableText(part: unknown): part is string {
  return typeof part === 'string' && !part.includes('\0');
}
