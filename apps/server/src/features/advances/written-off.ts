/**
 * The written-off amount of a refund's difference, less what has since been recovered. Both are rows of `shortfall_recoveries` with the
 * source "write_off": positive with the request's ID, negative with the ID of the allocation that recovered it.
 */
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import { advances, companies, shortfallRecoveries, shortfalls } from '@portal/db/schema/schema.ts';
import { getCollectionReference } from '@portal/domain/advances/collection-reference.ts';
import type { WrittenOffRefund } from '@portal/domain/advances/match-credit.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { and, eq, gt, lt, sql } from '@portal/db/sql.ts';
import type { AdvanceRow } from './transition-advance.ts';

const SUM_PENCE = sql`coalesce(sum(${shortfallRecoveries.amountPence}), 0)`.mapWith(Number);
const isWriteOff = (companyId: string) => and(eq(shortfallRecoveries.companyId, companyId), eq(shortfallRecoveries.source, 'write_off'));

/** Sums the amounts still written off, for one advance or for all of the company's advances. */
export async function sumWrittenOffAmounts(db: Db | Tx, companyId: string, advanceId?: string): Promise<Pence> {
  const isOfAdvance = advanceId === undefined ? undefined : eq(shortfallRecoveries.advanceId, advanceId);
  const [row] = await db
    .select({ sum: SUM_PENCE })
    .from(shortfallRecoveries)
    .where(and(isWriteOff(companyId), isOfAdvance));
  return pence(row?.sum ?? 0);
}

/** Returns the amount still written off for each advance that has one. */
export async function listWrittenOffAmounts(db: Db | Tx, companyId: string): Promise<ReadonlyMap<string, Pence>> {
  const rows = await db
    .select({ advanceId: shortfallRecoveries.advanceId, sum: SUM_PENCE })
    .from(shortfallRecoveries)
    .where(isWriteOff(companyId))
    .groupBy(shortfallRecoveries.advanceId)
    .having(gt(SUM_PENCE, 0));
  return new Map(rows.map(({ advanceId, sum }) => [advanceId, pence(sum)]));
}

/** Lists the company's refunds with a written-off amount, and the references that payments use for them. */
export async function listWrittenOffRefunds(db: Db | Tx, companyId: string): Promise<WrittenOffRefund[]> {
  const amounts = await listWrittenOffAmounts(db, companyId);
  if (amounts.size === 0) return [];
  const rows = await db
    .select({ id: advances.id, periodEnd: advances.periodEnd, vrn: companies.vrn, shortfallReference: shortfalls.reference })
    .from(advances)
    .innerJoin(companies, eq(companies.id, advances.companyId))
    .leftJoin(shortfalls, and(eq(shortfalls.companyId, advances.companyId), eq(shortfalls.advanceId, advances.id)))
    .where(eq(advances.companyId, companyId));
  return rows.flatMap(({ id, periodEnd, vrn, shortfallReference }) => {
    const amount = amounts.get(id);
    if (amount === undefined) return [];
    return [{ amount, reference: getCollectionReference(vrn ?? '', periodEnd), shortfallReference: shortfallReference ?? undefined }];
  });
}

/** Sums the part of an allocation that recovered a write-off. */
export async function sumRecoveredAmounts(
  db: Db | Tx,
  { companyId, id }: { readonly companyId: string; readonly id: string },
): Promise<Pence> {
  const [row] = await db
    .select({ sum: SUM_PENCE })
    .from(shortfallRecoveries)
    .where(and(isWriteOff(companyId), eq(shortfallRecoveries.sourceId, id)));
  return pence(0 - (row?.sum ?? 0));
}

/** Returns the amount that each allocation recovered. */
export async function listRecoveredAmounts(db: Db | Tx, companyId: string): Promise<ReadonlyMap<string, Pence>> {
  const rows = await db
    .select({ allocationId: shortfallRecoveries.sourceId, sum: SUM_PENCE })
    .from(shortfallRecoveries)
    .where(isWriteOff(companyId))
    .groupBy(shortfallRecoveries.sourceId)
    .having(lt(SUM_PENCE, 0));
  return new Map(rows.map(({ allocationId, sum }) => [allocationId, pence(0 - sum)]));
}

/** `amount` is negative if the allocation recovers a write-off, and positive if that recovery is reversed. */
export async function recordRecoveredPart(
  tx: Tx,
  { companyId, id: advanceId }: Pick<AdvanceRow, 'companyId' | 'id'>,
  allocationId: string,
  amountPence: Pence,
  at: Instant,
): Promise<void> {
  const row = { companyId, id: randomUUID(), advanceId, source: 'write_off', sourceId: allocationId, amountPence, at } as const;
  await tx.insert(shortfallRecoveries).values(row);
}
