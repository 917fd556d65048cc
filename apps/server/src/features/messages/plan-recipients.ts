/** Decides for each selected client whether it gets a message, and fills in its text. */
import type { FilledMessage, LeftOutClient } from '@portal/contract/messages.ts';
import type { ClientSelection } from '@portal/contract/clients.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clientRows, clients, companies, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import { describeDeadline } from '@portal/domain/messages/describe-deadline.ts';
import { fillInFields, type FieldValues } from '@portal/domain/messages/message-fields.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import type { Actor } from '../../http/session.ts';
import { isUndeliverable } from '../../mail/undeliverable-addresses.ts';
import { listMatchingClients } from '../clients/select-clients.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';

export type MessageContent = { readonly subject: string; readonly body: string };
export type MessageScope = { readonly companyId: string; readonly actor: Actor; readonly today: PlainDate };
export type PlannedMessages = { readonly messages: readonly FilledMessage[]; readonly leftOut: readonly LeftOutClient[] };

/** Returns the selected clients that the user may see, by name. */
export async function planRecipients(
  db: Db | Tx,
  scope: MessageScope,
  { client_ids: listedIds, matching, ...content }: ClientSelection & MessageContent,
): Promise<PlannedMessages> {
  const ids = matching ? await listMatchingClients(db, scope, matching) : [...new Set(listedIds)];
  const sharedValues = await loadSharedValues(db, scope);
  const rows = await loadClients(db, scope, ids);
  const messages: FilledMessage[] = [];
  const leftOut: LeftOutClient[] = [];
  for (const row of rows) {
    const client = { client_id: row.id, name: row.name };
    const email = row.email ?? row.contactEmail;
    const values = { ...sharedValues, ...getClientValues(row) };
    const [subject, body] = [fillInFields(content.subject, values), fillInFields(content.body, values)];
    const missingFields = [...('missing' in subject ? subject.missing : []), ...('missing' in body ? body.missing : [])];
    if (!row.isCurrent) leftOut.push({ ...client, reason: 'closed', missing: [] });
    else if (email === null) leftOut.push({ ...client, reason: 'no_email', missing: [] });
    else if (row.isUndeliverable) leftOut.push({ ...client, reason: 'undeliverable', missing: [] });
    else if ('text' in subject && 'text' in body) messages.push({ ...client, email, subject: subject.text, body: body.text });
    else leftOut.push({ ...client, reason: 'missing_fields', missing: [...new Set(missingFields)] });
  }
  return { messages, leftOut };
}

async function loadSharedValues(db: Db | Tx, { companyId, actor }: MessageScope): Promise<Pick<FieldValues, 'practice' | 'sender'>> {
  const [company] = await db.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  const [user] = await db.select({ name: users.fullName }).from(users).where(eq(users.id, actor.userId));
  return { practice: company?.name ?? null, sender: user?.name ?? null };
}

/** The client's own address takes precedence over its contacts' addresses, which are used oldest first. */
function loadClients(db: Db | Tx, { companyId, actor }: MessageScope, ids: readonly string[]) {
  const contactEmail = sql<string | null>`(select c.email from client_contacts c
    where c.company_id = ${clients.companyId} and c.client_id = ${clients.id} and c.email <> '' order by c.created_at, c.id limit 1)`;
  return db
    .select({
      id: clients.id,
      name: clients.name,
      email: sql<string | null>`nullif(${clients.email}, '')`,
      contactEmail,
      isUndeliverable: isUndeliverable(companyId, sql`coalesce(nullif(${clients.email}, ''), ${contactEmail})`),
      isCurrent: sql<boolean>`${clients.status} not in ('inactive', 'closed')`,
      dueOn: clientRows.nextDueOn,
      dueTax: clientRows.nextDueTax,
      dueWhat: clientRows.nextDueWhat,
      duePence: clientRows.nextDuePence,
    })
    .from(clients)
    .innerJoin(clientRows, and(eq(clientRows.companyId, clients.companyId), eq(clientRows.clientId, clients.id)))
    .where(and(eq(clients.companyId, companyId), isInIdList(clients.id, ids), isVisibleTo(actor, clients.companyId, clients.id)))
    .orderBy(asc(clients.name), asc(clients.id));
}

type ClientFacts = Awaited<ReturnType<typeof loadClients>>[number];

function getClientValues({ name, dueOn, dueTax, dueWhat, duePence }: ClientFacts): Omit<FieldValues, 'practice' | 'sender'> {
  const isDue = dueOn !== NEVER_DUE && dueTax !== null && dueWhat !== null;
  return {
    client: name,
    deadline: isDue ? describeDeadline(dueTax, dueWhat) : null,
    'due date': isDue ? formatDate(dueOn) : null,
    amount: isDue && duePence !== null && duePence > 0 ? formatPounds(duePence) : null,
  };
}
