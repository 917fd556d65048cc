/** The kinds of notifications for practice members. See docs/decisions/0061-notifications.md. */
export const NOTIFICATION_KINDS = [
  'mention',
  'task_assigned',
  'client_joined',
  'client_left',
  'authorisation_accepted',
  'authorisation_ended',
  'refund_appeared',
  'penalty_appeared',
  'obligation_overdue',
  'client_not_done',
  'client_answered',
  'client_wrote',
  'return_answered',
  'message_not_sent',
  'mail_bounced',
  'advance_proposal',
  'import_finished',
  'refresh_failed',
  'colleague_joined',
  'mailbox_lost',
  'books_lost',
  'hmrc_connection',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** `digest`: in the user's next digest. */
export const EMAIL_CHOICES = ['now', 'digest', 'off'] as const;
export type EmailChoice = (typeof EMAIL_CHOICES)[number];

export const DIGESTS = ['daily', 'weekly', 'off'] as const;
export type Digest = (typeof DIGESTS)[number];

/** The channels for one kind. */
export type Channels = { readonly portal: boolean; readonly email: EmailChoice };
