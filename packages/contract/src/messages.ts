/** Messages that a practice sends to its clients. See docs/decisions/0053-messages-and-mailboxes.md. */
import { listUnknownFields, MESSAGE_FIELDS } from '@portal/domain/messages/message-fields.ts';
import { MESSAGE_STATUSES, RECIPIENT_STATUSES } from '@portal/domain/messages/message-status.ts';
import { MESSAGE_ROUTES } from '@portal/domain/messages/sending-limits.ts';
import { z } from 'zod/mini';
import { clientSelection, isSingleSelection, SINGLE_SELECTION_ERROR } from './clients.ts';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, idScalar, instantScalar } from './scalars.ts';

const KNOWN_FIELDS = 'Use only the fields {client}, {deadline}, {due date}, {amount}, {practice} and {sender}';
const hasKnownFields = (text: string): boolean => listUnknownFields(text).length === 0;

/** The subject and text of a message, with fields in braces, as written by users or the assistant. */
export const messageContent = {
  subject: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter a subject'),
      z.maxLength(150, 'Enter a subject of at most 150 characters'),
      z.regex(/^\P{Cc}*$/u, 'Enter the subject on one line'),
      z.refine(hasKnownFields, KNOWN_FIELDS),
    ),
  body: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter a message'),
      z.maxLength(10_000, 'Enter a message of at most 10,000 characters'),
      z.regex(/^[^\0]*$/, 'Enter a message without control characters'),
      z.refine(hasKnownFields, KNOWN_FIELDS),
    ),
};

const selectedInput = z.extend(companyInput, { ...clientSelection, ...messageContent });

/** The email address that messages are currently sent from. */
const messageRoute = z.object({
  route: z.enum(MESSAGE_ROUTES),
  address: z.string(),
  /** Where clients' replies go. */
  reply_to: z.string(),
  /** Whether the mailbox connection has been lost, so that messages are waiting. */
  is_waiting: z.boolean(),
  per_minute: z.int(),
  per_day: z.int(),
});
export type MessageRouteState = z.output<typeof messageRoute>;

const filledMessage = z.object({
  client_id: idScalar,
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  body: z.string(),
});
export type FilledMessage = z.output<typeof filledMessage>;

const leftOutClient = z.object({
  client_id: idScalar,
  name: z.string(),
  /** `closed`: archived or closed clients don't receive messages. `undeliverable`: an earlier email to the address bounced. */
  reason: z.enum(['no_email', 'undeliverable', 'missing_fields', 'closed']),
  missing: z.array(z.enum(MESSAGE_FIELDS)),
});
export type LeftOutClient = z.output<typeof leftOutClient>;

const counts = z.object(
  Object.fromEntries(RECIPIENT_STATUSES.map((status) => [status, z.int()])) as Record<(typeof RECIPIENT_STATUSES)[number], z.ZodMiniInt>,
);

const messageSummary = z.object({
  message_id: idScalar,
  subject: z.string(),
  status: z.enum(MESSAGE_STATUSES),
  counts,
  recipients: z.int(),
  left_out: z.int(),
  author: z.string(),
  created_at: instantScalar,
  send_at: instantScalar,
});
export type MessageSummary = z.output<typeof messageSummary>;

const messageRecipient = z.object({
  client_id: idScalar,
  name: z.string(),
  email: z.string(),
  status: z.enum(RECIPIENT_STATUSES),
  route: z.nullable(z.enum(MESSAGE_ROUTES)),
  sent_from: z.nullable(z.string()),
  ended_at: z.nullable(instantScalar),
  /** Why sending failed, as reported by the provider. */
  reason: z.nullable(z.string()),
});
export type MessageRecipient = z.output<typeof messageRecipient>;

const messageInput = z.extend(companyInput, { message_id: idScalar });

export const messagesApi = {
  preview: endpoint({
    method: 'POST',
    path: '/open-tax/messages/preview',
    access: 'practice.messages',
    summary:
      'Preview a message to the selected clients: the number of recipients, the first few messages as they will be sent, and who is left out',
    input: selectedInput.check(z.refine(isSingleSelection, SINGLE_SELECTION_ERROR)),
    output: z.object({
      recipients: z.int(),
      samples: z.array(filledMessage),
      left_out: z.int(),
      /** The first few of the clients left out. */
      left_out_clients: z.array(leftOutClient),
      route: messageRoute,
    }),
    runsOneAtATime: true,
  }),
  sendTest: endpoint({
    method: 'POST',
    path: '/open-tax/messages/test',
    access: 'practice.messages',
    summary: 'Send a test of the message to the caller’s own email address, filled in with one client’s details',
    input: z.extend(companyInput, { message_id: idScalar, client_id: idScalar, ...messageContent }),
    output: z.object({ email: z.string() }),
    maxPerPerson: 30,
  }),
  send: endpoint({
    method: 'POST',
    path: '/open-tax/messages/send',
    access: 'practice.messages',
    summary: 'Send a message to the selected clients, now or later. The caller chooses `message_id`; repeating it sends nothing more.',
    input: z
      .extend(selectedInput, {
        message_id: idScalar,
        /** The number of recipients in the preview. */
        recipients: z.int().check(z.minimum(1, 'Choose a client')),
        send_at: z.optional(instantScalar),
      })
      .check(z.refine(isSingleSelection, SINGLE_SELECTION_ERROR)),
    output: z.object({ message_id: idScalar, recipients: z.int() }),
    runsOneAtATime: true,
  }),
  list: endpoint({
    method: 'GET',
    path: '/open-tax/messages',
    access: 'practice.messages',
    summary: 'List the latest 100 messages to clients, newest first. A team member sees their own.',
    input: companyInput,
    output: z.object({ messages: z.array(messageSummary), route: messageRoute }),
  }),
  details: endpoint({
    method: 'GET',
    path: '/open-tax/messages/details',
    access: 'practice.messages',
    summary: 'Get a message and its outcome for each client, those needing attention first',
    input: z.extend(messageInput, { status: z.optional(z.enum(RECIPIENT_STATUSES)) }),
    output: z.object({
      message: z.extend(messageSummary, { body: z.string() }),
      /** Lists the first 200 recipients. */
      recipients: z.array(messageRecipient),
    }),
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/open-tax/messages/cancel',
    access: 'practice.messages',
    summary: 'Stop sending a message. Emails already sent, or being sent, aren’t affected.',
    input: messageInput,
    output: z.object({ cancelled: z.int() }),
  }),
  repeat: endpoint({
    method: 'POST',
    path: '/open-tax/messages/repeat',
    access: 'practice.messages',
    summary: 'Resend a message that failed, or whose outcome is unknown, to one client. Only a user can decide this.',
    input: z.extend(messageInput, { client_id: idScalar }),
    output: doneOutput,
  }),
};
export const notificationsApi = {
  customers: endpoint({
    method: 'GET',
    path: '/open-tax/notification/customers',
    access: 'practice.read',
    summary: 'List the latest messages sent to the practice’s clients, newest first. A team member sees only assigned clients.',
    input: companyInput,
    output: z.object({
      customers: z.array(
        z.object({
          client_id: idScalar,
          name: z.string(),
          email: z.string(),
          message_id: idScalar,
          subject: z.string(),
          status: z.enum(RECIPIENT_STATUSES),
          at: instantScalar,
        }),
      ),
    }),
  }),
};
