/** A client's contacts. */
import { randomUUID } from 'node:crypto';
import { MAX_CONTACTS, type ClientContact } from '@portal/contract/client-contacts.ts';
import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientContacts, clients } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';

type Contacts = typeof clientDashboardApi;
type ClientKey = { readonly practiceId: string; readonly clientId: string };

const CONTACT_COLUMNS = {
  contact_id: clientContacts.id,
  name: clientContacts.name,
  role: clientContacts.role,
  email: clientContacts.email,
  phone: clientContacts.phone,
};

const isOfClient = ({ practiceId, clientId }: ClientKey) =>
  and(eq(clientContacts.companyId, practiceId), eq(clientContacts.clientId, clientId));

export function listContacts(db: Db | Tx, key: ClientKey): Promise<ClientContact[]> {
  return db
    .select(CONTACT_COLUMNS)
    .from(clientContacts)
    .where(isOfClient(key))
    .orderBy(sql`lower(${clientContacts.name})`, asc(clientContacts.id));
}

export async function addContact(deps: AppDeps, { input, tenant, actor, caller }: Call<Contacts['addContact']>): Promise<ClientContact> {
  const { practiceId: companyId, clientId } = tenant;
  const { name, role, email, phone } = input;
  const contact = { contact_id: randomUUID(), name, role, email, phone };
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    await touchClient(tx, tenant, at);
    if ((await listContacts(tx, tenant)).length >= MAX_CONTACTS) {
      throw new AppError('conflict', 'contact.too_many', `A client can have at most ${MAX_CONTACTS} contacts. Remove one first.`);
    }
    const { contact_id: id, ...fields } = contact;
    await tx.insert(clientContacts).values({ companyId, clientId, id, ...fields, createdAt: at, updatedAt: at });
    const entry = { action: 'client.contact_added', subject: clientId, after: contact };
    await recordAudit(tx, { companyId, at, actor: actor.userId, ip: caller.ip, ...entry });
  });
  return contact;
}

export async function editContact(deps: AppDeps, { input, tenant, actor, caller }: Call<Contacts['editContact']>): Promise<ClientContact> {
  const { contact_id: contactId, name, role, email, phone } = input;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    const existing = await lockContact(tx, tenant, contactId);
    const fields = { name, role, email, phone };
    await tx
      .update(clientContacts)
      .set({ ...fields, updatedAt: at })
      .where(and(isOfClient(tenant), eq(clientContacts.id, contactId)));
    const after = { contact_id: contactId, ...fields };
    const entry = { action: 'client.contact_edited', subject: tenant.clientId, before: existing, after };
    await recordAudit(tx, { companyId: tenant.practiceId, at, actor: actor.userId, ip: caller.ip, ...entry });
    return after;
  });
}

export async function removeContact(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<Contacts['removeContact']>,
): Promise<{ done: true }> {
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const existing = await lockContact(tx, tenant, input.contact_id);
    await tx.delete(clientContacts).where(and(isOfClient(tenant), eq(clientContacts.id, input.contact_id)));
    const entry = { action: 'client.contact_removed', subject: tenant.clientId, before: existing };
    await recordAudit(tx, { companyId: tenant.practiceId, at, actor: actor.userId, ip: caller.ip, ...entry });
  });
  return { done: true };
}

/** Locks the client and records that someone has worked on it, so that undoing its import doesn't remove it. */
async function touchClient(tx: Tx, { practiceId, clientId }: ClientKey, at: typeof clients.$inferSelect.updatedAt): Promise<void> {
  await tx
    .update(clients)
    .set({ updatedAt: at })
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, clientId)));
}

async function lockContact(tx: Tx, key: ClientKey, contactId: string): Promise<ClientContact> {
  const [contact] = await tx
    .select(CONTACT_COLUMNS)
    .from(clientContacts)
    .where(and(isOfClient(key), eq(clientContacts.id, contactId)))
    .for('update');
  if (!contact) throw createNotFoundError();
  return contact;
}
