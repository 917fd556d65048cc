import type { Tx } from '@portal/db/database.ts';
import { companies } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';

/**
 * Makes concurrent changes to the users of a company or practice wait for each other. Returns false if it is closed. Rows that refer to it
 * can still be added.
 */
export async function lockOpenCompany(tx: Tx, companyId: string): Promise<boolean> {
  const [openCompany] = await tx
    .select({ id: companies.id })
    .from(companies)
    .where(and(eq(companies.id, companyId), isNull(companies.closedAt)))
    .for('no key update');
  return openCompany !== undefined;
}
