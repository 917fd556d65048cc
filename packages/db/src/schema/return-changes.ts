/** Changes to a return besides its rows: adjustments of boxes, and corrections of earlier returns. Rows are never deleted. */
import type { AdjustmentKind } from '@portal/domain/vat-returns/adjustment-kinds.ts';
import type { CorrectionRoute } from '@portal/domain/vat-returns/correction-routes.ts';
import type { FiledRow } from '@portal/domain/vat-returns/late-rows.ts';
import type { LateRowKind } from '@portal/domain/vat-returns/correction-routes.ts';
import { sql } from '../sql.ts';
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, pence } from './columns.ts';

/** An amount added to one box of a return. It applies until removed, and can't change once filing has started. */
export const returnAdjustments = pgTable(
  'return_adjustments',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    obligationId: uuid('obligation_id').notNull(),
    box: integer('box').$type<1 | 2 | 4 | 6 | 7 | 8 | 9>().notNull(),
    /** In pence, or in whole pounds for boxes 6 to 9. */
    amountPence: pence('amount_pence').notNull(),
    kind: text('kind').$type<AdjustmentKind>().notNull(),
    reason: text('reason').notNull(),
    madeBy: uuid('made_by').notNull(),
    madeAt: instant('made_at').notNull(),
    removedBy: uuid('removed_by'),
    removedAt: instant('removed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('return_adjustments_live')
      .on(table.companyId, table.obligationId)
      .where(sql`removed_at is null`),
    // The net error from earlier returns is a single amount.
    uniqueIndex('return_adjustments_one_correction')
      .on(table.companyId, table.obligationId)
      .where(sql`kind = 'error_correction' and removed_at is null`),
  ],
);

/** A user's decision on one row that is missing from a filed return or differs there (domain/vat-returns/late-rows.ts). */
export const returnCorrections = pgTable(
  'return_corrections',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    /** The filed return that contains the error. */
    sourceObligationId: uuid('source_obligation_id').notNull(),
    /** Hash of LateRow.key. */
    key: text('key').notNull(),
    kind: text('kind').$type<LateRowKind>().notNull(),
    filedRow: jsonb('filed_row').$type<FiledRow>(),
    row: jsonb('row').$type<FiledRow>(),
    /** VAT missing from the filed return. Positive is owed to HMRC. */
    duePence: pence('due_pence').notNull(),
    route: text('route').$type<CorrectionRoute>().notNull(),
    /** The return on which the decision was made. With the route `return`, that return includes the correction. */
    obligationId: uuid('obligation_id').notNull(),
    /** HMRC's reference, or the reason; empty for a correction on a return. */
    note: text('note').notNull(),
    decidedBy: uuid('decided_by').notNull(),
    decidedAt: instant('decided_at').notNull(),
    undoneBy: uuid('undone_by'),
    undoneAt: instant('undone_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // A row can be corrected only once, even if two users decide at the same time.
    uniqueIndex('return_corrections_once')
      .on(table.companyId, table.sourceObligationId, table.key)
      .where(sql`undone_at is null`),
    index('return_corrections_return').on(table.companyId, table.obligationId),
  ],
);
