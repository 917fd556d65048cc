/** A practice's own tasks. See docs/decisions/0059-work.md. */
import { MAX_TAG_LENGTH } from '@portal/domain/clients/tags.ts';
import {
  MAX_BULK_WORK_ITEMS,
  MAX_CHECKLIST_LINES,
  MAX_CHECKLIST_TEXT_LENGTH,
  MAX_WORK_COMMENT_LENGTH,
  MAX_WORK_NOTES_LENGTH,
  MAX_WORK_TITLE_LENGTH,
  WORK_SERVICES,
  WORK_STATUSES,
} from '@portal/domain/work-items/work-item.ts';
import { z } from 'zod/mini';
import { UNASSIGNED } from '@portal/domain/clients/client.ts';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar } from './scalars.ts';

const workStatus = z.enum(WORK_STATUSES);
export const workService = z.enum(WORK_SERVICES);

/** Any text without null characters, which PostgreSQL can't store. */
const createTextSchema = (max: number, subject: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(max, `Enter ${subject} of at most ${max.toLocaleString('en-GB')} characters`),
      z.regex(/^[^\0]*$/, `Enter ${subject} without control characters`),
    );

export const workTitle = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter a title'),
    z.maxLength(MAX_WORK_TITLE_LENGTH, `Enter a title of at most ${MAX_WORK_TITLE_LENGTH} characters`),
    z.regex(/^\P{Cc}*$/u, 'Enter the title on one line'),
  );

export const checklistText = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter text for each checklist item'),
    z.maxLength(MAX_CHECKLIST_TEXT_LENGTH, `Use at most ${MAX_CHECKLIST_TEXT_LENGTH} characters for each checklist item`),
    z.regex(/^\P{Cc}*$/u, 'Enter each checklist item on one line'),
  );

const checklist = z
  .array(z.object({ id: idScalar, text: checklistText, is_done: z.boolean() }))
  .check(z.maxLength(MAX_CHECKLIST_LINES, `Add at most ${MAX_CHECKLIST_LINES} checklist items`));

const person = z.object({ user_id: idScalar, full_name: z.string() });

const workItem = z.object({
  item_id: idScalar,
  title: z.string(),
  service: workService,
  status: workStatus,
  due_on: z.nullable(dateScalar),
  owner: z.nullable(person),
  client: z.nullable(z.object({ client_id: idScalar, name: z.string() })),
  checklist_done: z.int(),
  checklist_total: z.int(),
  comments: z.int(),
  /** True if an HMRC obligation created the task. */
  is_from_obligation: z.boolean(),
  /** Increases with every change. */
  version: z.int(),
});
export type WorkItem = z.output<typeof workItem>;

const comment = z.object({ comment_id: idScalar, author: z.string(), text: z.string(), written_at: instantScalar });

const itemInput = z.extend(companyInput, { item_id: idScalar });

/** `owner`: a member's id, `me`, or `none`. */
const boardFilters = {
  owner: z.optional(z.union([z.literal('me'), z.literal(UNASSIGNED), idScalar])),
  client_id: z.optional(idScalar),
  service: z.optional(workService),
  due: z.optional(z.enum(['overdue', 'week', 'month', 'none'])),
  due_on: z.optional(dateScalar),
  /** Limits the list to tasks of clients with this tag. */
  tag: z.optional(z.string().check(z.maxLength(MAX_TAG_LENGTH))),
};

const filters = { ...boardFilters, status: z.optional(z.enum([...WORK_STATUSES, 'open'])) };

const writableFields = {
  title: workTitle,
  notes: z._default(createTextSchema(MAX_WORK_NOTES_LENGTH, 'notes'), ''),
  service: workService,
  due_on: z.nullable(dateScalar),
  owner_id: z.nullable(idScalar),
  checklist: z._default(checklist, []),
};

const selectedIds = z
  .array(idScalar)
  .check(z.minLength(1, 'Select at least one task'), z.maxLength(MAX_BULK_WORK_ITEMS, `Select at most ${MAX_BULK_WORK_ITEMS} tasks`));

/** The values that a change replaced. Undo restores them only where they haven't changed since. */
const replaced = z.object({
  item_id: idScalar,
  version: z.int(),
  status: workStatus,
  owner_id: z.nullable(idScalar),
  due_on: z.nullable(dateScalar),
  is_removed: z.boolean(),
});
export type ReplacedWorkItems = z.output<typeof replaced>;

