import type { MailboxProvider } from '@portal/domain/messages/sending-limits.ts';

/** As people know the providers. */
export const MAILBOX_NAMES: Readonly<Record<MailboxProvider, string>> = { gmail: 'Gmail', outlook: 'Outlook' };
