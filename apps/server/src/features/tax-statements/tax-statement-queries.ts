/** What is told of the statements that a practice imported. */
import type { TaxStatement } from '@portal/contract/tax-statements.ts';
import type { Db } from '@portal/db/database.ts';
import { taxStatements, users } from '@portal/db/schema/schema.ts';
import type { RefusedRow } from '@portal/domain/practice/statements/gather-statements.ts';
import type { StatementTax } from '@portal/domain/practice/statements/statement-columns.ts';
import { and, desc, eq, sql } from 'drizzle-orm';
import { nothingHere } from '../../http/policies.ts';

const MOST_LISTED = 100;

/** Newest first. */
export function listStatements(db: Db, companyId: string, tax?: StatementTax): Promise<TaxStatement[]> {
  return db
    .select({
      statement_id: taxStatements.id,
      tax_type: taxStatements.tax,
      file_name: taxStatements.fileName,
      imported_by: users.fullName,
      imported_at: taxStatements.importedAt,
      rows: taxStatements.rows,
      refused: sql`jsonb_array_length(${taxStatements.refused})`.mapWith(Number),
    })
    .from(taxStatements)
    .innerJoin(users, eq(users.id, taxStatements.importedBy))
    .where(and(eq(taxStatements.companyId, companyId), tax === undefined ? undefined : eq(taxStatements.tax, tax)))
    .orderBy(desc(taxStatements.importedAt), desc(taxStatements.id))
    .limit(MOST_LISTED);
}

/** In the order of the file. */
export async function listRefusedRows(
  db: Db,
  companyId: string,
  statementId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ rows: RefusedRow[]; next_after: number | null }> {
  const [found] = await db
    .select({ refused: taxStatements.refused })
    .from(taxStatements)
    .where(and(eq(taxStatements.companyId, companyId), eq(taxStatements.id, statementId)));
  if (!found) throw nothingHere();
  const left = found.refused.filter(({ row }) => row > after);
  const rows = left.slice(0, limit);
  return { rows, next_after: left.length > limit ? (rows.at(-1)?.row ?? null) : null };
}
