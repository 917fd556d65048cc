/** Emails that contain a link, and the email about a changed sign-in method. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { users, type LoginLinkPurpose, type VerifiedIdentity } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { EmailContent } from '../../mail/email-content.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';

export type LinkEmail = {
  readonly token: string;
  readonly purpose: LoginLinkPurpose;
  /** Whether the email address has an account. */
  readonly hasAccount: boolean;
  readonly createsAccount: boolean;
  readonly identity?: VerifiedIdentity | undefined;
};

export function createLinkEmail(brand: string, mail: LinkEmail): EmailContent {
  if (!mail.hasAccount && !mail.createsAccount) return createNoAccountEmail(brand, mail.purpose);
  const { label, ...texts } = describeLink(brand, mail);
  const page = mail.purpose === 'reset' ? PAGES.newPassword : PAGES.useLink;
  return {
    ...texts,
    preheader: 'The link works once, within 30 minutes.',
    action: { label, path: `${page.path}?token=${mail.token}` },
    notes: [
      'The link works once, within 30 minutes. It opens a page where you confirm.',
      'If you didn’t request this, you can ignore this email. Don’t forward it: the link works for anyone who has it.',
    ],
    reason: `You’re receiving this because someone entered this email address on ${brand}.`,
  };
}

type LinkText = Pick<EmailContent, 'subject' | 'heading' | 'paragraphs'> & { readonly label: string };

function describeLink(brand: string, { purpose, hasAccount, identity }: LinkEmail): LinkText {
  const provider = getProviderName(identity?.provider ?? '');
  if (purpose === 'link' && hasAccount) {
    return {
      subject: `Connect ${provider} to your ${brand} account`,
      heading: `Connect ${provider} to your account`,
      paragraphs: [
        `Someone signed in with ${provider} and this email address. If it was you, connect ${provider} to your account. Open the link in the browser where you signed in.`,
      ],
      label: `Connect ${provider}`,
    };
  }
  const confirm = { subject: `Confirm your email address for ${brand}`, heading: 'Confirm your email address', label: 'Confirm email' };
  if (!hasAccount) {
    const browser = identity === undefined ? '' : ` Open the link in the browser where you signed up with ${provider}.`;
    return { ...confirm, paragraphs: [`Welcome to ${brand}. Confirm your email address to create your account.${browser}`] };
  }
  const logIn = { subject: `Log in to ${brand}`, heading: `Log in to ${brand}`, label: 'Log in' };
  switch (purpose) {
    case 'reset':
      return {
        subject: `Set a new password for ${brand}`,
        heading: 'Set a new password',
        paragraphs: ['Choose a new password for your account. You’ll be logged out everywhere else.'],
        label: 'Set a new password',
      };
    case 'verify':
      return { ...confirm, paragraphs: ['Confirm that this is your email address.'] };
    case 'hmrc':
      return { ...logIn, paragraphs: ['Someone signed in with HMRC for your company. If it was you, log in here.'] };
    default:
      return { ...logIn, paragraphs: ['Use this link to log in without your password.'] };
  }
}

const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
  xero: 'Xero',
  intuit: 'QuickBooks',
  freeagent: 'FreeAgent',
};

/** Returns the provider's display name. */
export function getProviderName(provider: string): string {
  return PROVIDER_NAMES[provider] ?? provider;
}

/** Every change to a sign-in method is emailed to the owner, because someone else may have made it. */
export async function enqueueSecurityEmail(deps: AppDeps, tx: Tx, userId: string, sentence: string, heading?: string): Promise<void> {
  const { brand } = deps.site;
  const [owner] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!owner) return;
  await enqueueEmail(deps, tx, owner.email, {
    subject: heading === undefined ? `Your sign-in methods for ${brand} have changed` : `${heading}: ${brand}`,
    preheader: sentence,
    heading: heading ?? 'Your sign-in methods have changed',
    paragraphs: [sentence, 'If this wasn’t you, set a new password and end all sessions.'],
    action: { label: 'Check your account', path: `${PAGES.profile.path}?tab=security` },
    reason: getSecurityReason(brand),
  });
}

/** These emails can’t be switched off. */
export function getSecurityReason(brand: string): string {
  return `You’re receiving this because it affects the security of your ${brand} account.`;
}

function createNoAccountEmail(brand: string, purpose: LoginLinkPurpose): EmailContent {
  const subject = purpose === 'reset' ? `Set a new password for ${brand}` : `Log in to ${brand}`;
  return {
    subject,
    preheader: 'There’s no account with this email address yet.',
    heading: 'No account with this email address',
    paragraphs: [
      `Someone requested a link to ${purpose === 'reset' ? 'set a new password for' : 'log in to'} ${brand} with this email address, but it doesn’t have an account.`,
    ],
    action: { label: 'Sign up', path: PAGES.instantVatLanding.path },
    notes: ['If this wasn’t you, you can ignore this email.'],
    reason: `You’re receiving this because someone entered this email address on ${brand}.`,
  };
}
