/**
 * The outcome of an email that the portal sends to a client for a practice. `sending`: an attempt through the practice’s mailbox is under
 * way. `unknown`: it may have been sent.
 */
export type ClientEmailStatus = 'queued' | 'sending' | 'sent' | 'not_sent' | 'unknown' | 'bounced';

/** What an email asks the client to answer. Once it has been answered or withdrawn, an email that had to wait isn't sent. */
export type ClientEmailNeed = 'request' | 'approval' | 'letter' | 'proposal';

/** How timelines name each outcome. */
export const CLIENT_EMAIL_TITLES: Readonly<Record<ClientEmailStatus, string>> = {
  queued: 'Email waiting to be sent',
  sending: 'Email being sent',
  sent: 'Email sent',
  not_sent: 'Email not sent',
  unknown: 'Email may have been sent',
  bounced: 'Email bounced',
};
