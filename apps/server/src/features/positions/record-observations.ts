/** Keeps what a source said of a client, once: an answer that says the same again adds nothing. */
import { createHash } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { clientObservations, type ObservationKind } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { and, desc, eq, inArray } from 'drizzle-orm';
import { canonicalText } from './canonical-text.ts';

/** What one source said at one moment, by kind. Lists whose order means nothing must come sorted: the text decides whether they are new. */
export type Observed = {
  readonly companyId: string;
  readonly clientId: string;
  readonly source: 'hmrc' | 'statement' | 'companies_house';
  readonly takenAt: Instant;
  readonly statementId?: string;
  readonly bodies: readonly { readonly kind: ObservationKind; readonly body: unknown }[];
};

/** Answers the kinds that said something new. */
export async function recordObservations(tx: Tx, observed: Observed): Promise<readonly ObservationKind[]> {
  if (observed.bodies.length === 0) return [];
  const newest = await newestOf(tx, observed);
  const added = observed.bodies.flatMap(({ kind, body }) => {
    const bodyHash = createHash('sha256').update(canonicalText(body)).digest('base64url');
    const last = newest.get(kind);
    if (last?.bodyHash === bodyHash) return [];
    // The newest is found by its time, and the sandbox's clock can be put back.
    const takenAt = last && last.takenAt >= observed.takenAt ? addMilliseconds(last.takenAt, 1) : observed.takenAt;
    return [{ kind, body, bodyHash, takenAt }];
  });
  if (added.length > 0) {
    const { companyId, clientId, source, statementId } = observed;
    await tx
      .insert(clientObservations)
      .values(added.map((one) => ({ ...one, companyId, clientId, source, ...(statementId === undefined ? {} : { statementId }) })));
  }
  return added.map(({ kind }) => kind);
}

/** One kind; whether it said something new. */
export async function recordObservation(
  tx: Tx,
  { kind, body, ...of }: Omit<Observed, 'bodies'> & { readonly kind: ObservationKind; readonly body: unknown },
): Promise<boolean> {
  return (await recordObservations(tx, { ...of, bodies: [{ kind, body }] })).length > 0;
}

async function newestOf(
  tx: Tx,
  { companyId, clientId, bodies }: Observed,
): Promise<Map<ObservationKind, { bodyHash: string; takenAt: Instant }>> {
  const kinds = bodies.map(({ kind }) => kind);
  const rows = await tx
    .selectDistinctOn([clientObservations.kind], {
      kind: clientObservations.kind,
      bodyHash: clientObservations.bodyHash,
      takenAt: clientObservations.takenAt,
    })
    .from(clientObservations)
    .where(
      and(eq(clientObservations.companyId, companyId), eq(clientObservations.clientId, clientId), inArray(clientObservations.kind, kinds)),
    )
    .orderBy(clientObservations.kind, desc(clientObservations.takenAt));
  return new Map(rows.map((row) => [row.kind, row]));
}
