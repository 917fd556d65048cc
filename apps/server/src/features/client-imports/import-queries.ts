/** Queries for imports and their rows. */
import type { ImportOutcome, RowFilter } from '@portal/domain/client-imports/import-states.ts';
import type { ImportTable } from '@portal/domain/client-imports/import-table.ts';
import type { ClientImport, ClientImportRow } from '@portal/contract/client-imports.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientImportRows, clientImports, clients, users } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, asc, desc, eq, gt, inArray, sql } from '@portal/db/sql.ts';
import { isListSource } from '@portal/domain/client-imports/import-states.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findNumberHolders } from './number-holders.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ImportKey } from './apply-rows.ts';

const DAY_MS = 86_400_000;

/** Returns the import with the given ID, or the newest one. */
export async function findImport(
  deps: AppDeps,
  companyId: string,
  importId?: string,
  db: Db | Tx = deps.database.db,
): Promise<ClientImport | null> {
  const [foundImport] = await db
    .select({ record: clientImports, startedBy: users.fullName })
    .from(clientImports)
    .innerJoin(users, eq(users.id, clientImports.startedBy))
    .where(and(eq(clientImports.companyId, companyId), importId === undefined ? undefined : eq(clientImports.id, importId)))
    .orderBy(desc(clientImports.createdAt), desc(clientImports.id))
    .limit(1);
  if (!foundImport) return null;
  const { record, startedBy } = foundImport;
  // Counts stored before a field was introduced lack that field.
  const {
    counts: storedCounts,
    applied,
    undone,
  } = (record.rowCounts as RowCounts | null) ?? (await countRows(db, { companyId, importId: record.id }));
  return {
    import_id: record.id,
    file_name: record.fileName,
    source: record.source,
    state: record.state,
    counts: {
      ...storedCounts,
      needs_fixing: storedCounts.needs_fixing ?? 0,
      not_client: storedCounts.not_client ?? 0,
      archived: storedCounts.archived ?? 0,
      status_differs: storedCounts.status_differs ?? 0,
    },
    status_choices: record.statusChoices,
    rows_done: record.rowsDone,
    rows_total: record.rowsTotal,
    applied,
    undone,
    ignored_columns: [...record.ignoredColumns],
    table: isMappable(record) && !isListSource(record.source) ? describeTable(record.table) : null,
    started_by: startedBy,
    created_at: record.createdAt,
    ended_at: record.endedAt,
    rows_removed: record.rowsRemovedAt !== null,
    undo_until: getUndoDeadline(record, applied.new + applied.matched, deps.clock.now()),
    reason: record.reason,
  };
}

export async function getImport(deps: AppDeps, companyId: string, importId: string, db?: Tx): Promise<ClientImport> {
  const foundImport = await findImport(deps, companyId, importId, db);
  if (!foundImport) throw createNotFoundError();
  return foundImport;
}

/**
 * Returns the end of the 24 hours in which an import can be undone. Null if nothing was applied, the import has already been undone or the
 * time has passed.
 */
export function getUndoDeadline(
  { state, endedAt }: Pick<typeof clientImports.$inferSelect, 'state' | 'endedAt'>,
  appliedCount: number,
  now: ReturnType<AppDeps['clock']['now']>,
): ReturnType<AppDeps['clock']['now']> | null {
  if (endedAt === null || appliedCount === 0 || (state !== 'completed' && state !== 'cancelled' && state !== 'failed')) return null;
  const deadline = addMilliseconds(endedAt, DAY_MS);
  return deadline > now ? deadline : null;
}

function isMappable<Row extends Pick<typeof clientImports.$inferSelect, 'state' | 'table'>>(
  record: Row,
): record is Row & { readonly table: ImportTable } {
  return record.table !== null && (record.state === 'mapping' || record.state === 'ready');
}

