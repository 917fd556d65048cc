/** A practice's task templates, and the obligations that create their tasks. See docs/decisions/0059-work.md. */
import { MAX_TAG_LENGTH } from '@portal/domain/clients/tags.ts';
import { MAX_CHECKLIST_LINES } from '@portal/domain/work-items/work-item.ts';
import { MAX_STEP_DAYS, MAX_TEMPLATE_STEPS, STEP_ANCHORS } from '@portal/domain/work-items/work-template.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { companyInput, createNameScalar, doneOutput } from './scalars.ts';
import { checklistText, workService, workTitle } from './work-items.ts';

const DAYS_ERROR = `Enter a number of days between −${MAX_STEP_DAYS} and ${MAX_STEP_DAYS}`;

const step = z.object({
  title: workTitle,
  from: z.enum(STEP_ANCHORS),
  /** Days after `from`; negative means before. */
  days: z.int().check(z.minimum(-MAX_STEP_DAYS, DAYS_ERROR), z.maximum(MAX_STEP_DAYS, DAYS_ERROR)),
  checklist: z.array(checklistText).check(z.maxLength(MAX_CHECKLIST_LINES, `Add at most ${MAX_CHECKLIST_LINES} checklist items`)),
});

const key = z.string().check(z.regex(/^[a-z0-9_-]{1,60}$/, 'badly formed'));
const clientTag = z.nullable(z.string().check(z.trim(), z.minLength(1, 'Enter a tag'), z.maxLength(MAX_TAG_LENGTH)));

const fields = {
  key,
  name: createNameScalar('a name for the template'),
  service: workService,
  steps: z
    .array(step)
    .check(
      z.minLength(1, 'Add at least one task'),
      z.maxLength(MAX_TEMPLATE_STEPS, `Add at most ${MAX_TEMPLATE_STEPS} tasks to a template`),
    ),
  /** The obligations that create the tasks. Null if they are only created manually. */
  trigger: z.nullable(z.object({ tax: taxScalar, kind: z.enum(['return', 'quarterly_update']) })),
};

const template = z.object({
  ...fields,
  is_built_in: z.boolean(),
  /** True for a built-in template that an admin has changed. */
  is_changed: z.boolean(),
  is_on: z.boolean(),
  client_tag: z.nullable(z.string()),
});
export type WorkTemplateView = z.output<typeof template>;

export const workTemplatesApi = {
  list: endpoint({
    method: 'GET',
    path: '/open-tax/work-templates',
    access: 'practice.work',
    summary: 'List the practice’s task templates',
    input: companyInput,
    output: z.object({ templates: z.array(template) }),
  }),
  save: endpoint({
    method: 'POST',
    path: '/open-tax/work-templates',
    access: 'practice.manage',
    summary: 'Add or change a template. Existing tasks don’t change.',
    input: z.extend(companyInput, fields),
    output: doneOutput,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/open-tax/work-templates/delete',
    access: 'practice.manage',
    summary: 'Delete one of the practice’s templates, or reset a built-in one. Existing tasks are kept.',
    input: z.extend(companyInput, { key }),
    output: doneOutput,
  }),
  switchOn: endpoint({
    method: 'POST',
    path: '/open-tax/work-templates/switch',
    access: 'practice.manage',
    summary:
      'Turn on or off the automatic creation of a template’s tasks from obligations, for all clients with the tax or only those with a tag',
    input: z.extend(companyInput, { key, is_on: z.boolean(), client_tag: z._default(clientTag, null) }),
    output: z.object({ created: z.int() }),
    runsOneAtATime: true,
  }),
};
