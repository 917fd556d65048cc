import { taxStatements } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';

export type StatementKey = { readonly companyId: string; readonly statementId: string };

export function matchesStatement({ companyId, statementId }: StatementKey) {
  return and(eq(taxStatements.companyId, companyId), eq(taxStatements.id, statementId));
}
