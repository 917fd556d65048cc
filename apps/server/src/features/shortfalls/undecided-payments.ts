/** Payments that may be for a difference and wait for two people. What they cover isn't collected by Direct Debit as well. */
import type { Db, Tx } from '@portal/db/database.ts';
import { bankCredits } from '@portal/db/schema/schema.ts';
import { isThirdParty } from '@portal/domain/advances/third-party.ts';
import { pence, sumPence, type Pence } from '@portal/domain/money.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { UNALLOCATED_PENCE } from '../advances/unallocated-sql.ts';
import { listTraderNames } from '../reconciliation-exceptions/third-party-money.ts';

/**
 * Sums what HMRC or the trader has paid and operators haven't decided about. Anyone else could stop a collection with money that is returned
 * to them.
 */
export async function sumUndecidedPayments(db: Db | Tx, companyId: string): Promise<Pence> {
  const rows = await db
    .select({ remitter: bankCredits.remitter, unallocated: UNALLOCATED_PENCE })
    .from(bankCredits)
    .where(and(eq(bankCredits.companyId, companyId), sql`${UNALLOCATED_PENCE} > 0`));
  if (rows.length === 0) return pence(0);
  const names = await listTraderNames(db, companyId);
  return sumPence(rows.filter(({ remitter }) => !isThirdParty(remitter, names)).map(({ unallocated }) => pence(unallocated)));
}

/** Returns the same for each company that has any. */
export async function listUndecidedPayments(db: Db): Promise<ReadonlyMap<string, Pence>> {
  const rows = await db
    .selectDistinct({ companyId: bankCredits.companyId })
    .from(bankCredits)
    .where(sql`${UNALLOCATED_PENCE} > 0`);
  const sums = new Map<string, Pence>();
  for (const { companyId } of rows) sums.set(companyId, await sumUndecidedPayments(db, companyId));
  return sums;
}
