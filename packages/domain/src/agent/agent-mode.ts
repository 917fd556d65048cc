/** The agent's modes, and its proposals' states. */

/** `act_on_safe`: automatically performs actions that are internal and can be reverted (proposed-action.ts). */
export const AGENT_MODES = ['off', 'suggest', 'act_on_safe'] as const;
export type AgentMode = (typeof AGENT_MODES)[number];

export const AGENT_MODE_NAMES: Readonly<Record<AgentMode, string>> = {
  off: 'Off',
  suggest: 'Suggest',
  act_on_safe: 'Act automatically when safe',
};

/**
 * `open`: noticed, and waiting for a user. `acting`: its write has started. `done`: its write has finished. `withdrawn`: the facts no
 * longer apply. `reverted`: a user reverted it afterwards.
 */
export const PROPOSAL_STATES = ['open', 'acting', 'done', 'rejected', 'snoozed', 'withdrawn', 'reverted'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** How a rejection affects the rule. `wrong` has no effect, but is counted and shown next to the rule. */
export const REJECTION_EFFECTS = ['snooze', 'threshold', 'never', 'wrong'] as const;
export type RejectionEffect = (typeof REJECTION_EFFECTS)[number];

export const MAX_REASON_LENGTH = 500;
export const MAX_BULK_PROPOSALS = 100;
/** A practice's default limit. */
export const DEFAULT_DRAFTS_PER_DAY = 100;
export const DEFAULT_ACTIONS_PER_DAY = 50;
/** The highest limit that a practice may choose. */
export const MAX_DRAFTS_PER_DAY = 1000;
export const MAX_ACTIONS_PER_DAY = 500;
/** The number of days that a dry run covers. */
export const DRY_RUN_DAYS = 30;

/** Who wrote a proposal's current wording. */
export const WORDING_AUTHORS = ['rule', 'person', 'model'] as const;
export type WordingAuthor = (typeof WORDING_AUTHORS)[number];
