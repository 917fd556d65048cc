/** How far a practice's proposal of an early refund has come. What the client's advance did is read from the advance, never copied. */
import type { AdvanceState } from '../advances/advance-states.ts';
import { addDays, type PlainDate } from '../plain-date.ts';

/**
 * - `proposed`, `seen`: the client's people haven't answered. `declined`: they said no. `withdrawn`: by the practice. `expired`: no answer.
 * - `started`: a person of the client has opened it in InstantVAT. `accepted`: the client's company has accepted our offer.
 * - `paid`: the client has the money. `settled`: nothing is owed to us. `ended`: there will be no advance, or it was closed in another way.
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

/** How a person ended a proposal. `replaced`: it was over, and the practice has made another one. */
export const PROPOSAL_ENDS = ['declined', 'withdrawn', 'replaced'] as const;
export type ProposalEnd = (typeof PROPOSAL_ENDS)[number];

/** Days for which a proposal that no one has started stays open. */
export const PROPOSAL_VALID_DAYS = 30;

export type ProposalFacts = {
  readonly proposedOn: PlainDate;
  readonly isSeen: boolean;
  readonly isStarted: boolean;
  readonly endedAs: ProposalEnd | null;
  /** The state of the advance that followed in the client's own company; null if there is none. */
  readonly advanceState: AdvanceState | null;
  /** The furthest stage that was recorded. The link to the client's company can end after the refund was sold. */
  readonly reached: ProposalStage | null;
};

/** The last day on which a proposal can be started. */
export function getLastDay(proposedOn: PlainDate): PlainDate {
  return addDays(proposedOn, PROPOSAL_VALID_DAYS);
}

export function getProposalStage(
  { proposedOn, isSeen, isStarted, endedAs, advanceState, reached }: ProposalFacts,
  today: PlainDate,
): ProposalStage {
  if (endedAs === 'declined' || endedAs === 'withdrawn') return endedAs;
  const unanswered = isSeen ? 'seen' : 'proposed';
  if (endedAs === null) {
    if (isStarted) return advanceState === null ? (reached ?? 'started') : ADVANCE_STAGES[advanceState];
    if (today <= getLastDay(proposedOn)) return unanswered;
  }
  return isStarted ? 'ended' : 'expired';
}

/** An offer that has run out can be renewed by the client. How a late or short refund is collected is between the client and us. */
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
  // The client was paid.
  written_off: 'paid',
};

/** The states of an advance that make each of these stages, for statements that look for them. */
export function listAdvanceStates(stage: ProposalStage): readonly AdvanceState[] {
  return (Object.keys(ADVANCE_STAGES) as AdvanceState[]).filter((state) => ADVANCE_STAGES[state] === stage);
}

/** Days for which a client's card stays after its advance was settled. */
export const SETTLED_SHOWN_DAYS = 30;
/** And after it was accepted or paid, if it never settles: HMRC repays within 30 days, and what is late is dealt with on InstantVAT. */
export const PAID_SHOWN_DAYS = 90;

export type ShownFacts = {
  readonly stage: ProposalStage;
  readonly startedOn: PlainDate | null;
  /** The day the advance was accepted; null if it isn't known or hasn't happened. */
  readonly acceptedOn: PlainDate | null;
  readonly paidOn: PlainDate | null;
  readonly settledOn: PlainDate | null;
};

/** The last day of its card on the client's dashboard; null if it stays. What is over has none and isn't asked for. */
export function getLastShownDay({ stage, startedOn, acceptedOn, paidOn, settledOn }: ShownFacts): PlainDate | null {
  const from = paidOn ?? acceptedOn ?? startedOn;
  const isSettled = stage === 'settled';
  if (!isSettled && stage !== 'accepted' && stage !== 'paid') return null;
  const last = isSettled ? (settledOn ?? from) : from;
  return last && addDays(last, isSettled ? SETTLED_SHOWN_DAYS : PAID_SHOWN_DAYS);
}

/** Nothing follows, so the practice may propose again; after `declined` it may not. */
const OVER: readonly ProposalStage[] = ['declined', 'withdrawn', 'expired', 'ended'];

export function isOver(stage: ProposalStage): boolean {
  return OVER.includes(stage);
}

/** Whether the practice may still withdraw it, and the client decline it: the client's company has accepted nothing. */
export function isAnswerable(stage: ProposalStage): boolean {
  return stage === 'proposed' || stage === 'seen' || stage === 'started';
}
