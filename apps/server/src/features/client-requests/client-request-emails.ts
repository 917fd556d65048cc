/** Emails about requests and the conversation. They contain no content, because email is read and forwarded outside the portal. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientMembers, memberships } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { EmailContent } from '../../mail/email-content.ts';
import { enqueueClientEmail } from '../client-emails/enqueue-client-email.ts';
import { listPeopleEmails } from '../client-files/client-file-emails.ts';
import { getNames } from '../client-portal/client-portal-emails.ts';
import { listClientTeams, notify, type NotificationEvent } from '../staff-notifications/notify.ts';

type ClientKey = { readonly practiceId: string; readonly clientId: string };
type Author = { readonly userId: string; readonly fullName: string };
type Names = { readonly client: string; readonly practice: string };
type RequestContent = Omit<EmailContent, 'reason' | 'action'>;

const formatItemCount = (count: number): string => (count === 1 ? 'something' : `${count} things`);

export function enqueueNewRequest(
  deps: AppDeps,
  tx: Tx,
  key: ClientKey,
  {
    requestId,
    asker,
    dueOn,
    items,
  }: { readonly requestId: string; readonly asker: Author; readonly dueOn: PlainDate; readonly items: number },
): Promise<void> {
  return enqueueToPeople(deps, tx, { ...key, requestId }, asker.userId, ({ client, practice }) => ({
    subject: `${practice} needs ${formatItemCount(items)} from you by ${formatDate(dueOn)}`,
    preheader: `It’s about ${client}. Log in to see what’s needed and send it.`,
    heading: `${practice} needs ${formatItemCount(items)} from you`,
    paragraphs: [
      `${asker.fullName} of ${practice} has asked you for ${formatItemCount(items)} about ${client} by ${formatDate(dueOn)}. You can answer and send files from your phone or computer.`,
    ],
  }));
}

export function enqueueReminder(
  deps: AppDeps,
  tx: Tx,
  key: ClientKey,
  {
    requestId,
    askedBy,
    dueOn,
    isLate,
    items,
  }: { readonly requestId: string; readonly askedBy: string; readonly dueOn: PlainDate; readonly isLate: boolean; readonly items: number },
): Promise<void> {
  return enqueueToPeople(deps, tx, { ...key, requestId }, askedBy, ({ client, practice }) => ({
    subject: `Reminder: ${practice} still needs ${formatItemCount(items)} from you`,
    preheader: `It’s about ${client}, and ${isLate ? 'was' : 'is'} due on ${formatDate(dueOn)}.`,
    heading: `${practice} still needs ${formatItemCount(items)} from you`,
    paragraphs: [
      `It’s about ${client}, and ${isLate ? 'was' : 'is'} due on ${formatDate(dueOn)}. Reminders stop as soon as you’ve answered.`,
    ],
  }));
}

export function enqueueReopenedRequest(
  deps: AppDeps,
  tx: Tx,
  key: ClientKey & { readonly requestId: string },
  asker: Author,
): Promise<void> {
  return enqueueToPeople(deps, tx, key, asker.userId, ({ client, practice }) => ({
    subject: `${practice} has a question about what you sent`,
    preheader: `It’s about ${client}. Log in to see what’s missing.`,
    heading: 'Something is missing',
    paragraphs: [
      `${asker.fullName} of ${practice} has reviewed what you sent about ${client} and is asking again. Log in to see what’s missing.`,
    ],
  }));
}

/** Notifies the member who asked, or those now responsible for the client. */
export async function notifyOfAnswers(
  deps: AppDeps,
  tx: Tx,
  key: ClientKey,
  { requestId, askedBy }: { readonly requestId: string; readonly askedBy: string },
): Promise<void> {
  const { client } = await getNames(tx, key);
  // Sent again only after the practice has asked again, so the key includes the time.
  const event = { kind: 'client_answered', key: `${requestId} ${deps.clock.now()}` } as const;
  await notifyColleagues(
    deps,
    tx,
    key,
    { ...event, userIds: await listAskerOrResponsible(tx, key, askedBy) },
    {
      subject: `${client} has answered`,
      preheader: 'The client has sent everything you asked for. Open the request to accept it or ask again.',
      heading: `${client} has answered`,
      paragraphs: [`${client} has answered everything in your request. Open it to accept the answers or ask again.`],
    },
  );
}

