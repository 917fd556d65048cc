import type { Tx } from '@portal/db/database.ts';
import { clientAuthorisations, clientSyncs } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';

/**
 * HMRC's last answers were about another reference, so they say nothing about the client's present one: neither that it was read nor that
 * the practice is authorised for it. A reading that is under way is discarded. The observations stay, with the reference that they are of.
 */
export async function clearReadings(tx: Tx, { companyId, id }: { companyId: string; id: string }, tax: AgentTax): Promise<void> {
  await tx.delete(clientSyncs).where(and(eq(clientSyncs.companyId, companyId), eq(clientSyncs.clientId, id), eq(clientSyncs.tax, tax)));
  await tx
    .delete(clientAuthorisations)
    .where(and(eq(clientAuthorisations.companyId, companyId), eq(clientAuthorisations.clientId, id), eq(clientAuthorisations.tax, tax)));
}
