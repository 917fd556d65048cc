/** Emails about access to a trader's company. Owners are notified of every change, because access to a company is access to its refunds. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { companies, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { COMPANY_PERMISSION_NAMES, TRADER_ROLE_NAMES, type CompanyPermission } from '@portal/domain/company-people/company-access.ts';
import type { TraderRole } from '@portal/domain/identity/roles.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmail, enqueueEmailToOwners } from '../../mail/enqueue-email.ts';

type InvitationEmail = {
  readonly companyId: string;
  readonly email: string;
  readonly token: string;
  readonly inviter: string;
  readonly role: TraderRole;
};

export async function enqueueCompanyInvitation(
  deps: AppDeps,
  tx: Tx,
  { companyId, email, token, inviter, role }: InvitationEmail,
): Promise<void> {
  const company = await getCompanyName(tx, companyId);
  const { brand } = deps.site;
  await enqueueEmail(deps, tx, email, {
    // Anyone can choose a company's name, so the subject doesn't start with it.
    subject: `Join a company on ${brand}: ${company}`,
    preheader: `${inviter} has invited you. The link works for seven days.`,
    heading: `Join ${company}`,
    paragraphs: [`${inviter} has invited you to ${company} on ${brand} as ${describeRole(role)}.`],
    action: { label: 'Open invitation', path: `${PAGES.joinTeam.path}?token=${token}` },
    notes: [
      `The link works once, within seven days, with an account for ${email}. If you don’t have one, you can create it there.`,
      'If you don’t know this company, you can ignore this email.',
    ],
    reason: `You’re receiving this because ${inviter} entered your email address.`,
  });
}

type JoinedPerson = { readonly companyId: string; readonly email: string; readonly name: string; readonly role: TraderRole };

export function enqueueCompanyJoined(deps: AppDeps, tx: Tx, { companyId, email, name, role }: JoinedPerson): Promise<void> {
  return enqueueEmailToOwners(deps, tx, companyId, (company) => ({
    subject: `${name} joined ${company.name}`,
    preheader: `${name} (${email}) accepted an invitation.`,
    heading: `${name} joined ${company.name}`,
    paragraphs: [`${name} (${email}) accepted an invitation and is now ${describeRole(role)}.`],
    action: { label: 'See who has access', path: toPeoplePath(companyId) },
  }));
}

type ChangedMember = {
  readonly companyId: string;
  readonly userId: string;
  readonly changedBy: string;
  readonly role: TraderRole;
  readonly permissions: readonly CompanyPermission[];
};

/** Notifies all owners, and the user if they are no longer an owner. */
export async function enqueueAccessChanged(deps: AppDeps, tx: Tx, changedMember: ChangedMember): Promise<void> {
  const { companyId, userId, changedBy, role, permissions } = changedMember;
  const memberUser = await getUser(tx, userId);
  const rights = permissions.map((permission) => COMPANY_PERMISSION_NAMES[permission].toLowerCase()).join(' and ');
  const access = `${describeRole(role)}${rights === '' ? '' : `, and may ${rights.replace('file vat', 'file VAT')}`}`;
  const name = await getCompanyName(tx, companyId);
  const content = {
    subject: `Access to ${name} has changed`,
    preheader: `${changedBy} changed what ${memberUser.fullName} can do.`,
    heading: `Access to ${name} has changed`,
    paragraphs: [`${changedBy} changed what ${memberUser.fullName} (${memberUser.email}) can do: ${memberUser.fullName} is now ${access}.`],
    action: { label: 'See who has access', path: toPeoplePath(companyId) },
  };
  await enqueueEmailToOwners(deps, tx, companyId, () => content);
  if (role === 'trader_owner') return;
  await enqueueEmail(deps, tx, memberUser.email, { ...content, reason: `You’re receiving this because you have access to ${name}.` });
}

type EndedMember = {
  readonly companyId: string;
  readonly person: { readonly email: string; readonly fullName: string };
  /** The user who ended the access; undefined if the user left. */
  readonly endedBy: string | undefined;
};

/** Notifies the remaining owners and the user whose access was ended. */
export async function enqueueAccessEnded(deps: AppDeps, tx: Tx, { companyId, person, endedBy }: EndedMember): Promise<void> {
  const name = await getCompanyName(tx, companyId);
  const sentence =
    endedBy === undefined ? `${person.fullName} left ${name}.` : `${endedBy} ended access for ${person.fullName} (${person.email}).`;
  const content = {
    subject: `${person.fullName} no longer has access to ${name}`,
    preheader: sentence,
    heading: `${person.fullName} no longer has access to ${name}`,
    paragraphs: [sentence],
  };
  const action = { label: 'See who has access', path: toPeoplePath(companyId) };
  await enqueueEmailToOwners(deps, tx, companyId, () => ({ ...content, action }));
  if (endedBy === undefined) return;
  await enqueueEmail(deps, tx, person.email, { ...content, reason: `You’re receiving this because you had access to ${name}.` });
}

function describeRole(role: TraderRole): string {
  const name = TRADER_ROLE_NAMES[role].toLowerCase();
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

function toPeoplePath(companyId: string): string {
  return `${PAGES.companyPeople.path}?company_id=${companyId}`;
}

async function getUser(tx: Tx, userId: string): Promise<{ email: string; fullName: string }> {
  const [user] = await tx.select({ email: users.email, fullName: users.fullName }).from(users).where(eq(users.id, userId));
  return user ?? { email: '', fullName: '' };
}

async function getCompanyName(tx: Tx, companyId: string): Promise<string> {
  const [company] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  return company?.name ?? '';
}
