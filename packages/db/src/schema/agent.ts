/** A practice's assistant: what it may do, what it noticed, and the outcome. See docs/decisions/0063-agent.md. */
import type { AgentMode, ProposalState, RejectionLesson } from '@portal/domain/agent/agent-mode.ts';
import type { AgentFact } from '@portal/domain/agent/agent-rule.ts';
import type { ProposedAct } from '@portal/domain/agent/proposed-act.ts';
import type { RewordingState } from '@portal/domain/language-model/rewording-request.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { sql } from '../sql.ts';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, plainDate } from './columns.ts';
import { companies, users } from './identity.ts';

/** A practice without a row has it off. */
export const agentSettings = pgTable('agent_settings', {
  companyId: uuid('company_id')
    .primaryKey()
    .references(() => companies.id),
  mode: text('mode').$type<AgentMode>().notNull(),
  /** Stopped by a person. Every act and every batch reads it first. */
  pausedAt: instant('paused_at'),
  pausedBy: uuid('paused_by').references(() => users.id),
  /** With whose rights it acts by itself. */
  enabledBy: uuid('enabled_by').references(() => users.id),
  enabledAt: instant('enabled_at'),
  draftsPerDay: integer('drafts_per_day').notNull(),
  actsPerDay: integer('acts_per_day').notNull(),
  /** The last audit entry whose clients the rules have seen. */
  sequence: integer('sequence').notNull().default(0),
  sweptAt: instant('swept_at'),
  /** The day of the last run over all clients; null if the rules or their settings have changed since. */
  sweptOn: plainDate('swept_on'),
});

/** What a practice has set for a rule (domain/agent). Without a row the rule is on, as published. */
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

/** Clients for whom a rule is off; EVERY_RULE for all rules. */
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

/** What an act wrote, by which it is reverted. */
export type ActResult = {
  /** The note, task or message. */
  readonly id?: string;
  /** Whether the tag or the assignment was there already. */
  readonly wasThere?: boolean;
};

export const agentProposals = pgTable(
  'agent_proposals',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    clientId: uuid('client_id').notNull(),
    ruleId: text('rule_id').notNull(),
    ruleVersion: integer('rule_version').notNull(),
    /** The matter, which is proposed once for a rule and client. */
    subject: text('subject').notNull(),
    tax: text('tax').$type<Tax>(),
    title: text('title').notNull(),
    facts: jsonb('facts').$type<readonly AgentFact[]>().notNull(),
    /** The act that the rule proposes now. */
    ruleAct: jsonb('rule_act').$type<ProposedAct>().notNull(),
    /** The act that a person would approve: edited, reworded or unchanged. */
    act: jsonb('act').$type<ProposedAct>().notNull(),
    wording: text('wording').$type<'rule' | 'person' | 'model'>().notNull().default('rule'),
    state: text('state').$type<ProposalState>().notNull().default('open'),
    /** NEVER_DUE if it has no day. */
    dueOn: plainDate('due_on').notNull(),
    noticedAt: instant('noticed_at').notNull(),
    /** The day on which it became a draft; null while it is only watched. */
    draftedOn: plainDate('drafted_on'),
    snoozedUntil: plainDate('snoozed_until'),
    /** Who proposed it, if no rule did. */
    proposedBy: uuid('proposed_by').references(() => users.id),
    decidedBy: uuid('decided_by').references(() => users.id),
    decidedAt: instant('decided_at'),
    /** Done by the agent itself, with the rights of `decidedBy`. */
    isByAgent: boolean('is_by_agent').notNull().default(false),
    /** When its write began, by the wall clock. */
    actingAt: instant('acting_at'),
    lesson: text('lesson').$type<RejectionLesson>(),
    reason: text('reason'),
    result: jsonb('result').$type<ActResult>(),
    /** Grows when what a person would approve changes. */
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

/** A practice's agreement that texts of drafts may leave for a language model. Without a row nothing leaves. See docs/decisions/0074-rewording.md. */
export const languageModelAgreements = pgTable('language_model_agreements', {
  companyId: uuid('company_id')
    .primaryKey()
    .references(() => companies.id),
  /** The version of the text agreed to (domain/language-model/rewording-request.ts). */
  version: integer('version').notNull(),
  /** The address that gets the texts. At another one nothing leaves until an admin agrees again. */
  host: text('host').notNull(),
  agreedBy: uuid('agreed_by')
    .notNull()
    .references(() => users.id),
  agreedAt: instant('agreed_at').notNull(),
});

/** What left for a language model, what came back, and the outcome. It outlives its proposal. */
export const languageModelCalls = pgTable(
  'language_model_calls',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    proposalId: uuid('proposal_id').notNull(),
    /** The proposal's version when its text was sent; an offer holds for that version only. */
    proposalVersion: integer('proposal_version').notNull(),
    clientId: uuid('client_id').notNull(),
    askedBy: uuid('asked_by')
      .notNull()
      .references(() => users.id),
    /** By the wall clock. */
    askedAt: instant('asked_at').notNull(),
    host: text('host').notNull(),
    /** The model as configured; after a response, as the endpoint names it. */
    model: text('model').notNull(),
    /** Exactly as it left, after our fixed instruction of this version. */
    sentText: text('sent_text').notNull(),
    instructionVersion: integer('instruction_version').notNull(),
    /** Exactly as it came back, up to a limit; null if nothing did. */
    receivedText: text('received_text'),
    state: text('state').$type<RewordingState>().notNull().default('sent'),
    /** Why it was dropped or failed. */
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
