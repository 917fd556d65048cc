/** A practice's assistant, at /v2/open-tax/agentic-mode. See docs/decisions/0063-agent.md. */
import {
  AGENT_MODES,
  MAX_ACTIONS_PER_DAY,
  MAX_BULK_PROPOSALS,
  MAX_DRAFTS_PER_DAY,
  MAX_REASON_LENGTH,
  PROPOSAL_STATES,
  REJECTION_EFFECTS,
  WORDING_AUTHORS,
} from '@portal/domain/agent/agent-mode.ts';
import { FACT_PAGES, THRESHOLD_UNITS } from '@portal/domain/agent/agent-rule.ts';
import { PROPOSED_ACTION_KINDS } from '@portal/domain/agent/proposed-action.ts';
import { FIGURE_SOURCES } from '@portal/domain/positions/tax-facts.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { proposedAction } from './proposed-action.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar } from './scalars.ts';

const fact = z.object({
  label: z.string(),
  text: z.string(),
  page: z.enum(FACT_PAGES),
  source: z.enum([...FIGURE_SOURCES, 'practice']),
  as_of: z.nullable(dateScalar),
});

const proposal = z.object({
  proposal_id: idScalar,
  /** A rule's id, or `by-request`. */
  rule_id: z.string(),
  rule_version: z.int(),
  rule_name: z.string(),
  client: z.object({ client_id: idScalar, name: z.string() }),
  tax: z.nullable(taxScalar),
  title: z.string(),
  facts: z.array(fact),
  act: proposedAction,
  /** The message as the client would receive it, with its fields filled in, or null for other actions. */
  filled: z.nullable(z.object({ to: z.nullable(z.string()), subject: z.string(), body: z.string() })),
  /** The team member to whom a proposed task would be assigned; null if no one, or if they aren't in the team, and for other actions. */
  task_owner: z.nullable(z.string()),
  /** Why an early refund can't be proposed at the moment, and what to do, or null if it can be proposed, and for other actions. */
  problem: z.nullable(z.string()),
  wording: z.enum(WORDING_AUTHORS),
  is_safe: z.boolean(),
  /** Whether the proposal contains text that could be reworded. */
  has_text: z.boolean(),
  state: z.enum(PROPOSAL_STATES),
  /** Whether the proposal needs a decision. If not, it is only watched. */
  is_draft: z.boolean(),
  due_on: z.nullable(dateScalar),
  noticed_at: instantScalar,
  /** Who proposed it, unless it was a rule. */
  proposed_by: z.nullable(z.string()),
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(instantScalar),
  is_by_agent: z.boolean(),
  lesson: z.nullable(z.enum(REJECTION_EFFECTS)),
  reason: z.nullable(z.string()),
  snoozed_until: z.nullable(dateScalar),
  can_revert: z.boolean(),
  version: z.int(),
});
export type AgentProposal = z.output<typeof proposal>;

/** `version`: the version of the text that the user saw. */
const chosenProposal = z.object({ proposal_id: idScalar, version: z.int() });
const proposalInput = z.extend(companyInput, { ...chosenProposal.shape });

/** `changed`: since the user saw it. `withdrawn`: no longer needed. `failed`: not possible now, with the reason. */
const approved = z.object({
  proposal_id: idScalar,
  outcome: z.enum(['done', 'changed', 'withdrawn', 'already', 'failed']),
  message: z.nullable(z.string()),
});

const limits = {
  drafts_per_day: z.int().check(z.minimum(1, 'Enter 1 or more'), z.maximum(MAX_DRAFTS_PER_DAY, `Enter at most ${MAX_DRAFTS_PER_DAY}`)),
  acts_per_day: z.int().check(z.minimum(1, 'Enter 1 or more'), z.maximum(MAX_ACTIONS_PER_DAY, `Enter at most ${MAX_ACTIONS_PER_DAY}`)),
};

