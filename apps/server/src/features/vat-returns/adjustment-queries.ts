import type { AdjustmentOutput } from '@portal/contract/vat-returns.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { returnAdjustments, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, inArray, isNull } from '@portal/db/sql.ts';
import type { Taxpayer } from './taxpayer.ts';

export type AdjustmentRow = typeof returnAdjustments.$inferSelect;
export type ReturnKey = Taxpayer & { readonly obligationId: string };

/** Lists the adjustments in force, oldest first. */
export function listAdjustments(db: Db | Tx, { companyId, obligationId }: Omit<ReturnKey, 'practiceId'>): Promise<AdjustmentRow[]> {
  return db
    .select()
    .from(returnAdjustments)
    .where(
      and(
        eq(returnAdjustments.companyId, companyId),
        eq(returnAdjustments.obligationId, obligationId),
        isNull(returnAdjustments.removedAt),
      ),
    )
    .orderBy(asc(returnAdjustments.madeAt), asc(returnAdjustments.id));
}

/** Adds the names of the users who made the adjustments. */
export async function listAdjustmentsForScreen(db: Db, rows: readonly AdjustmentRow[]): Promise<AdjustmentOutput[]> {
  if (rows.length === 0) return [];
  const editors = await db
    .select({ id: users.id, name: users.fullName })
    .from(users)
    .where(
      inArray(
        users.id,
        rows.map(({ madeBy }) => madeBy),
      ),
    );
  return rows.map((row) => ({
    adjustment_id: row.id,
    box: String(row.box) as AdjustmentOutput['box'],
    amount_pence: row.amountPence,
    kind: row.kind,
    reason: row.reason,
    made_by: editors.find(({ id }) => id === row.madeBy)?.name ?? '',
    made_at: row.madeAt,
  }));
}