function describeTable({ sheets, sheet, headerLine, firstLines, headings, samples, columns }: ImportTable): ClientImport['table'] {
  return {
    sheets: [...sheets],
    sheet,
    header_line: headerLine,
    first_lines: [...firstLines],
    columns: headings.map((heading, index) => ({ heading, samples: [...(samples[index] ?? [])], target: columns[index] ?? null })),
  };
}

type RowCounts = Pick<ClientImport, 'counts' | 'applied' | 'undone'>;

/** The row is imported without a detail that we couldn't read. */
const NEEDS_FIXING = sql`${clientImportRows.outcome} in ('new', 'matched') and ${clientImportRows.undone} is null
  and jsonb_array_length(${clientImportRows.problems}) > 0`;

/** The row's client is created as archived. */
const IS_ARCHIVED = sql`${clientImportRows.outcome} = 'new' and ${clientImportRows.clientStatus} in ('archived', 'prospect')`;

/** This import changed the status of an existing client. */
const STATUS_CHANGED = sql`coalesce(${clientImportRows.before} ? 'status', false)`;

/** The SQL version of `isStatusContradicted`: an existing client's status differs from the file's, or did before this import changed it. */
const STATUS_DIFFERS = sql`(${clientImportRows.outcome} = 'matched' and (${STATUS_CHANGED} or coalesce(
  (${clientImportRows.clientStatus} = 'active') = (${clients.status} in ('inactive', 'closed'))
    and not (${clientImportRows.clientStatus} = 'prospect' and ${clients.status} = 'lead'), false)))`;

const JOINS_CLIENT = and(eq(clients.companyId, clientImportRows.companyId), eq(clients.id, clientImportRows.clientId));

export async function countRows(db: Db | Tx, { companyId, importId }: ImportKey): Promise<RowCounts> {
  const groups = await db
    .select({
      outcome: clientImportRows.outcome,
      count: sql`count(*)`.mapWith(Number),
      applied: sql`count(${clientImportRows.appliedAt})`.mapWith(Number),
      removed: sql`count(*) filter (where ${clientImportRows.undone} = 'removed')`.mapWith(Number),
      restored: sql`count(*) filter (where ${clientImportRows.undone} = 'restored')`.mapWith(Number),
      kept: sql`count(*) filter (where ${clientImportRows.undone} = 'kept')`.mapWith(Number),
      needsFixing: sql`count(*) filter (where ${NEEDS_FIXING})`.mapWith(Number),
      archived: sql`count(*) filter (where ${IS_ARCHIVED})`.mapWith(Number),
      statusDiffers: sql`count(*) filter (where ${STATUS_DIFFERS})`.mapWith(Number),
    })
    .from(clientImportRows)
    .leftJoin(clients, JOINS_CLIENT)
    .where(and(eq(clientImportRows.companyId, companyId), eq(clientImportRows.importId, importId)))
    .groupBy(clientImportRows.outcome);
  const getCount = (outcome: ImportOutcome, field: 'count' | 'applied') => groups.find((group) => group.outcome === outcome)?.[field] ?? 0;
  const sum = (field: 'removed' | 'restored' | 'kept' | 'needsFixing' | 'archived' | 'statusDiffers') =>
    groups.reduce((total, group) => total + group[field], 0);
  return {
    counts: {
      new: getCount('new', 'count'),
      matched: getCount('matched', 'count'),
      ambiguous: getCount('ambiguous', 'count'),
      duplicate: getCount('duplicate', 'count'),
      invalid: getCount('invalid', 'count'),
      skipped: getCount('skipped', 'count'),
      needs_fixing: sum('needsFixing'),
      not_client: getCount('not_client', 'count'),
      archived: sum('archived'),
      status_differs: sum('statusDiffers'),
    },
    applied: { new: getCount('new', 'applied'), matched: getCount('matched', 'applied') },
    undone: { removed: sum('removed'), restored: sum('restored'), kept: sum('kept') },
  };
}

