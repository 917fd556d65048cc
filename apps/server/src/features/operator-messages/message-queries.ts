/** Messages from the contact page, for the operators' queue. */
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { operatorMessagesApi } from '@portal/contract/operator-messages.ts';
import { companies, contactEntries, contactMessages, memberships, users } from '@portal/db/schema/schema.ts';
import { getComplaintDeadline, getReplyDeadline } from '@portal/domain/operators/contact-messages.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, asc, desc, eq, isNull, ne, sql, type SQL } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';

type ListOutput = EndpointOutput<typeof operatorMessagesApi.list>;
type Message = ListOutput['messages'][number];

const PAGE_SIZE = 50;

const fields = { message: contactMessages, assignee: users.fullName };

export async function listMessages(
  deps: AppDeps,
  operatorId: string,
  { state, kind, assigned, page }: ParsedEndpointInput<typeof operatorMessagesApi.list>,
): Promise<ListOutput> {
  const { db } = deps.database;
  const conditions: (SQL | undefined)[] = [
    eq(contactMessages.state, state),
    kind === undefined ? undefined : kind === 'complaint' ? eq(contactMessages.topic, 'complaint') : ne(contactMessages.topic, 'complaint'),
    assigned === undefined
      ? undefined
      : assigned === 'me'
        ? eq(contactMessages.assignedTo, operatorId)
        : isNull(contactMessages.assignedTo),
  ];
  const whereClause = and(...conditions);
  const count = await db.$count(contactMessages, whereClause);
  const rows = await db
    .select(fields)
    .from(contactMessages)
    .leftJoin(users, eq(users.id, contactMessages.assignedTo))
    .where(whereClause)
    // The oldest open message is due first; closed messages are listed newest first.
    .orderBy(state === 'open' ? asc(contactMessages.receivedAt) : desc(contactMessages.receivedAt), asc(contactMessages.id))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE);
  return {
    messages: rows.map(toMessage),
    count,
    pages: Math.ceil(count / PAGE_SIZE),
    counts: await countMessages(deps),
  };
}

async function countMessages(deps: AppDeps): Promise<ListOutput['counts']> {
  const { db } = deps.database;
  const countWhere = (condition: SQL) => sql`count(*) filter (where ${condition})::int`.mapWith(Number);
  const [counts] = await db
    .select({
      open: countWhere(sql`${contactMessages.state} = 'open'`),
      open_complaints: countWhere(sql`${contactMessages.state} = 'open' and ${contactMessages.topic} = 'complaint'`),
      answered: countWhere(sql`${contactMessages.state} = 'answered'`),
      closed: countWhere(sql`${contactMessages.state} = 'closed'`),
    })
    .from(contactMessages);
  // Computed here rather than in SQL, because the domain package calculates working days.
  const open = await db
    .select({ topic: contactMessages.topic, receivedAt: contactMessages.receivedAt })
    .from(contactMessages)
    .where(eq(contactMessages.state, 'open'));
  const today = deps.clock.today();
  const overdueCount = open.filter(({ topic, receivedAt }) => getReplyDeadline(topic, receivedAt) < today).length;
  return { open: 0, open_complaints: 0, answered: 0, closed: 0, ...counts, overdue: overdueCount };
}

function toMessage({ message, assignee }: { message: typeof contactMessages.$inferSelect; assignee: string | null }): Message {
  const { topic, receivedAt } = message;
  return {
    message_id: message.id,
    reference: message.reference,
    name: message.name,
    email: message.email,
    is_known: message.userId !== null,
    topic,
    message: message.message,
    received_at: receivedAt,
    state: message.state,
    reply_by: getReplyDeadline(topic, receivedAt),
    final_answer_by: getComplaintDeadline(topic, receivedAt) ?? (null as PlainDate | null),
    answered_at: message.answeredAt,
    assigned_to: message.assignedTo !== null && assignee !== null ? { user_id: message.assignedTo, name: assignee } : null,
  };
}

export async function getMessage(
  { database: { db } }: AppDeps,
  messageId: string,
): Promise<EndpointOutput<typeof operatorMessagesApi.get>> {
  const [row] = await db
    .select(fields)
    .from(contactMessages)
    .leftJoin(users, eq(users.id, contactMessages.assignedTo))
    .where(eq(contactMessages.id, messageId));
  if (!row) throw createNotFoundError();
  const entries = await db
    .select({
      entry_id: contactEntries.id,
      kind: contactEntries.kind,
      text: contactEntries.text,
      by: users.fullName,
      at: contactEntries.at,
    })
    .from(contactEntries)
    .innerJoin(users, eq(users.id, contactEntries.by))
    .where(eq(contactEntries.messageId, messageId))
    .orderBy(asc(contactEntries.at), asc(contactEntries.id));
  const { userId } = row.message;
  const userCompanies = userId
    ? await db
        .select({ company_id: companies.id, name: companies.name })
        .from(memberships)
        .innerJoin(companies, eq(companies.id, memberships.companyId))
        .where(eq(memberships.userId, userId))
        .orderBy(asc(companies.name))
    : [];
  return { message: toMessage(row), entries, companies: userCompanies };
}
