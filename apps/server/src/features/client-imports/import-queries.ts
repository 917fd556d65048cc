/** Queries for imports and their rows. */
import type { ImportOutcome } from '@portal/domain/practice/client-import/import-states.ts';
import type { ClientImport, ClientImportRow } from '@portal/contract/client-imports.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientImportRows, clientImports, clients, users } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, asc, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { nothingHere } from '../../http/policies.ts';
import type { ImportKey } from './take-in-rows.ts';

const DAY_MS = 86_400_000;

/** The import with the given ID, or the newest one. */
export async function findImport(
  deps: AppDeps,
  companyId: string,
  importId?: string,
  db: Db | Tx = deps.database.db,
): Promise<ClientImport | null> {
  const [found] = await db
    .select({ one: clientImports, startedBy: users.fullName })
    .from(clientImports)
    .innerJoin(users, eq(users.id, clientImports.startedBy))
    .where(and(eq(clientImports.companyId, companyId), importId === undefined ? undefined : eq(clientImports.id, importId)))
    .orderBy(desc(clientImports.createdAt), desc(clientImports.id))
    .limit(1);
  if (!found) return null;
  const { one, startedBy } = found;
  const { counts, applied, undone } = (one.rowCounts as RowCounts | null) ?? (await countRows(db, { companyId, importId: one.id }));
  return {
    import_id: one.id,
    file_name: one.fileName,
    source: one.source,
    state: one.state,
    counts,
    rows_done: one.rowsDone,
    rows_total: one.rowsTotal,
    applied,
    undone,
    ignored_columns: [...one.ignoredColumns],
    started_by: startedBy,
    created_at: one.createdAt,
    ended_at: one.endedAt,
    undo_until: undoUntil(one, applied.new + applied.matched, deps.clock.now()),
    reason: one.reason,
  };
}

export async function getImport(deps: AppDeps, companyId: string, importId: string, db?: Tx): Promise<ClientImport> {
  const found = await findImport(deps, companyId, importId, db);
  if (!found) throw nothingHere();
  return found;
}

/** End of the 24 hours in which an import can be undone. Null when nothing was applied, it is undone already or the time has passed. */
export function undoUntil(
  { state, endedAt }: Pick<typeof clientImports.$inferSelect, 'state' | 'endedAt'>,
  applied: number,
  now: ReturnType<AppDeps['clock']['now']>,
): ReturnType<AppDeps['clock']['now']> | null {
  if (endedAt === null || applied === 0 || (state !== 'completed' && state !== 'cancelled' && state !== 'failed')) return null;
  const until = addMilliseconds(endedAt, DAY_MS);
  return until > now ? until : null;
}

type RowCounts = Pick<ClientImport, 'counts' | 'applied' | 'undone'>;

export async function countRows(db: Db | Tx, { companyId, importId }: ImportKey): Promise<RowCounts> {
  const groups = await db
    .select({
      outcome: clientImportRows.outcome,
      count: sql`count(*)`.mapWith(Number),
      applied: sql`count(${clientImportRows.appliedAt})`.mapWith(Number),
      removed: sql`count(*) filter (where ${clientImportRows.undone} = 'removed')`.mapWith(Number),
      restored: sql`count(*) filter (where ${clientImportRows.undone} = 'restored')`.mapWith(Number),
      kept: sql`count(*) filter (where ${clientImportRows.undone} = 'kept')`.mapWith(Number),
    })
    .from(clientImportRows)
    .where(and(eq(clientImportRows.companyId, companyId), eq(clientImportRows.importId, importId)))
    .groupBy(clientImportRows.outcome);
  const of = (outcome: ImportOutcome, what: 'count' | 'applied') => groups.find((group) => group.outcome === outcome)?.[what] ?? 0;
  const sum = (what: 'removed' | 'restored' | 'kept') => groups.reduce((all, group) => all + group[what], 0);
  return {
    counts: {
      new: of('new', 'count'),
      matched: of('matched', 'count'),
      ambiguous: of('ambiguous', 'count'),
      duplicate: of('duplicate', 'count'),
      invalid: of('invalid', 'count'),
      skipped: of('skipped', 'count'),
    },
    applied: { new: of('new', 'applied'), matched: of('matched', 'applied') },
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

export type RowsWanted = {
  readonly outcome?: ImportOutcome | undefined;
  readonly after: number;
  readonly limit: number;
  /** Returns only this row. */
  readonly row?: number;
};

export async function listImportRows(
  db: Db | Tx,
  key: ImportKey,
  wanted: RowsWanted,
): Promise<{ rows: ClientImportRow[]; next_after: number | null }> {
  const { companyId, importId } = key;
  const found = await db
    .select({ one: clientImportRows, clientName: clients.name })
    .from(clientImportRows)
    .leftJoin(clients, and(eq(clients.companyId, clientImportRows.companyId), eq(clients.id, clientImportRows.clientId)))
    .where(
      and(
        eq(clientImportRows.companyId, companyId),
        eq(clientImportRows.importId, importId),
        wanted.outcome === undefined ? undefined : eq(clientImportRows.outcome, wanted.outcome),
        wanted.row === undefined ? gt(clientImportRows.row, wanted.after) : eq(clientImportRows.row, wanted.row),
      ),
    )
    .orderBy(asc(clientImportRows.row))
    .limit(wanted.limit + 1);
  const page = found.slice(0, wanted.limit);
  const candidates = await loadCandidates(
    db,
    companyId,
    page.flatMap(({ one }) => one.candidates),
  );
  const rows = page.map(({ one, clientName }) => ({
    row: one.row,
    outcome: one.outcome,
    said: one.said,
    problems: [...one.problems],
    client_id: one.clientId,
    client_name: clientName,
    candidates: one.candidates.flatMap((id) => candidates.get(id) ?? []),
    applied: one.appliedAt !== null,
    undone: one.undone,
  }));
  return { rows, next_after: found.length > wanted.limit ? (page.at(-1)?.one.row ?? null) : null };
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
  return new Map(rows.map((one) => [one.id, { client_id: one.id, name: one.name, references: describe(one) }]));
}

function describe({
  vrn,
  utr,
  companyNumber,
  postcode,
}: Readonly<Record<'vrn' | 'utr' | 'companyNumber' | 'postcode', string | null>>): string[] {
  const said = [
    ['VAT', vrn],
    ['UTR', utr],
    ['Company', companyNumber],
    ['', postcode],
  ] as const;
  return said.flatMap(([word, value]) => (value === null ? [] : [`${word} ${value}`.trim()]));
}
