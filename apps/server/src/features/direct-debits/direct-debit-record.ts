import { directDebits } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';

export type DirectDebitRow = typeof directDebits.$inferSelect;
export type DirectDebitKey = { readonly companyId: string; readonly id: string };

export const isThisDirectDebit = ({ companyId, id }: DirectDebitKey) => and(eq(directDebits.companyId, companyId), eq(directDebits.id, id));

export async function findDirectDebit(deps: AppDeps, key: DirectDebitKey): Promise<DirectDebitRow | undefined> {
  const [row] = await deps.database.db.select().from(directDebits).where(isThisDirectDebit(key));
  return row;
}
