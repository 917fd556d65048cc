/** Rules that remind clients of deadlines. See docs/decisions/0061-notifications.md. */
import { MESSAGE_FIELDS } from '@portal/domain/messages/message-fields.ts';
import { MAX_DAYS_BEFORE, REMINDED_ITEMS, REMINDER_BLOCKERS } from '@portal/domain/reminder-rules/reminder-rule.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { messageContent } from './messages.ts';
import { taxScalar } from './practice.ts';
import { companyInput, createNameScalar, dateScalar, doneOutput, idScalar, instantScalar } from './scalars.ts';

const days = z
  .int('Enter a whole number of days')
  .check(z.minimum(0, 'Enter 0 days or more'), z.maximum(MAX_DAYS_BEFORE, `Enter at most ${MAX_DAYS_BEFORE} days`));

const when = { tax: taxScalar, item: z.enum(REMINDED_ITEMS), days_before: days };

const rule = z.object({
  rule_id: idScalar,
  name: z.string(),
  tax: taxScalar,
  item: z.enum(REMINDED_ITEMS),
  days_before: z.int(),
  escalate_days: z.nullable(z.int()),
  subject: z.string(),
  body: z.string(),
  is_on: z.boolean(),
  version: z.int(),
  author: z.string(),
  updated_at: instantScalar,
  /** The number of items whose clients were reminded in the last 30 days. */
  reminded: z.int(),
});
export type ReminderRule = z.output<typeof rule>;

const plannedReminder = z.object({
  client_id: idScalar,
  name: z.string(),
  /** The deadline, for example “VAT return”. */
  deadline: z.string(),
  due_on: dateScalar,
  reminds_on: dateScalar,
  email: z.nullable(z.string()),
  /** Why the client doesn't get a reminder; null if the client gets one. */
  gap: z.nullable(z.enum(REMINDER_BLOCKERS)),
  missing: z.array(z.enum(MESSAGE_FIELDS)),
});
export type PlannedReminder = z.output<typeof plannedReminder>;

export const reminderRulesApi = {
  list: endpoint({
    method: 'GET',
    path: '/open-tax/reminder-rules',
    access: 'practice.manage',
    summary: 'List the practice’s rules for reminding clients of deadlines',
    input: companyInput,
    output: z.object({ rules: z.array(rule) }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/open-tax/reminder-rules/preview',
    access: 'practice.manage',
    summary: 'Preview a rule: who would be reminded of what in the next 30 days, and who wouldn’t and why',
    input: z.extend(companyInput, { rule_id: idScalar, ...when, ...messageContent }),
    output: z.object({
      reminders: z.int(),
      /** The number of reminders that will be sent today, as soon as the rule is switched on. */
      today: z.int(),
      left_out: z.int(),
      /** The first 100 planned reminders, including those left out, by day. */
      planned: z.array(plannedReminder),
      sample: z.nullable(z.object({ name: z.string(), subject: z.string(), body: z.string() })),
    }),
    runsOneAtATime: true,
  }),
  save: endpoint({
    method: 'POST',
    path: '/open-tax/reminder-rules/save',
    access: 'practice.manage',
    summary: 'Create a rule, switched off, with an ID that the caller chooses, or update the version that the caller last read',
    input: z.extend(companyInput, {
      rule_id: idScalar,
      /** The version that the user last saw; 0 for a new rule. */
      version: z.int().check(z.minimum(0)),
      name: createNameScalar('a name'),
      ...when,
      escalate_days: z.nullable(days),
      ...messageContent,
    }),
    output: doneOutput,
  }),
  switchOn: endpoint({
    method: 'POST',
    path: '/open-tax/reminder-rules/switch',
    access: 'practice.manage',
    summary: 'Turn a rule on or off. The user becomes the author of its messages.',
    input: z.extend(companyInput, { rule_id: idScalar, is_on: z.boolean() }),
    output: doneOutput,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/open-tax/reminder-rules/remove',
    access: 'practice.manage',
    summary: 'Delete a rule. Reminders it has already sent are kept.',
    input: z.extend(companyInput, { rule_id: idScalar }),
    output: doneOutput,
  }),
};
