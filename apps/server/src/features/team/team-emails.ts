/** Emails about access to a practice: the invitation, and changes that concern the member or the sender of their invitation. */
import { PAGES } from '@portal/contract/pages.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import type { Tx } from '@portal/db/database.ts';
import { companies, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { PracticeRole } from '@portal/domain/identity/roles.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { notify } from '../staff-notifications/notify.ts';

const ROLE_TEXTS: Readonly<Record<PracticeRole, string>> = { practice_admin: 'an admin', team_member: 'a team member' };

type InvitationMail = {
  readonly companyId: string;
  readonly email: string;
  readonly token: string;
  readonly inviter: string;
  readonly role: PracticeRole;
};

export async function enqueueInvitation(deps: AppDeps, tx: Tx, { companyId, email, token, inviter, role }: InvitationMail): Promise<void> {
  const practice = await getPracticeName(tx, companyId);
  const { brand } = deps.site;
  await enqueueEmail(deps, tx, email, {
    // Practices can choose any name, so the subject doesn't start with it.
    subject: `Join a team on ${brand}: ${practice}`,
    preheader: `${inviter} has invited you. The link works for seven days.`,
    heading: `Join ${practice}`,
    paragraphs: [`${inviter} has invited you to work with ${practice} on ${brand} as ${ROLE_TEXTS[role]}.`],
    action: { label: 'Open invitation', path: `${PAGES.joinTeam.path}?token=${token}` },
    notes: [
      `The link works once, within seven days, with an account for ${email}. If you don’t have one, you can create it there.`,
      'If you don’t know this practice, you can ignore this email.',
    ],
    reason: `You’re receiving this because ${inviter} entered your email address.`,
    sentFor: { companyId, isEssential: true },
  });
}

type PersonChange = { readonly companyId: string; readonly userId: string };

/** Notifies the sender of an invitation that it has been accepted. */
export async function enqueueJoinedEmail(
  deps: AppDeps,
  tx: Tx,
  inviterId: string,
  joinedMember: { companyId: string; email: string; name: string },
): Promise<void> {
  const practice = await getPracticeName(tx, joinedMember.companyId);
  const title = `${joinedMember.name} joined ${practice}`;
  const path = `${getSettingsPath('team')}?company_id=${joinedMember.companyId}`;
  const sentence = `${joinedMember.name} (${joinedMember.email}) accepted your invitation. Next, assign clients to them.`;
  await notify(deps, tx, joinedMember.companyId, [
    {
      kind: 'colleague_joined',
      key: joinedMember.email,
      title,
      path,
      userIds: [inviterId],
      email: { subject: title, preheader: sentence, heading: title, paragraphs: [sentence], action: { label: 'Open your team', path } },
    },
  ]);
}

export async function enqueueAccessEnded(deps: AppDeps, tx: Tx, { companyId, userId }: PersonChange): Promise<void> {
  const practice = await getPracticeName(tx, companyId);
  await enqueueMemberEmail(deps, tx, userId, {
    subject: `Your access to ${practice} has ended`,
    heading: `Your access to ${practice} has ended`,
    sentence: `An admin at ${practice} has removed your access. We’ve logged you out on every device. If this is a mistake, contact them.`,
    reason: `You’re receiving this because you worked with ${practice} on ${deps.site.brand}.`,
  });
}

export async function enqueueRoleChanged(deps: AppDeps, tx: Tx, { companyId, userId }: PersonChange, role: PracticeRole): Promise<void> {
  const practice = await getPracticeName(tx, companyId);
  await enqueueMemberEmail(deps, tx, userId, {
    subject: `You’re now ${ROLE_TEXTS[role]} at ${practice}`,
    heading: 'Your role has changed',
    sentence: `An admin has made you ${ROLE_TEXTS[role]} of ${practice}.`,
    path: `${getSettingsPath('roles')}?company_id=${companyId}`,
    label: 'See what you can do',
    reason: `You’re receiving this because you work with ${practice} on ${deps.site.brand}.`,
  });
}

type MemberEmail = {
  readonly subject: string;
  readonly heading: string;
  readonly sentence: string;
  readonly path?: string;
  readonly label?: string;
  readonly reason: string;
};

async function enqueueMemberEmail(deps: AppDeps, tx: Tx, userId: string, mail: MemberEmail): Promise<void> {
  const { subject, heading, sentence, path, label, reason } = mail;
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!user) return;
  const action = path !== undefined && label !== undefined ? { action: { label, path } } : {};
  await enqueueEmail(deps, tx, user.email, { subject, preheader: sentence, heading, paragraphs: [sentence], ...action, reason });
}

async function getPracticeName(tx: Tx, companyId: string): Promise<string> {
  const [company] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  return company?.name ?? '';
}