export async function listEarlierImports(db: Db, companyId: string) {
  const rows = await db
    .select({
      import_id: clientImports.id,
      file_name: clientImports.fileName,
      state: clientImports.state,
      created_at: clientImports.createdAt,
    })
    .from(clientImports)
    .where(eq(clientImports.companyId, companyId))
    .orderBy(desc(clientImports.createdAt), desc(clientImports.id))
    .limit(21);
  return rows;
}

export type ImportRowFilter = {
  readonly outcome?: RowFilter | undefined;
  readonly after: number;
  readonly limit: number;
  /** Only the row with this number. */
  readonly row?: number;
};

function toOutcomeCondition(outcome: RowFilter | undefined) {
  if (outcome === undefined) return undefined;
  if (outcome === 'needs_fixing') return NEEDS_FIXING;
  if (outcome === 'archived') return IS_ARCHIVED;
  if (outcome === 'status_differs') return STATUS_DIFFERS;
  if (outcome === 'removed' || outcome === 'restored' || outcome === 'kept') return eq(clientImportRows.undone, outcome);
  return eq(clientImportRows.outcome, outcome);
}

export async function listImportRows(
  db: Db | Tx,
  key: ImportKey,
  filter: ImportRowFilter,
): Promise<{ rows: ClientImportRow[]; next_after: number | null }> {
  const { companyId, importId } = key;
  const foundRows = await db
    .select({
      record: clientImportRows,
      clientName: clients.name,
      statusDiffers: sql<boolean>`${STATUS_DIFFERS}`,
      statusChanged: sql<boolean>`${STATUS_CHANGED}`,
    })
    .from(clientImportRows)
    .leftJoin(clients, JOINS_CLIENT)
    .where(
      and(
        eq(clientImportRows.companyId, companyId),
        eq(clientImportRows.importId, importId),
        toOutcomeCondition(filter.outcome),
        filter.row === undefined ? gt(clientImportRows.row, filter.after) : eq(clientImportRows.row, filter.row),
      ),
    )
    .orderBy(asc(clientImportRows.row))
    .limit(filter.limit + 1);
  const page = foundRows.slice(0, filter.limit);
  const candidates = await loadCandidates(
    db,
    companyId,
    page.flatMap(({ record }) => record.candidates),
  );
  const holders = await findNumberHolders(
    db,
    companyId,
    page.map(({ record }) => record),
  );
  const rows = page.map(({ record, clientName, statusDiffers, statusChanged }) => ({
    row: record.row,
    outcome: record.outcome,
    said: record.rawValues,
    problems: [...record.problems],
    matched_by: [...(record.matchedBy ?? [])],
    client_id: record.clientId,
    client_name: clientName,
    file_status: record.clientStatus,
    status_differs: statusDiffers,
    status_changed: statusChanged,
    candidates: record.candidates.flatMap((id) => candidates.get(id) ?? []),
    shares_vrn_with: holders.get(record.row) ?? null,
    applied: record.appliedAt !== null,
    undone: record.undone,
  }));
  return { rows, next_after: foundRows.length > filter.limit ? (page.at(-1)?.record.row ?? null) : null };
}

type Candidate = ClientImportRow['candidates'][number];

async function loadCandidates(db: Db | Tx, companyId: string, ids: readonly string[]): Promise<Map<string, Candidate>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({
      id: clients.id,
      name: clients.name,
      vrn: clients.vrn,
      utr: clients.utr,
      companyNumber: clients.companyNumber,
      postcode: clients.postcode,
    })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), inArray(clients.id, [...new Set(ids)])));
  return new Map(rows.map((record) => [record.id, { client_id: record.id, name: record.name, references: listReferences(record) }]));
}

function listReferences({
  vrn,
  utr,
  companyNumber,
  postcode,
}: Readonly<Record<'vrn' | 'utr' | 'companyNumber' | 'postcode', string | null>>): string[] {
  const rawValuesJson = [
    ['VAT', vrn],
    ['UTR', utr],
    ['Company', companyNumber],
    ['', postcode],
  ] as const;
  return rawValuesJson.flatMap(([label, value]) => (value === null ? [] : [`${label} ${value}`.trim()]));
}
