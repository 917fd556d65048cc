import type { Tx } from '@portal/db/database.ts';
import { clientPeople, memberships } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { Actor } from '../../http/session.ts';
import { NO_COMPANY, recordAudit, type AuditEntryInput } from '../audit/record-audit.ts';

/**
 * Records the start or end of a view in the audit trail of each of the user's companies, so that its readers can see who viewed the portal
 * as the user. For a client's own user, that is the client's practice.
 */
export async function recordView(tx: Tx, entry: Omit<AuditEntryInput, 'companyId'>): Promise<void> {
  const own = await tx.select({ companyId: memberships.companyId }).from(memberships).where(eq(memberships.userId, entry.subject));
  const practices = await tx.select({ companyId: clientPeople.companyId }).from(clientPeople).where(eq(clientPeople.userId, entry.subject));
  // Always in the same order, because each entry locks its company's trail.
  const companyIds = [...new Set([...own, ...practices].map(({ companyId }) => companyId))].toSorted();
  for (const companyId of companyIds.length > 0 ? companyIds : [NO_COMPANY]) await recordAudit(tx, { ...entry, companyId });
}

/** Records that the operator stopped viewing or logged out. A view that ends by itself ends at the time recorded at its start. */
export async function recordViewEnd(
  tx: Tx,
  { viewing, userId }: Pick<Actor, 'viewing' | 'userId'>,
  { at, ip }: Pick<AuditEntryInput, 'at'> & { readonly ip: string },
): Promise<void> {
  if (viewing) await recordView(tx, { at, ip, actor: viewing.operatorId, action: 'view.ended', subject: userId });
}
