import type { Tx } from '@portal/db/database.ts';
import { companies } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';

/** Returns the VAT number for the payout's reference. A company without one can't have a refund to sell. */
export async function getVatNumber(tx: Tx, companyId: string): Promise<string> {
  const [company] = await tx.select({ vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId));
  if (!company?.vrn) throw new Error(`the company ${companyId} has no VAT number, so its payout can’t be named`);
  return company.vrn;
}
