/** The text and defaults for each kind of notification. Kept apart from the kinds, which every practice page loads. */
import type { PracticeRole } from '../identity/roles.ts';
import type { Channels, NotificationKind } from './notification-kinds.ts';

export const NOTIFICATION_GROUPS = ['Work', 'Clients', 'Figures and deadlines', 'The practice'] as const;

export type NotificationKindFacts = {
  readonly group: (typeof NOTIFICATION_GROUPS)[number];
  readonly label: string;
  /** A sentence saying who receives it and when. */
  readonly hint: string;
  readonly defaults: Readonly<Record<PracticeRole, Channels>>;
  /** Always sent both in the portal and by email immediately, because the practice’s work would otherwise stop. */
  readonly isRequired?: true;
};

const createForBothRoles = (channels: Channels): Readonly<Record<PracticeRole, Channels>> => ({
  practice_admin: channels,
  team_member: channels,
});
const EMAIL_NOW = createForBothRoles({ portal: true, email: 'now' });
const IN_DIGEST = createForBothRoles({ portal: true, email: 'digest' });
const IN_PORTAL = createForBothRoles({ portal: true, email: 'off' });

const DUTY_NOTE = 'Sent to you for clients assigned to you. If no one is assigned, admins get it.';

/** The facts of each kind. Exactly one event in the code sends each kind. */
export const NOTIFICATION_KIND_FACTS: Readonly<Record<NotificationKind, NotificationKindFacts>> = {
  mention: {
    group: 'Work',
    label: 'Someone mentions you',
    hint: 'A team member mentions you in a comment on a task.',
    defaults: EMAIL_NOW,
  },
  task_assigned: {
    group: 'Work',
    label: 'A task is assigned to you',
    hint: 'A team member makes you the owner of a task.',
    defaults: IN_DIGEST,
  },
  client_joined: {
    group: 'Clients',
    label: 'A client accepts an invitation',
    hint: 'Someone you invited can now see their taxes in the client portal.',
    defaults: EMAIL_NOW,
  },
  client_left: {
    group: 'Clients',
    label: 'Someone leaves the client portal',
    hint: `Someone gives up their access to the client portal. ${DUTY_NOTE}`,
    defaults: IN_DIGEST,
  },
  authorisation_accepted: {
    group: 'Clients',
    label: 'A client authorises you at HMRC',
    hint: `HMRC shows that you may act for the client. ${DUTY_NOTE}`,
    defaults: IN_DIGEST,
  },
  authorisation_ended: {
    group: 'Clients',
    label: 'An authorisation is rejected, expires or ends',
    hint: `The client rejected the request, didn’t respond in time, or ended the authorisation. ${DUTY_NOTE}`,
    defaults: EMAIL_NOW,
  },
  client_answered: {
    group: 'Clients',
    label: 'A client responds to a request',
    hint: 'A client has responded to every item in a request that you sent. If you no longer look after the client, those who do are notified instead.',
    defaults: EMAIL_NOW,
  },
  client_wrote: {
    group: 'Clients',
    label: 'A client sends you a message',
    hint: `A message in the client portal. Messages within an hour are combined into one notification. ${DUTY_NOTE}`,
    defaults: EMAIL_NOW,
  },
  return_answered: {
    group: 'Clients',
    label: 'A client approves or questions a VAT return',
    hint: 'For figures that you sent for approval. If you no longer look after the client, those who do are notified instead.',
    defaults: EMAIL_NOW,
  },
  message_not_sent: {
    group: 'Clients',
    label: 'A message to a client fails or may not have been sent',
    hint: 'A message or another email that you sent to a client failed, or we don’t know whether it was sent.',
    defaults: EMAIL_NOW,
  },
  mail_bounced: {
    group: 'Clients',
    label: 'An email bounces or is reported as spam',
    hint: 'We stop sending to the address until someone corrects it or tries it again. The sender of the email is notified, or admins if there isn’t one.',
    defaults: EMAIL_NOW,
  },
  advance_proposal: {
    group: 'Clients',
    label: 'A client responds to a proposed early refund',
    hint: 'The client declines it, accepts an offer or is paid. Sent to you if you proposed it.',
    defaults: EMAIL_NOW,
  },
  refund_appeared: {
    group: 'Figures and deadlines',
    label: 'A refund becomes due',
    hint: `HMRC’s figures show a new refund. ${DUTY_NOTE}`,
    defaults: IN_DIGEST,
  },
  penalty_appeared: {
    group: 'Figures and deadlines',
    label: 'A penalty is charged',
    hint: `A new penalty or penalty point. ${DUTY_NOTE}`,
    defaults: IN_DIGEST,
  },
  obligation_overdue: {
    group: 'Figures and deadlines',
    label: 'A return or payment becomes overdue',
    hint: `The day after it was due. ${DUTY_NOTE}`,
    defaults: IN_DIGEST,
  },
  client_not_done: {
    group: 'Figures and deadlines',
    label: 'A client hasn’t acted on a reminder',
    hint: 'The deadline is close, the item is still open, and a reminder rule asks for this notification. Sent to the team member who has that duty.',
    defaults: EMAIL_NOW,
  },
  import_finished: {
    group: 'The practice',
    label: 'An import finishes or stops',
    hint: 'A client or statement import that you started is complete, or stopped because of a problem on our side.',
    defaults: IN_PORTAL,
  },
  refresh_failed: {
    group: 'The practice',
    label: 'A refresh from HMRC stops early',
    hint: 'A refresh that you started stopped before reaching every client. For nightly refreshes, admins are notified.',
    defaults: { practice_admin: { portal: true, email: 'digest' }, team_member: { portal: true, email: 'off' } },
  },
  colleague_joined: {
    group: 'The practice',
    label: 'A team member accepts your invitation',
    hint: 'So that you can assign clients to them.',
    defaults: EMAIL_NOW,
  },
  mailbox_lost: {
    group: 'The practice',
    label: 'The practice’s mailbox is disconnected',
    hint: 'Emails to clients are on hold until someone reconnects it. Sent to admins.',
    defaults: EMAIL_NOW,
    isRequired: true,
  },
  books_lost: {
    group: 'The practice',
    label: 'Clients’ books can no longer be read',
    hint: 'Figures won’t update from the bookkeeping software until someone reconnects it. Sent to admins or, for a single client, to those assigned to it.',
    defaults: EMAIL_NOW,
    isRequired: true,
  },
  hmrc_connection: {
    group: 'The practice',
    label: 'The HMRC connection has ended or will end soon',
    hint: 'Figures can’t be refreshed without it. Sent to admins.',
    defaults: EMAIL_NOW,
    isRequired: true,
  },
};