const agentMode = z.object({
  mode: z.enum(AGENT_MODES),
  is_paused: z.boolean(),
  paused_by: z.nullable(z.string()),
  enabled_by: z.nullable(z.string()),
  enabled_at: z.nullable(instantScalar),
  ...limits,
  /** When the rules last ran, or null if they never have. */
  checked_at: z.nullable(instantScalar),
  rules_version: z.int(),
  may_manage: z.boolean(),
  /** Whether the practice has agreed to send drafts to a language model (language-model.ts). */
  may_reword: z.boolean(),
});
export type AgentModeState = z.output<typeof agentMode>;

const rule = z.object({
  rule_id: z.string(),
  version: z.int(),
  name: z.string(),
  looks_for: z.string(),
  reads: z.array(z.string()),
  proposes: z.enum(PROPOSED_ACTION_KINDS),
  proposes_text: z.string(),
  is_safe: z.boolean(),
  taxes: z.array(taxScalar),
  law: z.nullable(z.object({ text: z.string(), url: z.string() })),
  threshold: z.nullable(
    z.object({
      unit: z.enum(THRESHOLD_UNITS),
      text: z.string(),
      normal: z.int(),
      min: z.int(),
      max: z.int(),
      value: z.int(),
    }),
  ),
  is_on: z.boolean(),
  off_taxes: z.array(taxScalar),
  /** The number done in the last 90 days. */
  done: z.int(),
  rejected: z.int(),
  wrong: z.int(),
});
export type AgentRuleState = z.output<typeof rule>;

export const AGENT_COLUMNS = ['watch', 'drafts', 'done'] as const;

