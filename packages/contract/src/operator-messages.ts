/** Messages from the contact page, as operators handle them: the queue, assignment, replies and notes. */
import { CONTACT_TOPICS, MESSAGE_STATES } from '@portal/domain/operators/contact-messages.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { dateScalar, doneOutput, idScalar, instantScalar } from './scalars.ts';

const message = z.object({
  message_id: idScalar,
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  /** Whether the sender was signed in. If not, the email address isn't verified. */
  is_known: z.boolean(),
  topic: z.enum(CONTACT_TOPICS),
  message: z.string(),
  received_at: instantScalar,
  state: z.enum(MESSAGE_STATES),
  /** The deadline for the first reply. */
  reply_by: dateScalar,
  /** The deadline for the full response to a complaint; null for other messages. */
  final_answer_by: z.nullable(dateScalar),
  answered_at: z.nullable(instantScalar),
  assigned_to: z.nullable(z.object({ user_id: idScalar, name: z.string() })),
});

const createEntryTextSchema = (subject: string) =>
  z.string().check(z.trim(), z.minLength(3, `Enter a ${subject}`), z.maxLength(5000, 'Use at most 5,000 characters'));

export const operatorMessagesApi = {
  list: endpoint({
    method: 'GET',
    path: '/operator/messages',
    access: 'operator',
    summary:
      'List messages from the contact page by status and topic, one page at a time: open messages oldest first, closed ones newest first',
    input: z.object({
      state: z._default(z.enum(MESSAGE_STATES), 'open'),
      kind: z.optional(z.enum(['complaint', 'message'])),
      assigned: z.optional(z.enum(['me', 'nobody'])),
      page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1),
    }),
    output: z.object({
      messages: z.array(message),
      /** The total number of matches. */
      count: z.int(),
      pages: z.int(),
      counts: z.object({ open: z.int(), open_complaints: z.int(), answered: z.int(), closed: z.int(), overdue: z.int() }),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/operator/message',
    access: 'operator',
    summary: 'Get a message with its replies and notes, and the sender’s companies',
    input: z.object({ message_id: idScalar }),
    output: z.object({
      message,
      entries: z.array(
        z.object({ entry_id: idScalar, kind: z.enum(['reply', 'note']), text: z.string(), by: z.string(), at: instantScalar }),
      ),
      companies: z.array(z.object({ company_id: idScalar, name: z.string() })),
    }),
  }),
  reply: endpoint({
    method: 'POST',
    path: '/operator/message/reply',
    access: 'operator',
    needsFreshFactor: true,
    summary: 'Email a reply to the sender. Repeating an `entry_id` doesn’t send it again.',
    input: z.object({ message_id: idScalar, entry_id: idScalar, text: createEntryTextSchema('reply') }),
    output: doneOutput,
  }),
  note: endpoint({
    method: 'POST',
    path: '/operator/message/note',
    access: 'operator',
    summary: 'Add a note that only operators can see. Repeating an `entry_id` changes nothing.',
    input: z.object({ message_id: idScalar, entry_id: idScalar, text: createEntryTextSchema('note') }),
    output: doneOutput,
  }),
  assign: endpoint({
    method: 'POST',
    path: '/operator/message/assign',
    access: 'operator',
    summary: 'Assign a message to an operator, or unassign it',
    input: z.object({ message_id: idScalar, operator_id: z.nullable(idScalar) }),
    output: doneOutput,
  }),
  setState: endpoint({
    method: 'POST',
    path: '/operator/message/state',
    access: 'operator',
    summary: 'Close or reopen a message',
    input: z.object({ message_id: idScalar, state: z.enum(['open', 'closed']) }),
    output: doneOutput,
  }),
};
