/** The progress of a refund as the trader sees it: past, current and upcoming stages. */
import type { Instant } from '../clock.ts';
import { formatPounds, pence, type Pence } from '../money.ts';
import { formatDate, type PlainDate } from '../plain-date.ts';
import { ENDED_UNPAID_STATES, type AdvanceState } from './advance-states.ts';
import type { StageStatus } from './advance-statuses.ts';

export type TimelineFacts = {
  readonly state: AdvanceState;
  readonly refund: Pence;
  readonly net: Pence;
  readonly received: Pence;
  /** When we filed the return; null if it was filed with other software. */
  readonly filedAt: Instant | null;
  /** The day HMRC received a return filed with other software; null if we filed it. */
  readonly foundOn: PlainDate | null;
  readonly quotedAt: Instant;
  /** When the advance first entered each state. */
  readonly enteredAt: Partial<Readonly<Record<AdvanceState, Instant>>>;
  readonly eligible: boolean;
  readonly waitingFor: string | null;
  /** Whether money from HMRC reached the collection account before a payout. */
  readonly hasHmrcMoney?: boolean;
  readonly payBy: PlainDate;
  readonly repaymentExpectedOn: PlainDate;
  readonly today: PlainDate;
};

/** For a refund that we don't buy, whose money HMRC has sent to the collection account. */
export const HMRC_MONEY_TEXT =
  'Money from HMRC has already reached your collection account. We’re checking it, and will pay you whatever is yours.';

/** Returns whether HMRC hasn't repaid by the day it was expected to, after we paid the trader. */
export function isRepaymentLate({
  state,
  repaymentExpectedOn,
  today,
}: Pick<TimelineFacts, 'state' | 'repaymentExpectedOn' | 'today'>): boolean {
  return (state === 'paid' || state === 'awaiting_hmrc') && today > repaymentExpectedOn;
}

export type TimelineStage = {
  readonly stage: 'filed' | 'quoted' | 'accepted' | 'reviewed' | 'paid' | 'repaid' | 'settled';
  readonly title: string;
  readonly status: StageStatus;
  readonly at: Instant | null;
  readonly expected_on: PlainDate | null;
  readonly detail: string;
};

/** The index of the active stage for each state. */
const STAGE_INDEX_BY_STATE: Readonly<Record<AdvanceState, number>> = {
  quoted: 2,
  expired: 2,
  withdrawn: 2,
  accepted: 3,
  in_review: 3,
  declined: 3,
  approved: 4,
  paying: 4,
  payout_failed: 4,
  paid: 5,
  awaiting_hmrc: 5,
  shortfall: 5,
  collecting: 5,
  written_off: 6,
  repaid: 6,
  settled: 7,
};

const PROBLEM_STATES: readonly AdvanceState[] = [...ENDED_UNPAID_STATES, 'payout_failed', 'shortfall', 'collecting', 'written_off'];

/** Returns the stages in order, each with its status. Pure: the same facts always give the same timeline. */
export function buildTimeline(facts: TimelineFacts): TimelineStage[] {
  const currentIndex = STAGE_INDEX_BY_STATE[facts.state];
  const isInTrouble = PROBLEM_STATES.includes(facts.state) || (facts.state === 'quoted' && !facts.eligible);
  // Without an offer, later stages show only their titles, without amounts or dates.
  const hasOffer = facts.state !== 'quoted' || facts.eligible;
  const stages = ENDED_UNPAID_STATES.includes(facts.state)
    ? listStandardStages(facts).slice(0, currentIndex + 1)
    : listStandardStages(facts);
  return stages.map(({ upcomingDetail, ...stage }, index) => {
    if (index < currentIndex) return { ...stage, status: 'done', expected_on: null };
    if (index > currentIndex) {
      return { ...stage, status: 'next', at: null, ...(hasOffer ? { detail: upcomingDetail } : { detail: '', expected_on: null }) };
    }
    const currentStage = { ...stage, at: null, status: isInTrouble ? 'trouble' : 'current', ...describeCurrentStage(facts) } as const;
    const isExpected = hasOffer && !ENDED_UNPAID_STATES.includes(facts.state) && !isRepaymentLate(facts);
    return isExpected ? currentStage : { ...currentStage, expected_on: null };
  });
}

/** A stage with its text once done (`detail`) and before it starts (`upcomingDetail`). */
type StandardStage = Omit<TimelineStage, 'status'> & { readonly upcomingDetail: string };

