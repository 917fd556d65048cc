/**
 * The taxpayer that a call about books and VAT returns concerns. The same code serves traders and practices' clients (docs/decisions/0060).
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { clients, companies } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { ClientTenant, TraderTenant } from '../../http/resolve-tenant.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { recordAudit, type AuditEntryInput } from '../audit/record-audit.ts';

/** A trader's company, or a practice's client, whose ID then replaces the company's in the tables of books and returns. */
export type Taxpayer = {
  readonly companyId: string;
  /** Null for a trader. */
  readonly practiceId: string | null;
};

export function toTaxpayer(tenant: TraderTenant | ClientTenant): Taxpayer {
  return tenant.kind === 'trader'
    ? { companyId: tenant.companyId, practiceId: null }
    : { companyId: tenant.clientId, practiceId: tenant.practiceId };
}

/** Returns null if the VAT number isn't known. */
export async function findTaxpayerVrn(db: Db | Tx, taxpayer: Taxpayer): Promise<string | null> {
  return (await findTaxpayer(db, taxpayer))?.vrn ?? null;
}

export async function findTaxpayer(
  db: Db | Tx,
  { companyId, practiceId }: Taxpayer,
): Promise<{ name: string; vrn: string | null } | undefined> {
  const [foundTaxpayer] =
    practiceId === null
      ? await db.select({ name: companies.name, vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId))
      : await db
          .select({ name: clients.name, vrn: clients.vrn })
          .from(clients)
          .where(and(eq(clients.companyId, practiceId), eq(clients.id, companyId)));
  return foundTaxpayer;
}

/** Prevents anyone else from changing or filing this taxpayer's returns until the transaction ends. */
export async function lockTaxpayer(tx: Tx, { companyId, practiceId }: Taxpayer): Promise<void> {
  if (practiceId === null) return lockCompany(tx, companyId);
  await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, companyId)))
    .for('no key update');
}

/**
 * Rejects the return of a VAT group's member: the representative member files for all, and if the client became that, its own figures would
 * be filed under the group's number. Call it after `lockTaxpayer`.
 */
export async function assertFilesForItself(tx: Tx, { companyId, practiceId }: Taxpayer): Promise<void> {
  if (practiceId === null) return;
  const [client] = await tx
    .select({ role: clients.vatGroupRole, vrn: clients.vatGroupVrn })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, companyId)));
  if (client?.role !== 'member') return;
  const group = client.vrn === null ? 'a VAT group' : `the VAT group ${client.vrn}`;
  const sentence = `This client is a member of ${group}, whose representative member files one return for all. If it has left the group, change that in its VAT section first.`;
  throw new AppError('conflict', 'return.in_vat_group', sentence);
}

/** A client's entry belongs to the practice's trail, and includes the client's ID so that the client's timeline finds it. */
export function recordTaxpayerAudit(tx: Tx, taxpayer: Taxpayer, entry: Omit<AuditEntryInput, 'companyId'>): Promise<void> {
  const { companyId, practiceId } = taxpayer;
  if (practiceId === null) return recordAudit(tx, { companyId, ...entry });
  const after = { ...(entry.after as object | undefined), client_ids: [companyId] };
  return recordAudit(tx, { companyId: practiceId, ...entry, after });
}
