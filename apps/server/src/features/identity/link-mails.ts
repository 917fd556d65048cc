/** Texts of the emailed links, and of the email about a changed sign-in method. */
import type { Tx } from '@portal/db/database.ts';
import { users, type LinkPurpose, type VerifiedIdentity } from '@portal/db/schema/schema.ts';
import { eq } from 'drizzle-orm';
import type { AppDeps, Site } from '../../app-deps.ts';
import type { Mail } from '../../mail/mailer.ts';

export type LinkMail = {
  readonly to: string;
  readonly token: string;
  readonly purpose: LinkPurpose;
  /** Whether the address has an account. */
  readonly hasAccount: boolean;
  readonly createsAccount: boolean;
  readonly identity?: VerifiedIdentity | undefined;
};

type LinkText = { readonly subject: string; readonly intro: string };

export function createLinkMail(site: Site, mail: LinkMail): Mail {
  if (!mail.hasAccount && !mail.createsAccount) return createNoAccountMail(site, mail);
  const { subject, intro } = describeLink(site.brand, mail);
  const page = mail.purpose === 'reset' ? 'new-password' : 'link';
  return {
    to: mail.to,
    subject,
    text: [
      intro,
      `${site.publicUrl}/portal/v2/auth/${page}?token=${mail.token}`,
      'The link works once and for 30 minutes. Opening it does nothing yet: you press a button there.',
      'If you did not ask for it, do not use it; you need do nothing.',
    ].join('\n\n'),
  };
}

function describeLink(brand: string, { purpose, hasAccount, identity }: LinkMail): LinkText {
  const provider = getProviderName(identity?.provider ?? '');
  if (purpose === 'link' && hasAccount) {
    return {
      subject: `Connect ${provider} with your ${brand} account`,
      intro: `Somebody signed in with ${provider} and this email address. If it was you, connect it with your account here, in the same browser:`,
    };
  }
  if (!hasAccount)
    return { subject: `Confirm your email address for ${brand}`, intro: `Welcome to ${brand}. Confirm your address and go on here:` };
  switch (purpose) {
    case 'reset':
      return { subject: `Set a new password for ${brand}`, intro: 'Set a new password here:' };
    case 'verify':
      return { subject: `Confirm your email address for ${brand}`, intro: 'Confirm that this is your email address here:' };
    case 'hmrc':
      return { subject: `Sign in to ${brand}`, intro: 'Somebody signed in at HMRC for your company. If it was you, go on here:' };
    default:
      return { subject: `Sign in to ${brand}`, intro: `Sign in to ${brand} here:` };
  }
}

const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
  xero: 'Xero',
  intuit: 'QuickBooks',
  freeagent: 'FreeAgent',
};

/** The provider's display name. */
export function getProviderName(provider: string): string {
  return PROVIDER_NAMES[provider] ?? provider;
}

/** Every change of a sign-in method is emailed to the owner, because someone else may have made it. */
export async function enqueueSecurityEmail(deps: AppDeps, tx: Tx, userId: string, sentence: string, subject?: string): Promise<void> {
  const { brand, publicUrl } = deps.site;
  const [owner] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!owner) return;
  await deps.enqueue(tx, 'mail.send', {
    to: owner.email,
    subject: subject ?? `Your sign-in methods for ${brand} have changed`,
    text: `${sentence}\n\nIf it was not you, set a new password and end all sessions: ${publicUrl}/portal/v2/instant-vat/profile`,
  });
}

function createNoAccountMail({ brand, publicUrl }: Site, { to, purpose }: LinkMail): Mail {
  const purposeText = purpose === 'reset' ? 'set a new password for' : 'sign in to';
  return {
    to,
    subject: purpose === 'reset' ? `Set a new password for ${brand}` : `Sign in to ${brand}`,
    text: `Somebody asked for a link to ${purposeText} ${brand} with this address, but it has no account.\n\nTo open one, go to ${publicUrl}/portal/v2/instant-vat\nIf it was not you, you need do nothing.`,
  };
}
