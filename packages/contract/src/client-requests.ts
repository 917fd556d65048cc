/**
 * Requests from a practice to a client, item by item, and their conversation (docs/decisions/0062-clients-files.md). Files that answer an
 * item are uploaded as client files, with `request_item_id`.
 */
import {
  MAX_ANSWER_LENGTH,
  MAX_CONVERSATION_TEXT_LENGTH,
  MAX_ITEM_TEXT_LENGTH,
  MAX_REQUEST_ITEMS,
  MAX_REQUEST_TITLE_LENGTH,
  REQUEST_ITEM_KINDS,
  REQUEST_ITEM_STATES,
  REQUEST_STATES,
} from '@portal/domain/client-requests/client-request.ts';
import { REQUEST_FILTERS } from '@portal/domain/client-requests/request-list.ts';
import { z } from 'zod/mini';
import { clientFile } from './client-files.ts';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar } from './scalars.ts';

/** For the client’s own users, both IDs are the client's. */
const clientInput = z.extend(companyInput, { client_id: idScalar });

const createWrittenTextSchema = (max: number, subject: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `Enter ${subject}`),
      z.maxLength(max, `Enter ${subject} of at most ${max.toLocaleString('en-GB')} characters`),
      z.regex(/^[^\0]*$/, `Enter ${subject} without control characters`),
    );

const item = z.object({
  item_id: idScalar,
  kind: z.enum(REQUEST_ITEM_KINDS),
  text: z.string(),
  state: z.enum(REQUEST_ITEM_STATES),
  answer: z.string(),
  answered_by: z.nullable(z.string()),
  answered_at: z.nullable(instantScalar),
  /** Why the practice is asking again. */
  note: z.string(),
  files: z.array(clientFile),
});
export type RequestItem = z.output<typeof item>;

const request = z.object({
  request_id: idScalar,
  title: z.string(),
  due_on: dateScalar,
  state: z.enum(REQUEST_STATES),
  asked_by: z.string(),
  asked_at: instantScalar,
  items: z.array(item),
});
export type ClientRequest = z.output<typeof request>;

const listedRequest = z.object({
  request_id: idScalar,
  client_id: idScalar,
  client: z.string(),
  title: z.string(),
  state: z.enum(REQUEST_STATES),
  items: z.int(),
  /** The number of items that the client hasn't answered yet. */
  waiting_items: z.int(),
  asked_by: z.string(),
  asked_at: instantScalar,
  due_on: dateScalar,
  /** The day of the client's last reminder. */
  reminded_on: z.nullable(dateScalar),
});
export type ListedRequest = z.output<typeof listedRequest>;

const post = z.object({
  post_id: idScalar,
  is_from_client: z.boolean(),
  author: z.string(),
  text: z.string(),
  written_at: instantScalar,
});
export type ConversationPost = z.output<typeof post>;

const newRequestItem = z.object({
  item_id: idScalar,
  kind: z.enum(REQUEST_ITEM_KINDS),
  text: createWrittenTextSchema(MAX_ITEM_TEXT_LENGTH, 'what you need'),
});

export const clientRequestsApi = {
  list: endpoint({
    method: 'GET',
    path: '/client/requests',
    access: 'client.papers',
    summary: 'List the practice’s requests to the client, newest first. Client users don’t see cancelled requests.',
    input: clientInput,
    output: z.object({ requests: z.array(request), /** Today’s date in London. */ today: dateScalar }),
  }),
  listAll: endpoint({
    method: 'GET',
    path: '/open-tax/client-requests',
    access: 'practice.work',
    summary:
      'List the practice’s requests to all clients that the user can view, earliest due first. Completed requests are listed latest first.',
    input: z.extend(companyInput, {
      state: z._default(z.enum(REQUEST_FILTERS), 'current'),
      /** Limits the list to requests that the user has sent. */
      owner: z.optional(z.literal('me')),
      cursor: z.optional(z.string().check(z.maxLength(200))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100, 'Ask for at most 100 requests')), 50),
    }),
    output: z.object({
      requests: z.array(listedRequest),
      /** Today’s date in London. */ today: dateScalar,
      next_cursor: z.nullable(z.string()),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/client/requests',
    access: 'client.work',
    summary: 'Ask the client for documents and information. Client users get an email that doesn’t include the details.',
    input: z.extend(clientInput, {
      request_id: idScalar,
      title: createWrittenTextSchema(MAX_REQUEST_TITLE_LENGTH, 'a title'),
      due_on: dateScalar,
      items: z
        .array(newRequestItem)
        .check(z.minLength(1, 'Ask for at least one item'), z.maxLength(MAX_REQUEST_ITEMS, `Ask for at most ${MAX_REQUEST_ITEMS} items`)),
    }),
    output: doneOutput,
  }),
  answer: endpoint({
    method: 'POST',
    path: '/client/requests/answer',
    access: 'client.own',
    summary: 'Answer an item with text. A later answer replaces an earlier one until the practice accepts it.',
    input: z.extend(companyInput, { item_id: idScalar, answer: createWrittenTextSchema(MAX_ANSWER_LENGTH, 'your answer') }),
    output: doneOutput,
  }),
  decide: endpoint({
    method: 'POST',
    path: '/client/requests/decide',
    access: 'client.work',
    summary: 'Accept the client’s answer, or ask again with a reason',
    input: z.extend(clientInput, {
      item_id: idScalar,
      decision: z.enum(['accept', 'ask_again']),
      note: z._default(z.string().check(z.trim(), z.maxLength(MAX_ITEM_TEXT_LENGTH, `Use at most ${MAX_ITEM_TEXT_LENGTH} characters`)), ''),
    }),
    output: doneOutput,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/client/requests/cancel',
    access: 'client.work',
    summary: 'Cancel a request. Its answers and files are kept.',
    input: z.extend(clientInput, { request_id: idScalar }),
    output: doneOutput,
  }),
  conversation: endpoint({
    method: 'GET',
    path: '/client/conversation',
    access: 'client.papers',
    summary: 'Get the latest messages between the practice and the client, oldest first',
    input: clientInput,
    output: z.object({ posts: z.array(post) }),
  }),
  write: endpoint({
    method: 'POST',
    path: '/client/conversation',
    access: 'client.papers',
    summary: 'Send a message to the client or the practice. The recipient gets an email notification without the text.',
    maxPerPerson: 60,
    input: z.extend(clientInput, { post_id: idScalar, text: createWrittenTextSchema(MAX_CONVERSATION_TEXT_LENGTH, 'a message') }),
    output: doneOutput,
  }),
};
