/** Notifications of a practice's members, and each member's settings for them. See docs/decisions/0061-notifications.md. */
import { DIGESTS, EMAIL_CHOICES, NOTIFICATION_KINDS } from '@portal/domain/staff-notifications/notification-kinds.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, idScalar, instantScalar } from './scalars.ts';

/** The maximum number of notifications in one response. */
export const NOTIFICATIONS_PAGE_SIZE = 30;

const kind = z.enum(NOTIFICATION_KINDS);

const notification = z.object({
  notification_id: idScalar,
  kind,
  title: z.string(),
  /** The page that the notification opens, below /portal. */
  path: z.string(),
  client_id: z.nullable(idScalar),
  at: instantScalar,
  is_read: z.boolean(),
});
export type StaffNotification = z.output<typeof notification>;

const channels = z.object({ kind, portal: z.boolean(), email: z.enum(EMAIL_CHOICES) });
const hour = z.int().check(z.minimum(0), z.maximum(23));
/** Quiet hours, in London time. */
const quietHours = z.nullable(z.object({ from: hour, to: hour }));

const choices = z.object({
  /** Every kind, with the role’s default where the user hasn't chosen. */
  kinds: z.array(z.extend(channels, { is_required: z.boolean() })),
  digest: z.enum(DIGESTS),
  quiet: quietHours,
  muted: z.array(z.object({ client_id: idScalar, name: z.string() })),
});
export type StaffNotificationChoices = z.output<typeof choices>;

const tokenInput = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) });

export const staffNotificationsApi = {
  unread: endpoint({
    method: 'GET',
    path: '/open-tax/notifications/unread',
    access: 'practice.read',
    summary: 'Count the user’s unread notifications, up to 100',
    input: companyInput,
    output: z.object({ unread: z.int() }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/open-tax/notifications',
    access: 'practice.read',
    summary: 'List the user’s own notifications of the last 90 days, newest first',
    input: z.extend(companyInput, {
      from: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100_000)), 0),
      only_unread: z.optional(z.literal('1')),
    }),
    output: z.object({ notifications: z.array(notification), has_more: z.boolean(), unread: z.int() }),
  }),
  markRead: endpoint({
    method: 'POST',
    path: '/open-tax/notifications/read',
    access: 'practice.read',
    summary: 'Mark the given notifications as read, or all of them if `notification_ids` is left out',
    input: z.extend(companyInput, { notification_ids: z.optional(z.array(idScalar).check(z.maxLength(200))) }),
    output: z.object({ unread: z.int() }),
  }),
  choices: endpoint({
    method: 'GET',
    path: '/open-tax/notifications/choices',
    access: 'practice.read',
    summary: 'Get the user’s settings for each kind of notification, the digest, quiet hours and muted clients',
    input: companyInput,
    output: choices,
  }),
  saveChoices: endpoint({
    method: 'POST',
    path: '/open-tax/notifications/choices',
    access: 'practice.read',
    summary: 'Choose how the user is notified. Required notifications stay on.',
    input: z.extend(companyInput, {
      kinds: z.array(channels).check(z.maxLength(100)),
      digest: z.enum(DIGESTS),
      quiet: quietHours,
    }),
    output: choices,
  }),
  mute: endpoint({
    method: 'POST',
    path: '/open-tax/notifications/mute',
    access: 'client.work',
    summary: 'Mute or unmute notifications about a client. Affects only the user.',
    input: z.extend(companyInput, { client_id: idScalar, is_muted: z.boolean() }),
    output: doneOutput,
  }),
  unsubscribeLink: endpoint({
    method: 'GET',
    path: '/notification-unsubscribe',
    access: 'public',
    summary: 'Get the kind of email that an unsubscribe link turns off. Changes nothing.',
    input: tokenInput,
    output: z.object({ practice: z.string(), label: z.string(), is_on: z.boolean() }),
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/notification-unsubscribe',
    access: 'public',
    summary: 'Turn off the kind of email that an unsubscribe link belongs to, for its recipient',
    input: tokenInput,
    output: z.object({ practice: z.string(), label: z.string() }),
  }),
};
