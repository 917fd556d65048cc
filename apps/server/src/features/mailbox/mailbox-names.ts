import type { MailboxProvider } from '@portal/domain/messages/sending-limits.ts';

/** The providers' names as users know them. */
export const MAILBOX_NAMES: Readonly<Record<MailboxProvider, string>> = { gmail: 'Gmail', outlook: 'Outlook' };
