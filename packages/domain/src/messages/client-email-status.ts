/** The outcome of an email that the portal sends to a client for a practice. `unknown`: it may have been sent. */
export type ClientEmailStatus = 'queued' | 'sent' | 'not_sent' | 'unknown' | 'bounced';

/** How timelines name each outcome. */
export const CLIENT_EMAIL_TITLES: Readonly<Record<ClientEmailStatus, string>> = {
  queued: 'Email waiting to be sent',
  sent: 'Email sent',
  not_sent: 'Email not sent',
  unknown: 'Email may have been sent',
  bounced: 'Email bounced',
};