export const workItemsApi = {
  list: endpoint({
    method: 'GET',
    path: '/open-tax/work-items',
    access: 'practice.work',
    summary:
      'List tasks by due date, one page at a time. A team member sees tasks for assigned clients, and their own tasks that have no client.',
    input: z.extend(companyInput, {
      ...filters,
      cursor: z.optional(z.string().check(z.maxLength(200))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100, 'Request at most 100 tasks')), 50),
    }),
    output: z.object({ items: z.array(workItem), today: dateScalar, next_cursor: z.nullable(z.string()) }),
  }),
  board: endpoint({
    method: 'GET',
    path: '/open-tax/work-items/board',
    access: 'practice.work',
    summary: 'Get the board: the first tasks in each status by due date, and the latest completed ones',
    input: z.extend(companyInput, boardFilters),
    output: z.object({
      columns: z.array(z.object({ status: workStatus, items: z.array(workItem), has_more: z.boolean() })),
      today: dateScalar,
    }),
  }),
  find: endpoint({
    method: 'GET',
    path: '/open-tax/work-item',
    access: 'practice.work',
    summary: 'Get a task with its notes, checklist and comments',
    input: itemInput,
    output: z.object({
      item: z.extend(workItem, {
        notes: z.string(),
        checklist,
        created_by: z.nullable(z.string()),
        created_at: instantScalar,
        done_by: z.nullable(z.string()),
        done_at: z.nullable(instantScalar),
      }),
      comments: z.array(comment),
      today: dateScalar,
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/open-tax/work-items',
    access: 'practice.work',
    summary: 'Create a task, with or without a client. The caller chooses its ID, so a repeated request creates only one task.',
    input: z.extend(itemInput, { ...writableFields, client_id: z.optional(idScalar) }),
    output: doneOutput,
  }),
  createFromTemplate: endpoint({
    method: 'POST',
    path: '/open-tax/work-items/from-template',
    access: 'practice.work',
    summary:
      'Create the tasks of a template for a client, with due dates counted from a given date. Repeating a `request_id` doesn’t create them again.',
    input: z.extend(companyInput, {
      request_id: idScalar,
      template_key: z.string().check(z.minLength(1), z.maxLength(60)),
      client_id: z.optional(idScalar),
      day: dateScalar,
    }),
    output: z.object({ created: z.int() }),
  }),
  save: endpoint({
    method: 'POST',
    path: '/open-tax/work-items/save',
    access: 'practice.work',
    summary: 'Update a task. Returns 409 work_item.changed_since if someone has changed it since `version`.',
    input: z.extend(itemInput, { ...writableFields, status: workStatus, version: z.int() }),
    output: doneOutput,
  }),
  check: endpoint({
    method: 'POST',
    path: '/open-tax/work-items/check',
    access: 'practice.work',
    summary: 'Tick or untick a task’s checklist item',
    input: z.extend(itemInput, { line_id: idScalar, is_done: z.boolean() }),
    output: doneOutput,
  }),
  change: endpoint({
    method: 'POST',
    path: '/open-tax/work-items/change',
    access: 'practice.work',
    summary: 'Reassign, move or delete selected tasks. Returns the previous values, so that the change can be undone.',
    input: z.extend(companyInput, {
      item_ids: selectedIds,
      status: z.optional(workStatus),
      owner_id: z.optional(z.nullable(idScalar)),
      remove: z.optional(z.literal(true)),
    }),
    output: z.object({ replaced: z.array(replaced), not_found: z.int() }),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/open-tax/work-items/restore',
    access: 'practice.work',
    summary: 'Undo a change to tasks. Tasks that have been changed again since aren’t affected.',
    input: z.extend(companyInput, {
      replaced: z.array(replaced).check(z.minLength(1), z.maxLength(MAX_BULK_WORK_ITEMS)),
    }),
    output: z.object({ restored: z.int(), kept: z.int() }),
  }),
  comment: endpoint({
    method: 'POST',
    path: '/open-tax/work-items/comment',
    access: 'practice.work',
    summary: 'Comment on a task. Team members mentioned as “@Full Name” who can see the task are emailed, up to a limit each hour.',
    input: z.extend(itemInput, {
      comment_id: idScalar,
      text: createTextSchema(MAX_WORK_COMMENT_LENGTH, 'a comment').check(z.minLength(1, 'Enter a comment')),
    }),
    output: z.object({
      notified: z.array(z.string()),
      /** Colleagues who were mentioned but not notified, because they may not see the task or the hourly email limit was reached. */
      not_notified: z.array(z.string()),
    }),
  }),
};
