/** What waits for a person, across all their companies (specification 2.4 and 2.6: /pending-tasks, and the menu's tick when there is nothing). */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { dateScalar, idScalar, instantScalar } from './scalars.ts';

/** What a task is about; the screen groups and draws by it. */
export const TASK_SUBJECTS = ['return', 'advance', 'connection', 'books', 'bank', 'company', 'person'] as const;

const pendingTask = z.object({
  /** Names the task as long as it is the same one. */
  task_id: z.string(),
  subject: z.enum(TASK_SUBJECTS),
  /** Null for what the person has to do for themselves. */
  company: z.object({ company_id: idScalar, name: z.string() }).nullable(),
  title: z.string(),
  why: z.string(),
  /** The day it must be done by; null where nothing sets one. */
  due_on: dateScalar.nullable(),
  /** Working days from today to that day; negative never, null without a day. */
  working_days_left: z.int().nullable(),
  overdue: z.boolean(),
  /** The moment an offer ends. */
  ends_at: instantScalar.nullable(),
  /** The verb on its button, and the page where it is done. */
  action: z.string(),
  path: z.string(),
});
export type PendingTask = z.output<typeof pendingTask>;

export const tasksApi = {
  list: endpoint({
    method: 'GET',
    // Not /pending-tasks itself: that is the page, and one address cannot answer a browser and a call.
    path: '/instant-vat/pending-tasks',
    access: 'signed_in',
    summary: 'What waits for the signed-in person, in all their companies, the most urgent first. Computed, never kept.',
    input: z.object({}),
    output: z.object({ today: dateScalar, tasks: z.array(pendingTask) }),
  }),
};
