import type { Tx } from '@portal/db/database.ts';
import { practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';

/** The client's organisation at the practice's program, if it has one, is free for another client. */
export async function unlinkOrganisation(tx: Tx, practiceId: string, clientId: string): Promise<void> {
  await tx
    .update(practiceOrganisations)
    .set({ clientId: null, linkedBy: null, linkedAt: null })
    .where(and(eq(practiceOrganisations.companyId, practiceId), eq(practiceOrganisations.clientId, clientId)));
}