export async function enqueueMessageEmail(
  deps: AppDeps,
  tx: Tx,
  key: ClientKey,
  { postId, author, isFromClient }: { readonly postId: string; readonly author: Author; readonly isFromClient: boolean },
): Promise<void> {
  if (isFromClient) {
    const { client } = await getNames(tx, key);
    const event = { kind: 'client_wrote', key: postId, userIds: await listResponsibleUsers(tx, key) } as const;
    await notifyColleagues(deps, tx, key, event, {
      subject: `${client} has sent you a message`,
      preheader: 'Open the client to read it and reply.',
      heading: `${client} has sent you a message`,
      paragraphs: [`${author.fullName} of ${client} has sent you a message. Open the client to read it and reply.`],
    });
    return;
  }
  await enqueueToPeople(
    deps,
    tx,
    key,
    author.userId,
    ({ client, practice }) => ({
      subject: `${practice} has sent you a message`,
      preheader: `It’s about ${client}. Log in to read it and reply.`,
      heading: `${practice} has sent you a message`,
      paragraphs: [`${author.fullName} of ${practice} has sent you a message about ${client}. Log in to read it and reply.`],
    }),
    PAGES.clientsPortalMessages.path,
  );
}

async function enqueueToPeople(
  deps: AppDeps,
  tx: Tx,
  { requestId, ...key }: ClientKey & { readonly requestId?: string },
  sentBy: string,
  compose: (names: Names) => RequestContent,
  path: string = PAGES.clientsPortalPapers.path,
): Promise<void> {
  const names = await getNames(tx, key);
  for (const email of await listPeopleEmails(tx, key)) {
    const content = {
      sender: names.sender,
      ...compose(names),
      action: { label: 'Open', path: `${path}?company_id=${key.clientId}` },
      reason: `You’re receiving this because ${names.practice} gave you access to ${names.client} on ${deps.site.brand}.`,
    };
    const neededFor = requestId === undefined ? {} : { neededFor: { kind: 'request', id: requestId } as const };
    await enqueueClientEmail(deps, tx, { ...key, to: email, sentBy, content, ...neededFor });
  }
}

function notifyColleagues(
  deps: AppDeps,
  tx: Tx,
  { practiceId, clientId }: ClientKey,
  event: Pick<NotificationEvent, 'kind' | 'key' | 'userIds'>,
  content: RequestContent,
): Promise<void> {
  const path = `${PAGES.clientDashboard.path}?company_id=${practiceId}&client_id=${clientId}&tab=papers`;
  const email = { ...content, action: { label: 'Open the client', path } };
  return notify(deps, tx, practiceId, [{ ...event, clientId, title: content.subject, path, email }]);
}

const isAssigned = ({ practiceId, clientId }: ClientKey) =>
  sql`exists (select from ${clientMembers} where ${clientMembers.companyId} = ${practiceId}::uuid and ${clientMembers.clientId} = ${clientId}::uuid
    and ${clientMembers.userId} = ${memberships.userId})`;
const maySee = (key: ClientKey) => sql`(${memberships.role} = 'practice_admin' or ${isAssigned(key)})`;

/** Lists the member who asked, as long as they may see the client; otherwise those now responsible for it. */
export async function listAskerOrResponsible(tx: Tx, key: ClientKey, askedBy: string): Promise<readonly string[]> {
  const activeAskers = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.companyId, key.practiceId), eq(memberships.userId, askedBy), maySee(key)));
  return activeAskers.length > 0 ? activeAskers.map(({ userId }) => userId) : listResponsibleUsers(tx, key);
}

/** Lists the members assigned to the client, or the admins if no one is assigned. */
async function listResponsibleUsers(tx: Tx, { practiceId, clientId }: ClientKey): Promise<readonly string[]> {
  const findTeam = await listClientTeams(tx, practiceId, [clientId]);
  return findTeam(clientId);
}
