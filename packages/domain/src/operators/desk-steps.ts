/** The next step for an advance, as the operators' desk lists it. There is only ever one; an operator's step comes before anyone else's. */

/** Steps that operators must take, most urgent first. */
export const OPERATOR_STEPS = ['review', 'release', 'held', 'refused', 'retry', 'hmrc_late', 'collect'] as const;

/** Steps that others must take. `none`: the advance has ended. */
export const OTHER_STEPS = [
  'trader_accepts',
  'not_eligible',
  'opening_account',
  'trader_confirms',
  'trader_refreshes',
  'trader_identity',
  'trader_mandate',
  'bank_hold',
  'paying',
  'bank_pays',
  'hmrc_repays',
  'settling',
  'none',
] as const;

export const DESK_STEPS = [...OPERATOR_STEPS, ...OTHER_STEPS] as const;
export type DeskStep = (typeof DESK_STEPS)[number];

/** The desk's lists. `needs_us`: waiting for an operator. */
export const DESK_QUEUES = ['needs_us', 'review', 'release', 'exceptions', 'in_progress', 'ended', 'all'] as const;
export type DeskQueue = (typeof DESK_QUEUES)[number];

export const DESK_SORTS = ['due', 'refund', 'since', 'company'] as const;
export type DeskSort = (typeof DESK_SORTS)[number];
