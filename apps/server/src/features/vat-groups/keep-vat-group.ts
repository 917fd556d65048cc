/** Keeps a client's VAT group true while its details are edited. */
import type { Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { upsertClientRows } from '../clients/upsert-client-rows.ts';
import { hasMembers } from './find-vat-group.ts';

type ClientRow = typeof clients.$inferSelect;
type EditedClient = Pick<ClientRow, 'hasVat' | 'vrn'>;

/** Rejects details that contradict the client's VAT group, which has its own action. */
export async function assertVatGroupKept(tx: Tx, existing: ClientRow, { hasVat, vrn }: EditedClient): Promise<void> {
  const { companyId, vatGroupRole: role } = existing;
  if (role === 'member' && (hasVat || vrn !== null)) {
    throw createError(
      vrn === null ? 'taxes' : 'vrn',
      'This client is in a VAT group, so it has no VAT or VAT number of its own. If it has left the group, change that in its VAT section first.',
    );
  }
  const isTakenAway = (existing.hasVat && !hasVat) || (existing.vrn !== null && vrn === null);
  const isImplied = isTakenAway && ((await hasMembers(tx, existing)) || (await hasMembers(tx, { companyId, vrn })));
  if ((role === 'representative' || isImplied) && (!hasVat || vrn === null)) {
    throw createError(
      vrn === null ? 'vrn' : 'taxes',
      'This client is the representative member of a VAT group, so it needs VAT and the group’s VAT number. If it no longer is, change that in its VAT section first.',
    );
  }
}

const createError = (field: string, message: string): AppError => new AppError('conflict', 'client.in_vat_group', message, { field });

type Edit = { readonly at: Instant; readonly actor: string; readonly ip: string };

/**
 * The members follow the representative member's corrected number, also one that was recorded with the wrong number before it joined. If it
 * has none any more, they keep the group's.
 */
export async function moveMembers(tx: Tx, representative: ClientRow, newVrn: string | null, edit: Edit): Promise<void> {
  const { companyId, vrn } = representative;
  if (vrn === null || newVrn === null || vrn === newVrn) return;
  const vrnOutsideGroup = sql`nullif(${clients.vrnOutsideGroup}, ${vrn})`;
  const hasVatOutsideGroup = sql`${clients.hasVatOutsideGroup} and ${clients.vrnOutsideGroup} is distinct from ${vrn}`;
  const movedMembers = await tx
    .update(clients)
    .set({ vatGroupVrn: newVrn, vrnOutsideGroup, hasVatOutsideGroup, updatedAt: edit.at })
    .where(and(eq(clients.companyId, companyId), eq(clients.vatGroupVrn, vrn)))
    .returning({ id: clients.id });
  if (movedMembers.length === 0) return;
  const ids = movedMembers.map(({ id }) => id).toSorted();
  await upsertClientRows(tx, companyId, ids);
  const after = { vat_group_role: 'member', vat_group_vrn: newVrn, representative_id: representative.id, client_ids: ids };
  const subject = ids.length === 1 ? (ids[0] ?? '') : `${ids.length} clients`;
  await recordAudit(tx, { companyId, ...edit, action: 'client.vat_group_set', subject, before: { vat_group_vrn: vrn }, after });
}
