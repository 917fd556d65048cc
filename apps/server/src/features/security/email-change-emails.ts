/** Emails about a change of a user's email address. */
import { PAGES } from '@portal/contract/pages.ts';
import { formatInstant, type Instant } from '@portal/domain/clock.ts';
import type { EmailContent } from '../../mail/email-content.ts';
import { getSecurityReason } from '../identity/link-emails.ts';

const toConfirmationPath = (token: string): string => `${PAGES.confirmEmailChange.path}?token=${token}`;
const LINK_VALIDITY_TEXT = 'The link works once, within 24 hours. It opens a page where you confirm.';

export function createOldAddressEmail(brand: string, { newEmail, token }: { newEmail: string; token: string }): EmailContent {
  return {
    subject: `Confirm the change of your ${brand} email`,
    preheader: `Your new email will be ${newEmail}.`,
    heading: 'Confirm the change of your email',
    paragraphs: [
      `You asked to use ${newEmail} for your account instead of this address. Confirm the change here, and in the email we sent to the new address.`,
    ],
    action: { label: 'Confirm change', path: toConfirmationPath(token) },
    notes: [
      LINK_VALIDITY_TEXT,
      'If you didn’t request this, don’t use the link: nothing changes without it. Someone is logged in to your account, so change your password and end all sessions in your profile.',
    ],
    reason: getSecurityReason(brand),
  };
}

export function createNewAddressEmail(brand: string, { oldEmail, token }: { oldEmail: string; token: string }): EmailContent {
  return {
    subject: `Confirm your new email for ${brand}`,
    preheader: 'Confirm that this mailbox is yours.',
    heading: 'Confirm your new email',
    paragraphs: [
      `Someone asked to use this email address for the account of ${oldEmail}. If that’s your account, confirm here, and in the email we sent to that address.`,
    ],
    action: { label: 'Confirm new email', path: toConfirmationPath(token) },
    notes: [LINK_VALIDITY_TEXT, 'If it isn’t your account, you can ignore this email.'],
    reason: `You’re receiving this because someone entered this email address on ${brand}.`,
  };
}

/** Sent to an address that already has an account. */
export function createAddressTakenEmail(brand: string): EmailContent {
  return {
    subject: `This email already has a ${brand} account`,
    preheader: 'It can’t be used for a second one.',
    heading: 'This email already has an account',
    paragraphs: ['Someone asked to use this address for another account. That isn’t possible, because it already has an account.'],
    action: { label: 'Log in', path: PAGES.loginV2.path },
    notes: ['If it was you, log in to the account with this address, or choose another address. If not, you don’t need to do anything.'],
    reason: `You’re receiving this because someone entered this email address on ${brand}.`,
  };
}

export function createChangedEmail(brand: string, { newEmail, at }: { newEmail: string; at: Instant }): EmailContent {
  return {
    subject: `Your ${brand} email was changed`,
    preheader: `You now log in with ${newEmail}.`,
    heading: 'Your email was changed',
    paragraphs: [
      `Since ${formatInstant(at)}, your account has used ${newEmail}. Log in with it from now on. We won’t send anything more to the old address.`,
    ],
    notes: ['If you didn’t confirm this, contact us immediately.'],
    reason: getSecurityReason(brand),
  };
}
