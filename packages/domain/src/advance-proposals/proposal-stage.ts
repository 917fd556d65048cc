/**
 * The progress of a practice's proposal of an early refund. The state of the client's advance is read from the advance itself, never
 * copied.
 */
import type { AdvanceState } from '../advances/advance-states.ts';
import { addDays, type PlainDate } from '../plain-date.ts';

/**
 * - `proposed`, `seen`: the client's users haven't answered. `declined`: they declined. `withdrawn`: the practice withdrew it.
 * `expired`: no answer.
 * - `started`: a user of the client has opened it in InstantVAT. `accepted`: the client's company has accepted our offer.
 * - `paid`: the client has received the payment. `settled`: nothing is owed to us. `ended`: the advance won't happen, or was closed
 * in another way.
 */
export const PROPOSAL_STAGES = [
  'proposed',
  'seen',
  'started',
  'accepted',
  'paid',
  'settled',
  'declined',
  'withdrawn',
  'expired',
  'ended',
] as const;
export type ProposalStage = (typeof PROPOSAL_STAGES)[number];

/** How a user ended a proposal. `replaced`: the proposal was over, and the practice has made a new one. */
export const PROPOSAL_ENDS = ['declined', 'withdrawn', 'replaced'] as const;
export type ProposalEnd = (typeof PROPOSAL_ENDS)[number];

/** The number of days that a proposal stays open before it is started. */
export const PROPOSAL_VALID_DAYS = 30;

export type ProposalFacts = {
  readonly proposedOn: PlainDate;
  readonly isSeen: boolean;
  readonly isStarted: boolean;
  readonly endedAs: ProposalEnd | null;
  /** The state of the resulting advance in the client's own company; null if there isn't one. */
  readonly advanceState: AdvanceState | null;
  /** The furthest stage recorded, because the link to the client's company can end after the refund has been sold. */
  readonly reached: ProposalStage | null;
};

/** Returns the last day on which a proposal can be started. */
export function getLastStartDay(proposedOn: PlainDate): PlainDate {
  return addDays(proposedOn, PROPOSAL_VALID_DAYS);
}

export function getProposalStage(
  { proposedOn, isSeen, isStarted, endedAs, advanceState, reached }: ProposalFacts,
  today: PlainDate,
): ProposalStage {
  if (endedAs === 'declined' || endedAs === 'withdrawn') return endedAs;
  const unansweredStage = isSeen ? 'seen' : 'proposed';
  if (endedAs === null) {
    if (isStarted) return advanceState === null ? (reached ?? 'started') : ADVANCE_STAGES[advanceState];
    if (today <= getLastStartDay(proposedOn)) return unansweredStage;
  }
  return isStarted ? 'ended' : 'expired';
}

/** The client can renew an expired offer. Collecting a late or short refund is between the client and us. */
const ADVANCE_STAGES: Readonly<Record<AdvanceState, ProposalStage>> = {
  quoted: 'started',
  expired: 'started',
  accepted: 'accepted',
  in_review: 'accepted',
  approved: 'accepted',
  paying: 'accepted',
  payout_failed: 'accepted',
  paid: 'paid',
  awaiting_hmrc: 'paid',
  shortfall: 'paid',
  collecting: 'paid',
  repaid: 'settled',
  settled: 'settled',
  declined: 'ended',
  withdrawn: 'ended',
  // From the practice's point of view, the client has been paid.
  written_off: 'paid',
};

/** Lists the states of an advance that correspond to a stage, for SQL conditions. */
export function listAdvanceStates(stage: ProposalStage): readonly AdvanceState[] {
  return (Object.keys(ADVANCE_STAGES) as AdvanceState[]).filter((state) => ADVANCE_STAGES[state] === stage);
}

/** The number of days that a client's card remains after its advance has been settled. */
export const SETTLED_SHOWN_DAYS = 30;
/**
 * The number of days that a card remains after acceptance or payment if the advance never settles. HMRC repays within 30 days, and late
 * refunds are handled on InstantVAT.
 */
export const PAID_SHOWN_DAYS = 90;

export type ProposalDates = {
  readonly stage: ProposalStage;
  readonly startedOn: PlainDate | null;
  /** The day the advance was accepted; null if it is unknown or hasn't happened. */
  readonly acceptedOn: PlainDate | null;
  readonly paidOn: PlainDate | null;
  readonly settledOn: PlainDate | null;
};

/**
 * Returns the last day of the card on the client's dashboard, or null if the card is shown indefinitely. Not used for ended stages, which
 * don't have a card.
 */
export function getLastShownDay({ stage, startedOn, acceptedOn, paidOn, settledOn }: ProposalDates): PlainDate | null {
  const from = paidOn ?? acceptedOn ?? startedOn;
  const isSettled = stage === 'settled';
  if (!isSettled && stage !== 'accepted' && stage !== 'paid') return null;
  const last = isSettled ? (settledOn ?? from) : from;
  return last && addDays(last, isSettled ? SETTLED_SHOWN_DAYS : PAID_SHOWN_DAYS);
}

/** Final stages, after which the practice may propose again, except after `declined`. */
const FINAL_STAGES: readonly ProposalStage[] = ['declined', 'withdrawn', 'expired', 'ended'];

export function isFinalStage(stage: ProposalStage): boolean {
  return FINAL_STAGES.includes(stage);
}

/**
 * Returns whether the practice may still withdraw the proposal and the client may decline it, because the client's company hasn't accepted
 * an offer.
 */
export function isAnswerable(stage: ProposalStage): boolean {
  return stage === 'proposed' || stage === 'seen' || stage === 'started';
}
