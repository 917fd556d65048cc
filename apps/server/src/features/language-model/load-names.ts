import type { Tx } from '@portal/db/database.ts';
import { clientContacts, clientPeople, clients, companies, memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { Actor } from '../../http/session.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { TextValues } from '../agent/fill-text.ts';

/** The names in a draft: those for its fields, and all that are hidden before its text is sent. */
export type DraftNames = { readonly fields: TextValues; readonly hidden: readonly string[] };

/** Shorter parts of a name are too often ordinary words. */
const MIN_NAME_PART_LENGTH = 3;

export async function loadNames(tx: Tx, companyId: string, clientId: string, { fullName }: Actor): Promise<DraftNames> {
  const [client] = await tx
    .select({ client: clients.name, practice: companies.name })
    .from(clients)
    .innerJoin(companies, eq(companies.id, clients.companyId))
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  if (!client) throw createNotFoundError();
  const isClient = (table: typeof clientContacts | typeof clientPeople) =>
    and(eq(table.companyId, companyId), eq(table.clientId, clientId));
  const contacts = await tx.select({ name: clientContacts.name }).from(clientContacts).where(isClient(clientContacts));
  const clientUsers = await tx
    .select({ name: users.fullName })
    .from(clientPeople)
    .innerJoin(users, eq(users.id, clientPeople.userId))
    .where(isClient(clientPeople));
  const team = await tx
    .select({ name: users.fullName })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.companyId, companyId));
  const knownNames = [...contacts, ...clientUsers, ...team].map(({ name }) => name);
  const parts = knownNames.flatMap((name) => name.split(/\s+/)).filter((part) => part.length >= MIN_NAME_PART_LENGTH);
  return {
    fields: { ...client, sender: fullName },
    hidden: [client.client, client.practice, fullName, ...knownNames, ...parts],
  };
}
