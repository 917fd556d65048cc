/** Saves statement figures for many clients and rebuilds their positions, in the caller's transaction. */
import { createHash } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { clientObservations, clients } from '@portal/db/schema/schema.ts';
import { addMilliseconds, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import type { ClientStatement } from '@portal/domain/tax-statements/combine-statements.ts';
import type { StatementTax } from '@portal/domain/tax-statements/statement-columns.ts';
import { and, desc, eq, inArray, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { toCanonicalText } from '../positions/canonical-text.ts';
import type { StatementBody } from '../positions/observation-bodies.ts';
import { getReferenceColumn, isOfPresentReference } from '../positions/observation-reference.ts';
import { rebuildPositions } from '../positions/rebuild-position.ts';

export type StatementSource = {
  readonly companyId: string;
  readonly tax: StatementTax;
  readonly statementId: string;
  readonly takenAt: Instant;
};

/** The caller passes clients that it has locked and that have the tax. */
export async function saveStatements(
  deps: AppDeps,
  tx: Tx,
  source: StatementSource,
  statements: readonly ClientStatement[],
): Promise<void> {
  if (statements.length === 0) return;
  await addObservations(tx, source, statements);
  const clientIds = statements.map(({ clientId }) => clientId);
  const { companyId, tax } = source;
  await rebuildPositions(tx, { companyId, tax, clientIds, today: deps.clock.today(), now: deps.clock.now(), cause: 'data' });
}

/** Identical figures aren't stored again on the same day. On a later day they are, because they confirm that the figures are current. */
async function addObservations(tx: Tx, source: StatementSource, statements: readonly ClientStatement[]): Promise<void> {
  const { companyId, takenAt, statementId } = source;
  const kind = `${source.tax}_statement` as const;
  const newestStatements = await findNewestStatements(
    tx,
    source,
    statements.map(({ clientId }) => clientId),
  );
  const rows = statements.flatMap(({ clientId, ...facts }) => {
    const body: StatementBody = facts;
    const body_hash = createHash('sha256').update(toCanonicalText(body)).digest('base64url');
    const last = newestStatements.get(clientId);
    if (last?.isOfPresentReference && last.bodyHash === body_hash && toLondonDate(last.takenAt) === toLondonDate(takenAt)) return [];
    // Keep times increasing: the newest observation is found by time, and the sandbox clock can be moved back.
    const taken_at = last && last.takenAt >= takenAt ? addMilliseconds(last.takenAt, 1) : takenAt;
    return [{ client_id: clientId, taken_at, body, body_hash }];
  });
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into client_observations (company_id, client_id, kind, taken_at, source, body, body_hash, statement_id, reference)
    select ${companyId}::uuid, n.client_id, ${kind}, n.taken_at, 'statement', n.body, n.body_hash, ${statementId}::uuid, ${getReferenceColumn(kind)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(client_id uuid, taken_at timestamptz, body jsonb, body_hash text)
    join clients on clients.company_id = ${companyId}::uuid and clients.id = n.client_id`);
}

async function findNewestStatements(
  tx: Tx,
  { companyId, tax }: StatementSource,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly bodyHash: string; readonly takenAt: Instant; readonly isOfPresentReference: boolean }>> {
  const { clientId, kind, takenAt, bodyHash } = clientObservations;
  const isPresent = sql<boolean>`${isOfPresentReference('clients', 'client_observations', [`${tax}_statement`])}`;
  const rows = await tx
    .selectDistinctOn([clientId], { clientId, takenAt, bodyHash, isOfPresentReference: isPresent })
    .from(clientObservations)
    .innerJoin(clients, and(eq(clients.companyId, clientObservations.companyId), eq(clients.id, clientId)))
    .where(and(eq(clientObservations.companyId, companyId), inArray(clientId, [...ids]), eq(kind, `${tax}_statement`)))
    .orderBy(clientId, desc(takenAt));
  return new Map(rows.map((row) => [row.clientId, row]));
}
