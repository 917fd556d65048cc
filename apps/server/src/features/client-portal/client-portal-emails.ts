/** Emails about access to the client portal: invitations, and users who join or leave. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientPeople, clients, companies, memberships, practiceBrands, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import { CLIENT_INVITATION_DAYS } from '@portal/domain/clients/invitation-state.ts';
import { toReadableColour } from '@portal/domain/practice/brand-colour.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { hashToken } from '../../http/session.ts';
import type { EmailContent, EmailSender } from '../../mail/email-content.ts';
import { enqueueClientEmail } from '../client-emails/enqueue-client-email.ts';
import { listClientTeams, notify } from '../staff-notifications/notify.ts';

type ClientKey = { readonly practiceId: string; readonly clientId: string };

type InvitationEmail = ClientKey & {
  readonly email: string;
  readonly token: string;
  readonly inviter: { readonly userId: string; readonly fullName: string };
  /** Set for a reminder: the link's last day, in words. */
  readonly reminderUntil?: string;
};

export async function enqueueClientInvitation(deps: AppDeps, tx: Tx, invitation: InvitationEmail): Promise<void> {
  const { practiceId, clientId, email: to, inviter } = invitation;
  const content = await composeClientInvitation(deps, tx, invitation);
  await enqueueClientEmail(deps, tx, { practiceId, clientId, to, sentBy: inviter.userId, content });
}

/** Returns the email's content, for the queue or for a counted attempt. */
export async function composeClientInvitation(
  deps: AppDeps,
  tx: Tx,
  { email, token, inviter, reminderUntil, ...key }: InvitationEmail,
): Promise<EmailContent> {
  const { client, practice, sender } = await getNames(tx, key);
  const { brand } = deps.site;
  const isReminder = reminderUntil !== undefined;
  const link = `${PAGES.clientSignUp.path}?token=${token}`;
  return {
    sender,
    subject: isReminder ? `Reminder: see ${client}’s taxes online` : `${practice} invites you to see ${client}’s taxes online`,
    preheader: isReminder
      ? `${practice} has invited you. The link works until ${reminderUntil}.`
      : `See what’s due, when and how to pay it. The link works for ${CLIENT_INVITATION_DAYS} days.`,
    heading: `${client}’s taxes, in one place`,
    paragraphs: [
      `${inviter.fullName} of ${practice} has invited you to ${brand}.`,
      `You’ll see what ${client} has to file and pay, the deadlines, and HMRC’s bank details and reference for each payment.`,
    ],
    action: { label: 'Open invitation', path: link },
    notes: [
      isReminder
        ? `The link works once, until ${reminderUntil}, with an account for ${email}. Links in earlier emails no longer work.`
        : `The link works once, within ${CLIENT_INVITATION_DAYS} days, with an account for ${email}. If you don’t have one, you can create it there.`,
      'Don’t forward this email: the link is for you only.',
      `If you don’t know ${practice}, you can ignore this email. You can also stop the reminders on the invitation’s page.`,
    ],
    reason: `You’re receiving this because ${practice} entered your email address for ${client}.`,
    sentFor: { companyId: key.practiceId, invitation: hashToken(token) },
  };
}

type PersonChange = {
  readonly name: string;
  readonly email: string;
  readonly what: 'joined' | 'left' | 'was removed';
  /** The practice member who is also notified. */
  readonly invitedBy?: string;
  readonly removedBy?: string;
};

/** Notifies the client's other users who want it and, when someone joins, the practice member who invited them. */
export async function enqueuePeopleChanged(
  deps: AppDeps,
  tx: Tx,
  key: ClientKey,
  { name, email, what, invitedBy, removedBy }: PersonChange,
): Promise<void> {
  const { client, practice, sender } = await getNames(tx, key);
  const buildContent = (reason: string) => ({
    subject: `${name} ${what === 'joined' ? 'can now see' : 'can no longer see'} ${client}’s taxes`,
    preheader: `${name} (${email}) ${what}.`,
    heading: what === 'joined' ? `${name} joined` : `${name} no longer has access`,
    paragraphs: [
      what === 'joined'
        ? `${name} (${email}) accepted ${practice}’s invitation and can now see ${client}’s taxes.`
        : `${name} (${email}) ${what === 'left' ? 'gave up access' : `was removed by ${practice}`} and can no longer see ${client}’s taxes.`,
    ],
    reason,
  });
  for (const { email: to } of await listNotifiedEmails(tx, key)) {
    if (to === email) continue;
    const settings = `${PAGES.clientsPortalSettings.path}?company_id=${key.clientId}`;
    const letter: EmailContent = {
      sender,
      ...buildContent(
        `You’re receiving this because you chose to be notified of changes to who can see ${client}’s taxes. To stop, go to Settings, Notification Preferences.`,
      ),
      notes: ['If you don’t know this person, ask your accountant.'],
      action: { label: 'See who has access', path: settings },
    };
    await enqueueClientEmail(deps, tx, { ...key, to, sentBy: removedBy ?? invitedBy ?? null, content: letter, isSecurity: true });
  }
  await notifyStaff(deps, tx, key, { name, email, what, client, ...(invitedBy === undefined ? {} : { invitedBy }) }, buildContent);
}

