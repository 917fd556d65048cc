import type { Tx } from '@portal/db/database.ts';
import { clientPeople, memberships } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { NO_COMPANY, recordAudit, type AuditEntryInput } from './record-audit.ts';

/**
 * Records what an operator did about a user in the audit trail of each of the user's companies, so that its readers see it. For a client's
 * own user, that is the client's practice.
 */
export async function recordAboutUser(tx: Tx, entry: Omit<AuditEntryInput, 'companyId'>): Promise<void> {
  const own = await tx.select({ companyId: memberships.companyId }).from(memberships).where(eq(memberships.userId, entry.subject));
  const practices = await tx.select({ companyId: clientPeople.companyId }).from(clientPeople).where(eq(clientPeople.userId, entry.subject));
  // Always in the same order, because each entry locks its company's trail.
  const companyIds = [...new Set([...own, ...practices].map(({ companyId }) => companyId))].toSorted();
  for (const companyId of companyIds.length > 0 ? companyIds : [NO_COMPANY]) await recordAudit(tx, { ...entry, companyId });
}
