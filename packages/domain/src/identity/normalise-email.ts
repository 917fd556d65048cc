/**
 * Returns the mailbox behind an email address, for comparing users: in lower case, without the part after "+" (RFC 5233), and without dots
 * at Gmail, which ignores them (https://support.google.com/mail/answer/7436150).
 */
export function normaliseEmail(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@');
  const [mailbox = ''] = local.split('+');
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`;
}
