/**
 * A trader's money that we hold until it is allocated or paid out. Anything that depends on it, such as closing the company, has to wait.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { bankCredits } from '@portal/db/schema/schema.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { and, eq, sql, type SQL } from '@portal/db/sql.ts';
import { UNALLOCATED_PENCE } from '../advances/unallocated-sql.ts';
import { getSurplus } from './surplus-queries.ts';

/** `owed`: what we pay out next. `undecided`: received, but for an unknown purpose. */
export type OpenMoney = { readonly owed: Pence; readonly undecided: Pence };

export async function findOpenMoney(db: Db | Tx, companyId: string): Promise<OpenMoney> {
  const owedAmount = await getSurplus(db, companyId);
  const [credits] = await db
    .select({ undecided: sql`coalesce(sum(${UNALLOCATED_PENCE}), 0)`.mapWith(Number) })
    .from(bankCredits)
    .where(eq(bankCredits.companyId, companyId));
  return { owed: owedAmount, undecided: pence(credits?.undecided ?? 0) };
}

/** Returns a subquery for `exists`: a payment received from the company in `companyId` that awaits a decision. */
export function selectUndecidedCredits(db: Db, companyId: SQL) {
  return db
    .select({ one: sql`1` })
    .from(bankCredits)
    .where(and(sql`${bankCredits.companyId} = ${companyId}`, sql`${UNALLOCATED_PENCE} > 0`));
}