export const agentModeApi = {
  mode: endpoint({
    method: 'GET',
    path: '/open-tax/agent-mode',
    access: 'practice.read',
    summary: 'Get the assistant’s mode: off, suggest, or act automatically when safe',
    input: companyInput,
    output: agentMode,
  }),
  setMode: endpoint({
    method: 'POST',
    path: '/open-tax/agent-mode',
    access: 'practice.manage',
    summary:
      'Change the assistant’s mode. Allowing it to do more requires a user who has confirmed their identity in the last ten minutes.',
    input: z.extend(companyInput, { mode: z.enum(AGENT_MODES), ...limits }),
    output: agentMode,
  }),
  pause: endpoint({
    method: 'POST',
    path: '/open-tax/agent-mode/pause',
    access: 'practice.work',
    summary: 'Stop the assistant immediately on every instance, or resume it. Any team member can stop it; only an admin can resume it.',
    input: z.extend(companyInput, { is_paused: z.boolean() }),
    output: agentMode,
  }),
  dryRun: endpoint({
    method: 'GET',
    path: '/open-tax/agent-mode/dry-run',
    access: 'practice.manage',
    summary: 'Run the rules over the last 30 days with the facts recorded at the time, without storing anything',
    input: companyInput,
    output: z.object({
      from: dateScalar,
      to: dateScalar,
      clients: z.int(),
      rules: z.array(
        z.object({
          rule_id: z.string(),
          name: z.string(),
          proposes_text: z.string(),
          is_safe: z.boolean(),
          proposals: z.int(),
          clients: z.int(),
          examples: z.array(z.object({ on: dateScalar, client_id: idScalar, client: z.string(), title: z.string() })),
        }),
      ),
    }),
    runsOneAtATime: true,
    maxPerPerson: 20,
  }),
  proposals: endpoint({
    method: 'GET',
    path: '/open-tax/agent-proposals',
    access: 'practice.work',
    summary: 'List what the assistant has noticed, drafted or done for the clients that the user can view, one page at a time',
    input: z.extend(companyInput, {
      column: z.enum(AGENT_COLUMNS),
      client_id: z.optional(idScalar),
      rule_id: z.optional(z.string().check(z.maxLength(60))),
      cursor: z.optional(z.string().check(z.maxLength(200))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 25),
    }),
    output: z.object({ proposals: z.array(proposal), total: z.int(), next_cursor: z.nullable(z.string()), today: dateScalar }),
  }),
  approve: endpoint({
    method: 'POST',
    path: '/open-tax/agent-proposals/approve',
    access: 'practice.work',
    summary: 'Carry out the actions in drafts, with the user’s own permissions. Rechecks the facts first.',
    input: z.extend(companyInput, {
      proposals: z
        .array(chosenProposal)
        .check(z.minLength(1, 'Select at least one draft'), z.maxLength(MAX_BULK_PROPOSALS, `Select at most ${MAX_BULK_PROPOSALS} drafts`)),
    }),
    output: z.object({ results: z.array(approved) }),
    callsHmrc: true,
    maxPerPerson: 120,
    runsOneAtATime: true,
  }),
  edit: endpoint({
    method: 'POST',
    path: '/open-tax/agent-proposals/edit',
    access: 'practice.work',
    summary: 'Change the text of a draft. Returns 409 agent.changed_since if it has changed since `version`.',
    input: z.extend(proposalInput, { act: proposedAction }),
    output: proposal,
  }),
  reject: endpoint({
    method: 'POST',
    path: '/open-tax/agent-proposals/reject',
    access: 'practice.work',
    summary:
      'Reject drafts and give feedback on their rule: snooze it until a date, change its threshold (admins), turn it off for this client, or count the draft as wrong',
    input: z.extend(companyInput, {
      proposal_ids: z.array(idScalar).check(z.minLength(1), z.maxLength(MAX_BULK_PROPOSALS)),
      lesson: z.enum(REJECTION_EFFECTS),
      reason: z._default(
        z.string().check(z.trim(), z.maxLength(MAX_REASON_LENGTH, `Enter a reason of at most ${MAX_REASON_LENGTH} characters`)),
        '',
      ),
      snooze_until: z.optional(dateScalar),
      threshold: z.optional(z.int()),
    }),
    output: z.object({ rejected: z.int() }),
  }),
  revert: endpoint({
    method: 'POST',
    path: '/open-tax/agent-proposals/revert',
    access: 'practice.work',
    summary: 'Undo what an automatic action changed, unless it has been changed again since',
    input: z.extend(companyInput, { proposal_id: idScalar }),
    output: doneOutput,
  }),
  propose: endpoint({
    method: 'POST',
    path: '/open-tax/agent-proposals',
    access: 'practice.work',
    summary:
      'Propose an action for a client, as a draft for a user to review. The caller chooses the ID, so a repeated request creates only one proposal.',
    input: z.extend(companyInput, {
      proposal_id: idScalar,
      client_id: idScalar,
      title: z
        .string()
        .check(z.trim(), z.minLength(1, 'Enter a title'), z.maxLength(200), z.regex(/^\P{Cc}*$/u, 'Enter the title on one line')),
      act: proposedAction,
    }),
    output: z.object({ proposal_id: idScalar }),
    maxPerPerson: 200,
  }),
  rules: endpoint({
    method: 'GET',
    path: '/open-tax/agent-rules',
    access: 'practice.read',
    summary: 'List the published rules with their versions, the practice’s settings, and the clients with rules turned off',
    input: companyInput,
    output: z.object({
      version: z.int(),
      rules: z.array(rule),
      exclusions: z.array(
        z.object({ client_id: idScalar, client: z.string(), rule_id: z.string(), rule_name: z.string(), by: z.string() }),
      ),
    }),
  }),
  saveRule: endpoint({
    method: 'POST',
    path: '/open-tax/agent-rules',
    access: 'practice.manage',
    summary: 'Turn a rule on or off, limit it to some taxes, or change its threshold',
    input: z.extend(companyInput, {
      rule_id: z.string().check(z.maxLength(60)),
      is_on: z.boolean(),
      threshold: z.nullable(z.int()),
      off_taxes: z.array(taxScalar),
    }),
    output: doneOutput,
  }),
  exclude: endpoint({
    method: 'POST',
    path: '/open-tax/agent-exclusions',
    access: 'client.work',
    summary: 'Turn a rule, or `every-rule`, on or off for one client',
    input: z.extend(companyInput, { client_id: idScalar, rule_id: z.string().check(z.maxLength(60)), is_off: z.boolean() }),
    output: doneOutput,
  }),
};
