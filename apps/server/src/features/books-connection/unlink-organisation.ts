import type { Tx } from '@portal/db/database.ts';
import { practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';

/** The client's organisation at the practice's program, if it has one, is free for another client. One that isn't covered any more is forgotten. */
export async function unlinkOrganisation(tx: Tx, practiceId: string, clientId: string): Promise<void> {
  const isClients = and(eq(practiceOrganisations.companyId, practiceId), eq(practiceOrganisations.clientId, clientId));
  await tx.delete(practiceOrganisations).where(and(isClients, isNotNull(practiceOrganisations.goneAt)));
  await tx.update(practiceOrganisations).set({ clientId: null, linkedBy: null, linkedAt: null }).where(isClients);
}
