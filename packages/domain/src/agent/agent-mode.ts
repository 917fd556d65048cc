/** The agent's modes, and the states of its proposals. */

/** `act_on_safe`: also does by itself what is internal and can be reverted (proposed-act.ts). */
export const AGENT_MODES = ['off', 'suggest', 'act_on_safe'] as const;
export type AgentMode = (typeof AGENT_MODES)[number];

export const AGENT_MODE_NAMES: Readonly<Record<AgentMode, string>> = {
  off: 'Off',
  suggest: 'Suggest',
  act_on_safe: 'Act on what is safe',
};

/**
 * `open`: noticed, and waiting for a person. `acting`: its write has begun. `done`: its write is made. `withdrawn`: the facts no longer hold.
 * `reverted`: done, then reverted by a person.
 */
export const PROPOSAL_STATES = ['open', 'acting', 'done', 'rejected', 'snoozed', 'withdrawn', 'reverted'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** What a rejection teaches the rule. `wrong` teaches nothing but is counted beside the rule. */
export const REJECTION_LESSONS = ['snooze', 'threshold', 'never', 'wrong'] as const;
export type RejectionLesson = (typeof REJECTION_LESSONS)[number];

export const MAX_REASON = 500;
export const MAX_BULK_PROPOSALS = 100;
/** What a practice gets unless it chooses otherwise. */
export const DRAFTS_PER_DAY = 100;
export const ACTS_PER_DAY = 50;
/** The highest limits that a practice may choose. */
export const MAX_DRAFTS_PER_DAY = 1000;
export const MAX_ACTS_PER_DAY = 500;
/** Days that a dry run looks back. */
export const DRY_RUN_DAYS = 30;
