/** Keeps what statements say of many clients and works their positions out, step after step, so that no transaction holds thousands of them. */
import { createHash } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { clientObservations, clients } from '@portal/db/schema/schema.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { addMilliseconds, londonDate, type Instant } from '@portal/domain/clock.ts';
import type { ClientStatement } from '@portal/domain/practice/statements/gather-statements.ts';
import type { StatementTax } from '@portal/domain/practice/statements/statement-columns.ts';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { canonicalText } from '../positions/canonical-text.ts';
import type { StatementBody } from '../positions/observation-bodies.ts';
import { enqueueTotals } from '../positions/position-jobs.ts';
import { rebuildPositions } from '../positions/rebuild-position.ts';

const CLIENTS_A_STEP = 100;
const TRIES = 3;

export type KeptOf = { readonly companyId: string; readonly tax: StatementTax; readonly statementId: string; readonly takenAt: Instant };

/** How many clients were kept: one that was removed meanwhile, or lost the tax, is passed over. */
export async function keepStatements(deps: AppDeps, of: KeptOf, statements: readonly ClientStatement[]): Promise<number> {
  let kept = 0;
  for (let from = 0; from < statements.length; from += CLIENTS_A_STEP) {
    const step = statements.slice(from, from + CLIENTS_A_STEP);
    kept += await tryAgain(() => deps.database.db.transaction((tx) => keepSome(deps, tx, of, step)));
  }
  return kept;
}

/** A reading that works out the same position at this moment makes the same due items: whoever is second does it over them. */
async function tryAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !isUniqueViolation(error)) throw error;
    }
  }
}

async function keepSome(deps: AppDeps, tx: Tx, of: KeptOf, statements: readonly ClientStatement[]): Promise<number> {
  const { companyId, tax } = of;
  const ids = await lockClients(
    tx,
    of,
    statements.map(({ clientId }) => clientId),
  );
  const own = statements.filter(({ clientId }) => ids.has(clientId));
  await addObservations(tx, of, own);
  const clientIds = own.map(({ clientId }) => clientId);
  await rebuildPositions(tx, { companyId, tax, clientIds, today: deps.clock.today(), now: deps.clock.now() });
  await enqueueTotals(deps, tx, companyId);
  return own.length;
}

/** In the order of their ids: two statements at once follow each other. */
async function lockClients(tx: Tx, { companyId, tax }: KeptOf, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const has = { paye: clients.hasPaye, ct: clients.hasCt }[tax];
  const rows = await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), inArray(clients.id, [...ids]), has))
    .orderBy(clients.id)
    .for('no key update');
  return new Set(rows.map(({ id }) => id));
}

/** The same statement again on the same day adds nothing; on a later day it says that this is still so. */
async function addObservations(tx: Tx, of: KeptOf, statements: readonly ClientStatement[]): Promise<void> {
  const { companyId, takenAt, statementId } = of;
  const kind = `${of.tax}_statement` as const;
  const newest = await findNewest(
    tx,
    of,
    statements.map(({ clientId }) => clientId),
  );
  const rows = statements.flatMap(({ clientId, ...facts }) => {
    const body: StatementBody = facts;
    const body_hash = createHash('sha256').update(canonicalText(body)).digest('base64url');
    const last = newest.get(clientId);
    if (last?.bodyHash === body_hash && londonDate(last.takenAt) === londonDate(takenAt)) return [];
    // The newest is found by its time, and the sandbox's clock can be put back.
    const taken_at = last && last.takenAt >= takenAt ? addMilliseconds(last.takenAt, 1) : takenAt;
    return [{ client_id: clientId, taken_at, body, body_hash }];
  });
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into client_observations (company_id, client_id, kind, taken_at, source, body, body_hash, statement_id)
    select ${companyId}::uuid, n.client_id, ${kind}, n.taken_at, 'statement', n.body, n.body_hash, ${statementId}::uuid
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(client_id uuid, taken_at timestamptz, body jsonb, body_hash text)`);
}

async function findNewest(
  tx: Tx,
  { companyId, tax }: KeptOf,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly bodyHash: string; readonly takenAt: Instant }>> {
  const { clientId, kind, takenAt, bodyHash } = clientObservations;
  const rows = await tx
    .selectDistinctOn([clientId], { clientId, takenAt, bodyHash })
    .from(clientObservations)
    .where(and(eq(clientObservations.companyId, companyId), inArray(clientId, [...ids]), eq(kind, `${tax}_statement`)))
    .orderBy(clientId, desc(takenAt));
  return new Map(rows.map((row) => [row.clientId, row]));
}
