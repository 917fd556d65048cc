import type { Tx } from '@portal/db/database.ts';
import { practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';

/**
 * Frees the client's organisation in the practice's bookkeeping software, if any, for another client. An organisation that is no longer
 * covered is deleted.
 */
export async function unlinkOrganisation(tx: Tx, practiceId: string, clientId: string): Promise<void> {
  const isClients = and(eq(practiceOrganisations.companyId, practiceId), eq(practiceOrganisations.clientId, clientId));
  await tx.delete(practiceOrganisations).where(and(isClients, isNotNull(practiceOrganisations.goneAt)));
  await tx.update(practiceOrganisations).set({ clientId: null, linkedBy: null, linkedAt: null }).where(isClients);
}