function listStandardStages(facts: TimelineFacts): StandardStage[] {
  const { enteredAt, refund, net } = facts;
  const getEntryTime = (state: AdvanceState): Instant | null => enteredAt[state] ?? null;
  const repaidText = formatPounds(facts.received > 0 ? facts.received : refund);
  const createStage = (
    name: TimelineStage['stage'],
    title: string,
    reachedAt: Instant | null,
    detail: string,
    upcomingDetail: string,
  ): StandardStage => ({
    stage: name,
    title,
    at: reachedAt,
    expected_on: null,
    detail,
    upcomingDetail,
  });
  return [
    facts.foundOn === null
      ? createStage('filed', 'Return filed', facts.filedAt, `HMRC owes you ${formatPounds(refund)}.`, '')
      : createStage(
          'filed',
          'Return found at HMRC',
          null,
          `HMRC received it on ${formatDate(facts.foundOn)} and owes you ${formatPounds(refund)}.`,
          '',
        ),
    // The refund was priced but isn't eligible, so we made no offer.
    facts.state === 'quoted' && !facts.eligible
      ? createStage('quoted', 'Refund checked', facts.quotedAt, `With an offer you could get ${formatPounds(net)} early.`, '')
      : createStage('quoted', 'Offer made', facts.quotedAt, `We offered you ${formatPounds(net)}.`, ''),
    createStage('accepted', 'Offer accepted', getEntryTime('accepted'), 'You accepted the agreement.', ''),
    createStage('reviewed', 'Approved', getEntryTime('approved'), 'We checked the refund and approved it.', 'We’ll check the refund.'),
    {
      ...createStage(
        'paid',
        'Paid to you',
        getEntryTime('paid'),
        `${formatPounds(net)} paid to your bank account.`,
        `We’ll pay ${formatPounds(net)} to your bank account.`,
      ),
      expected_on: facts.payBy,
    },
    {
      ...createStage(
        'repaid',
        'HMRC repays',
        getEntryTime('repaid') ?? getEntryTime('shortfall'),
        `${repaidText} paid into the collection account.`,
        `HMRC will repay ${repaidText} into the collection account.`,
      ),
      expected_on: facts.repaymentExpectedOn,
    },
    createStage('settled', 'Settled', getEntryTime('settled'), 'You’re all done.', 'Then you’re all done.'),
  ];
}

function describeUnboughtRefund({ hasHmrcMoney = false }: TimelineFacts): string {
  return hasHmrcMoney ? HMRC_MONEY_TEXT : 'HMRC will repay you as usual.';
}

/** Returns the title and detail of the active stage. */
function describeCurrentStage(facts: TimelineFacts): { title: string; detail: string } {
  const { state, net, refund, received, waitingFor } = facts;
  switch (state) {
    case 'quoted':
      return facts.eligible
        ? {
            title: 'Your offer is open',
            detail: `Accept it and we’ll pay you ${formatPounds(net)}, usually within 24 hours of our checks.`,
          }
        : { title: 'We can’t make you an offer yet', detail: 'The offer shows what’s missing and how to fix it.' };
    case 'expired':
      return { title: 'The offer has expired', detail: 'Get a new one and we’ll recalculate the price.' };
    case 'withdrawn':
      return { title: 'Offer withdrawn', detail: `You withdrew before we paid you. ${describeUnboughtRefund(facts)}` };
    case 'accepted':
    case 'in_review':
      return { title: 'We’re checking the refund', detail: waitingFor ?? 'Our team is reviewing it. You don’t need to do anything.' };
    case 'declined':
      return { title: 'We can’t buy this refund', detail: `${describeUnboughtRefund(facts)} We haven’t charged you anything.` };
    case 'approved':
      return { title: 'Getting your payment ready', detail: waitingFor ?? `We’re sending ${formatPounds(net)} to your bank account.` };
    case 'paying':
      return { title: 'Payment on its way', detail: `The bank is sending ${formatPounds(net)}.` };
    case 'payout_failed':
      return waitingFor === null
        ? { title: 'The payment didn’t go through', detail: 'We’re looking into it. The money is safe with us.' }
        : { title: 'Your payment is on hold', detail: waitingFor };
    case 'paid':
    case 'awaiting_hmrc':
      if (isRepaymentLate(facts)) {
        return {
          title: 'HMRC is late',
          detail: `You’ve been paid ${formatPounds(net)}. HMRC should have repaid ${formatPounds(refund)} into the collection account by ${formatDate(facts.repaymentExpectedOn)}.`,
        };
      }
      return {
        title: 'Waiting for HMRC',
        detail: `You’ve been paid ${formatPounds(net)}. HMRC will repay ${formatPounds(refund)} into the collection account.`,
      };
    case 'shortfall':
    case 'collecting':
      return {
        title: 'HMRC paid less than you claimed',
        detail: `${formatPounds(received)} of ${formatPounds(refund)} arrived. You owe us the remaining ${formatPounds(pence(refund - received))}.`,
      };
    case 'written_off':
      return { title: 'Closed', detail: 'We’ve written off the difference.' };
    case 'repaid':
    case 'settled':
      return {
        title: 'Settled',
        detail:
          received > 0 && received < refund
            ? `HMRC repaid ${formatPounds(received)}, and the remaining ${formatPounds(pence(refund - received))} is settled. You’re all done.`
            : 'HMRC repaid the refund. You’re all done.',
      };
  }
}
