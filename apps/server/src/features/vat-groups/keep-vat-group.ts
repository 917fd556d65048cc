/** Keeps a client's VAT group true while its details are edited. */
import type { Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq } from '@portal/db/sql.ts';
import { upsertClientRows } from '../clients/upsert-client-rows.ts';

type Client = typeof clients.$inferSelect;
type Edited = Pick<Client, 'hasVat' | 'vrn'>;

/** Rejects details that contradict the client's VAT group, which has its own action. */
export function assertVatGroupKept({ vatGroupRole: role }: Client, { hasVat, vrn }: Edited): void {
  if (role === 'member' && (hasVat || vrn !== null)) {
    throw createError(
      vrn === null ? 'taxes' : 'vrn',
      'This client is in a VAT group, so it has no VAT or VAT number of its own. If it has left the group, change that in its VAT section first.',
    );
  }
  if (role === 'representative' && (!hasVat || vrn === null)) {
    throw createError(
      vrn === null ? 'vrn' : 'taxes',
      'This client is the representative member of a VAT group, so it needs VAT and the group’s VAT number. If it no longer is, change that in its VAT section first.',
    );
  }
}

const createError = (field: string, message: string): AppError => new AppError('conflict', 'client.in_vat_group', message, { field });

/** The members follow the representative member's corrected number. If it has none any more, they keep the group's. */
export async function moveMembers(tx: Tx, { companyId, vrn }: Client, newVrn: string | null): Promise<void> {
  if (vrn === null || newVrn === null || vrn === newVrn) return;
  const moved = await tx
    .update(clients)
    .set({ vatGroupVrn: newVrn })
    .where(and(eq(clients.companyId, companyId), eq(clients.vatGroupVrn, vrn)))
    .returning({ id: clients.id });
  await upsertClientRows(
    tx,
    companyId,
    moved.map(({ id }) => id),
  );
}
