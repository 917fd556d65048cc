/** Stores a source's responses about a client. An unchanged response is not stored again. */
import { createHash } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { clientObservations, clients, type ObservationKind } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { and, desc, eq, inArray } from '@portal/db/sql.ts';
import { lockClients } from './lock-clients.ts';
import { getReference, REFERENCE_COLUMNS } from './observation-reference.ts';
import { toCanonicalText } from './canonical-text.ts';

/**
 * One source's responses for a client at one time, by kind. Sort lists whose order has no meaning, because a different order would count as
 * a change.
 */
export type Observation = {
  readonly clientId: string;
  readonly source: 'hmrc' | 'statement' | 'companies_house';
  readonly takenAt: Instant;
  readonly statementId?: string;
  /** The reference that it was read under, if that was before this transaction. Defaults to the client's present one. */
  readonly reference?: string | null;
  readonly bodies: readonly { readonly kind: ObservationKind; readonly body: unknown }[];
};

/**
 * Stores observations of many clients with four statements, and locks the clients until the transaction ends. Returns the kinds that were
 * new for at least one client.
 */
export async function recordObservations(tx: Tx, companyId: string, list: readonly Observation[]): Promise<readonly ObservationKind[]> {
  if (list.every(({ bodies }) => bodies.length === 0)) return [];
  // Two transactions that start from the same latest observation would store theirs under the same time, which the primary key rejects.
  await lockClients(
    tx,
    companyId,
    list.map(({ clientId }) => clientId),
  );
  const newestObservations = await loadNewestObservations(tx, companyId, list);
  const references = await loadReferences(tx, companyId, list);
  const addedObservations = list.flatMap(({ clientId, source, takenAt: now, statementId, bodies, reference: readUnder }) =>
    bodies.flatMap(({ kind, body }) => {
      const bodyHash = createHash('sha256').update(toCanonicalText(body)).digest('base64url');
      const last = newestObservations.get(`${clientId} ${kind}`);
      const present = references.get(clientId);
      const reference = readUnder ?? (present === undefined ? null : getReference(kind, present));
      if (last?.bodyHash === bodyHash && (last.reference ?? reference) === reference) return [];
      // Keep times increasing: the newest observation is found by time, and the sandbox clock can be moved back.
      const takenAt = last && last.takenAt >= now ? addMilliseconds(last.takenAt, 1) : now;
      const optional = statementId === undefined ? {} : { statementId };
      return [{ companyId, clientId, source, kind, body, bodyHash, takenAt, reference, ...optional }];
    }),
  );
  if (addedObservations.length > 0) await tx.insert(clientObservations).values(addedObservations);
  return addedObservations.map(({ kind }) => kind);
}

async function loadNewestObservations(
  tx: Tx,
  companyId: string,
  list: readonly Observation[],
): Promise<Map<string, { bodyHash: string; takenAt: Instant; reference: string | null }>> {
  const clientIds = list.map(({ clientId }) => clientId);
  const kinds = [...new Set(list.flatMap(({ bodies }) => bodies.map(({ kind }) => kind)))];
  const rows = await tx
    .selectDistinctOn([clientObservations.clientId, clientObservations.kind], {
      clientId: clientObservations.clientId,
      kind: clientObservations.kind,
      bodyHash: clientObservations.bodyHash,
      takenAt: clientObservations.takenAt,
      reference: clientObservations.reference,
    })
    .from(clientObservations)
    .where(
      and(
        eq(clientObservations.companyId, companyId),
        inArray(clientObservations.clientId, clientIds),
        inArray(clientObservations.kind, kinds),
      ),
    )
    .orderBy(clientObservations.clientId, clientObservations.kind, desc(clientObservations.takenAt));
  return new Map(rows.map((row) => [`${row.clientId} ${row.kind}`, row]));
}

async function loadReferences(tx: Tx, companyId: string, list: readonly Observation[]) {
  const clientIds = list.map(({ clientId }) => clientId);
  const rows = await tx
    .select({ id: clients.id, ...REFERENCE_COLUMNS })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), inArray(clients.id, clientIds)));
  return new Map(rows.map(({ id, ...references }) => [id, references]));
}