type StaffNotice = PersonChange & { readonly client: string };

/** Notifies the member who invited the user or, if that member or the user has left, the client’s team. */
async function notifyStaff(
  deps: AppDeps,
  tx: Tx,
  { practiceId, clientId }: ClientKey,
  { name, email, what, invitedBy, client }: StaffNotice,
  content: (reason: string) => EmailContent,
): Promise<void> {
  if (what === 'was removed') return;
  const path = `${PAGES.clientDashboard.path}?company_id=${practiceId}&client_id=${clientId}&tab=people`;
  const { reason: _reason, unsubscribePath: _unsubscribePath, ...emailContent } = content('');
  const event = {
    clientId,
    path,
    key: `${clientId} ${email} ${deps.clock.now()}`,
    email: { ...emailContent, action: { label: 'Open the client', path } },
  };
  if (what === 'left') {
    const getTeam = await listClientTeams(tx, practiceId, [clientId]);
    const title = `${name} gave up access to ${client}`;
    await notify(deps, tx, practiceId, [{ ...event, kind: 'client_left', title, userIds: getTeam(clientId) }]);
  } else if (invitedBy !== undefined) {
    const isInviter = and(eq(memberships.companyId, practiceId), eq(memberships.userId, invitedBy));
    const isInviterHere = (await tx.$count(memberships, isInviter)) > 0;
    // If the inviter has left, someone who works here must still learn who can see the client.
    const title = `${name} of ${client} accepted ${isInviterHere ? 'your' : 'an'} invitation`;
    const userIds = isInviterHere ? [invitedBy] : (await listClientTeams(tx, practiceId, [clientId]))(clientId);
    await notify(deps, tx, practiceId, [{ ...event, kind: 'client_joined', title, userIds }]);
  }
}

/** Every user who loses access gets this email, regardless of their preferences. */
export async function enqueueAccessEnded(
  deps: AppDeps,
  tx: Tx,
  key: ClientKey,
  { email, endedBy }: { readonly email: string; readonly endedBy: string },
): Promise<void> {
  const { client, practice, sender } = await getNames(tx, key);
  const content: EmailContent = {
    sender,
    subject: `You can no longer see ${client}’s taxes`,
    preheader: `${practice} has removed your access.`,
    heading: `Your access to ${client} has ended`,
    paragraphs: [
      `${practice} has removed your access to ${client}’s taxes. Your account remains open. If this is a mistake, contact ${practice}.`,
    ],
    reason: `You’re receiving this because you could see ${client}’s taxes on ${deps.site.brand}.`,
    sentFor: { companyId: key.practiceId, isEssential: true },
  };
  await enqueueClientEmail(deps, tx, { ...key, to: email, sentBy: endedBy, content, isSecurity: true });
}

function listNotifiedEmails(tx: Tx, { practiceId, clientId }: ClientKey): Promise<{ email: string }[]> {
  return tx
    .select({ email: users.email })
    .from(clientPeople)
    .innerJoin(users, eq(users.id, clientPeople.userId))
    .where(and(eq(clientPeople.companyId, practiceId), eq(clientPeople.clientId, clientId), eq(clientPeople.peopleEmails, true)))
    .orderBy(asc(users.email));
}

export type ClientNames = { readonly client: string; readonly practice: string; readonly sender: EmailSender };

/** Returns a practice's colour with enough contrast on the light background of an email, or null. */
export const toEmailColour = (colour: string | null): string | null => (colour !== null && toReadableColour(colour, '#FFFFFF')) || null;

/** Returns the names of a client and its practice, and how the practice signs its emails. */
export async function getNames(tx: Tx, { practiceId, clientId }: ClientKey): Promise<ClientNames> {
  const [names] = await tx
    .select({
      client: clients.name,
      practice: companies.name,
      colour: practiceBrands.colour,
      hasLogo: sql<boolean>`(${practiceBrands.logo} is not null)`,
    })
    .from(clients)
    .innerJoin(companies, eq(companies.id, clients.companyId))
    .leftJoin(practiceBrands, eq(practiceBrands.companyId, clients.companyId))
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, clientId)));
  if (!names) throw createNotFoundError();
  const { client, practice, colour, hasLogo } = names;
  const sender = { name: practice, colour: toEmailColour(colour), ...(hasLogo ? { logoOf: practiceId } : {}) };
  return { client, practice, sender };
}
