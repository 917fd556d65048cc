/** A practice's assistant: its permissions, findings and outcomes. See docs/decisions/0063-agent.md. */
import type { AgentMode, ProposalState, RejectionEffect, WordingAuthor } from '@portal/domain/agent/agent-mode.ts';
import type { AgentFact } from '@portal/domain/agent/agent-rule.ts';
import type { ProposedAction } from '@portal/domain/agent/proposed-action.ts';
import type { RewordingState } from '@portal/domain/language-model/rewording-request.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { sql } from '../sql.ts';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, plainDate } from './columns.ts';
import { companies, users } from './identity.ts';

/** The assistant is off for a practice without a row. */
export const agentSettings = pgTable('agent_settings', {
  companyId: uuid('company_id')
    .primaryKey()
    .references(() => companies.id),
  mode: text('mode').$type<AgentMode>().notNull(),
  /** When a user paused the assistant. Checked before every action and every batch. */
  pausedAt: instant('paused_at'),
  pausedBy: uuid('paused_by').references(() => users.id),
  /** The user whose rights the assistant uses when it acts automatically. */
  enabledBy: uuid('enabled_by').references(() => users.id),
  enabledAt: instant('enabled_at'),
  draftsPerDay: integer('drafts_per_day').notNull(),
  actsPerDay: integer('acts_per_day').notNull(),
  /** The last audit entry whose clients the rules have processed. */
  sequence: integer('sequence').notNull().default(0),
  sweptAt: instant('swept_at'),
  /** The day of the last run over all clients; null if the rules or their settings have changed since. */
  sweptOn: plainDate('swept_on'),
});

/** A practice's settings for a rule (domain/agent). Without a row, the rule is on, with its published settings. */
export const agentRules = pgTable(
  'agent_rules',
  {
    companyId: companyId().references(() => companies.id),
    ruleId: text('rule_id').notNull(),
    isOn: boolean('is_on').notNull(),
    threshold: integer('threshold'),
    offTaxes: text('off_taxes').array().$type<readonly Tax[]>().notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.ruleId] })],
);

/** Clients for whom a rule is off. ALL_RULES_ID turns off all rules. */
export const agentExclusions = pgTable(
  'agent_exclusions',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    ruleId: text('rule_id').notNull(),
    excludedBy: uuid('excluded_by')
      .notNull()
      .references(() => users.id),
    excludedAt: instant('excluded_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.ruleId] }),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** The data written by an action, used to revert it. */
export type ActionResult = {
  /** The ID of the note, task or message. */
  readonly id?: string;
  /** True if the tag or assignment already existed. */
  readonly wasThere?: boolean;
  /** The owner of an assigned task before; null if it had none. Missing if the version before stored it. */
  readonly formerOwnerId?: string | null;
};

export const agentProposals = pgTable(
  'agent_proposals',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    clientId: uuid('client_id').notNull(),
    ruleId: text('rule_id').notNull(),
    ruleVersion: integer('rule_version').notNull(),
    /** What the proposal is about. A rule proposes each subject only once per client. */
    subject: text('subject').notNull(),
    tax: text('tax').$type<Tax>(),
    title: text('title').notNull(),
    facts: jsonb('facts').$type<readonly AgentFact[]>().notNull(),
    /** The action that the rule currently proposes. */
    ruleAct: jsonb('rule_act').$type<ProposedAction>().notNull(),
    /** The action that a user would approve: edited, reworded or unchanged. */
    act: jsonb('act').$type<ProposedAction>().notNull(),
    wording: text('wording').$type<WordingAuthor>().notNull().default('rule'),
    state: text('state').$type<ProposalState>().notNull().default('open'),
    /** NEVER_DUE if the proposal isn't due on any day. */
    dueOn: plainDate('due_on').notNull(),
    noticedAt: instant('noticed_at').notNull(),
    /** The day on which the proposal became a draft; null while it is only watched. */
    draftedOn: plainDate('drafted_on'),
    snoozedUntil: plainDate('snoozed_until'),
    /** The user who proposed it; null if a rule proposed it. */
    proposedBy: uuid('proposed_by').references(() => users.id),
    decidedBy: uuid('decided_by').references(() => users.id),
    decidedAt: instant('decided_at'),
    /** True if the agent acted automatically, with the rights of `decidedBy`. */
    isByAgent: boolean('is_by_agent').notNull().default(false),
    /** When the action's write began, by the wall clock. */
    actingAt: instant('acting_at'),
    lesson: text('lesson').$type<RejectionEffect>(),
    reason: text('reason'),
    result: jsonb('result').$type<ActionResult>(),
    /** Increases whenever the action to approve changes. */
    version: integer('version').notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('agent_proposals_subject').on(table.companyId, table.clientId, table.ruleId, table.subject),
    index('agent_proposals_open')
      .on(table.companyId, table.dueOn, table.id)
      .where(sql`state in ('open', 'acting')`),
    index('agent_proposals_decided').on(table.companyId, table.decidedAt, table.id),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/**
 * A practice's consent to send draft texts to a language model. Without a row, no drafts are sent. See docs/decisions/0074-rewording.md.
 */
export const languageModelAgreements = pgTable('language_model_agreements', {
  companyId: uuid('company_id')
    .primaryKey()
    .references(() => companies.id),
  /** The version of the terms agreed to (domain/language-model/rewording-request.ts). */
  version: integer('version').notNull(),
  /** The host that receives the drafts. If it changes, no drafts are sent until an admin agrees again. */
  host: text('host').notNull(),
  agreedBy: uuid('agreed_by')
    .notNull()
    .references(() => users.id),
  agreedAt: instant('agreed_at').notNull(),
});

/** The text sent to a language model, its response and the outcome. The record outlives its proposal. */
export const languageModelCalls = pgTable(
  'language_model_calls',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    proposalId: uuid('proposal_id').notNull(),
    /** The proposal's version when its text was sent. The rewording applies to that version only. */
    proposalVersion: integer('proposal_version').notNull(),
    clientId: uuid('client_id').notNull(),
    askedBy: uuid('asked_by')
      .notNull()
      .references(() => users.id),
    /** When the text was sent, by the wall clock. */
    askedAt: instant('asked_at').notNull(),
    host: text('host').notNull(),
    /** The model as configured or, after a response, as named by the endpoint. */
    model: text('model').notNull(),
    /** The exact text sent, which follows this version's fixed instruction. */
    sentText: text('sent_text').notNull(),
    instructionVersion: integer('instruction_version').notNull(),
    /** The exact text received, up to a limit; null if no text was received. */
    receivedText: text('received_text'),
    state: text('state').$type<RewordingState>().notNull().default('sent'),
    /** Why the response was dropped, or why the call failed. */
    problems: text('problems').array().$type<readonly string[]>().notNull().default([]),
    chosenBy: uuid('chosen_by').references(() => users.id),
    chosenAt: instant('chosen_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('language_model_calls_asked').on(table.companyId, table.askedAt, table.id),
    index('language_model_calls_age').on(table.askedAt),
  ],
);
