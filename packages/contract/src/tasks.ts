/**
 * A user's pending tasks across all their companies (docs/product/specification.md sections 2.4 and 2.6: /pending-tasks, and the tick in
 * the menu when there are none).
 */
import { TASK_LEVELS, TASK_SUBJECTS } from '@portal/domain/tasks/task-kinds.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { dateScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';

export const pendingTask = z.object({
  /** Stays the same for as long as the task exists. */
  task_id: z.string(),
  /** The kind of task, for example `file_return`. */
  kind: z.string(),
  level: z.enum(TASK_LEVELS),
  subject: z.enum(TASK_SUBJECTS),
  /** Null for tasks that concern the user rather than a company. */
  company: z.nullable(z.object({ company_id: idScalar, name: z.string() })),
  title: z.string(),
  why: z.string(),
  /** The deadline; null if the task doesn't have one. */
  due_on: z.nullable(dateScalar),
  /** Working days from today to the deadline, never negative; null without a deadline. */
  working_days_left: z.nullable(z.int()),
  overdue: z.boolean(),
  /** When an offer or a permission ends. */
  ends_at: z.nullable(instantScalar),
  /** Set if the task concerns one return or its refund. */
  obligation_id: z.nullable(idScalar),
  /** The refund that the task leads to, and what we would pay for it early. */
  refund: z.nullable(z.object({ refund_pence: penceScalar, fee_pence: penceScalar, net_pence: penceScalar })),
  /** The button's label. */
  action: z.string(),
  path: z.string(),
});
export type PendingTask = z.output<typeof pendingTask>;

export const tasksApi = {
  list: endpoint({
    method: 'GET',
    // The path can't be /pending-tasks, because a page already has that path.
    path: '/instant-vat/pending-tasks',
    access: 'signed_in',
    summary: 'List the user’s pending tasks across all companies, most urgent first. Calculated on each request.',
    input: z.object({}),
    output: z.object({ today: dateScalar, tasks: z.array(pendingTask) }),
  }),
};
