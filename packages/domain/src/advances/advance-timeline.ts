/** The heart of InstantVAT for the trader: where the refund is now, what came before, what comes next and when. */
import type { Instant } from '../clock.ts';
import { formatPounds, pence, type Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import type { AdvanceState } from './advance-states.ts';

export type TimelineFacts = {
  readonly state: AdvanceState;
  readonly refund: Pence;
  readonly net: Pence;
  readonly received: Pence;
  readonly filedAt: Instant;
  readonly quotedAt: Instant;
  /** When the advance entered each state, the first time. */
  readonly enteredAt: Partial<Readonly<Record<AdvanceState, Instant>>>;
  readonly eligible: boolean;
  readonly waitingFor: string | null;
  readonly payBy: PlainDate;
  readonly repaymentExpectedOn: PlainDate;
};

export type TimelineStage = {
  readonly stage: 'filed' | 'quoted' | 'accepted' | 'reviewed' | 'paid' | 'repaid' | 'settled';
  readonly title: string;
  readonly status: 'done' | 'current' | 'next' | 'trouble';
  readonly at: Instant | null;
  readonly expected_on: PlainDate | null;
  readonly detail: string;
};

/** How far along the usual path each state is: the index of the stage that is going on. */
const REACHED: Readonly<Record<AdvanceState, number>> = {
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

const TROUBLE: readonly AdvanceState[] = ['declined', 'expired', 'withdrawn', 'payout_failed', 'shortfall', 'collecting', 'written_off'];

/** The stages in their order, each done, going on, to come, or in trouble. Pure: the same facts always draw the same timeline. */
export function drawTimeline(facts: TimelineFacts): TimelineStage[] {
  const reached = REACHED[facts.state];
  const inTrouble = TROUBLE.includes(facts.state) || (facts.state === 'quoted' && !facts.eligible);
  const stages = usualPath(facts);
  return stages.map((stage, index) => {
    if (index < reached) return { ...stage, status: 'done', expected_on: null };
    if (index > reached) return { ...stage, status: 'next', at: null };
    return { ...stage, at: null, status: inTrouble ? 'trouble' : 'current', ...presentStage(facts) };
  });
}

function usualPath(facts: TimelineFacts): Omit<TimelineStage, 'status'>[] {
  const { enteredAt, refund, net } = facts;
  const at = (state: AdvanceState): Instant | null => enteredAt[state] ?? null;
  return [
    { stage: 'filed', title: 'Return filed', at: facts.filedAt, expected_on: null, detail: `HMRC owes you ${formatPounds(refund)}.` },
    { stage: 'quoted', title: 'Offer made', at: facts.quotedAt, expected_on: null, detail: `We offered ${formatPounds(net)} now.` },
    { stage: 'accepted', title: 'Offer accepted', at: at('accepted'), expected_on: null, detail: 'You accepted the agreement.' },
    { stage: 'reviewed', title: 'Approved', at: at('approved'), expected_on: null, detail: 'We checked the refund and approved it.' },
    { stage: 'paid', title: 'Paid to you', at: at('paid'), expected_on: facts.payBy, detail: `${formatPounds(net)} to your bank account.` },
    {
      stage: 'repaid',
      title: 'HMRC repays',
      at: at('repaid'),
      expected_on: facts.repaymentExpectedOn,
      detail: `${formatPounds(facts.received > 0 ? facts.received : refund)} into the collection account.`,
    },
    { stage: 'settled', title: 'Settled', at: at('settled'), expected_on: null, detail: 'Nothing more to do.' },
  ];
}

/** Title and detail of the stage that is going on, in the words of the present state. */
function presentStage(facts: TimelineFacts): { title: string; detail: string } {
  const { state, net, refund, received, waitingFor } = facts;
  switch (state) {
    case 'quoted':
      return facts.eligible
        ? { title: 'Your offer is open', detail: `Accept it and we pay you ${formatPounds(net)} within 24 hours.` }
        : { title: 'We cannot offer this yet', detail: 'The offer names what is missing and how to mend it.' };
    case 'expired':
      return { title: 'The offer has expired', detail: 'Ask for a new one; the price is computed again.' };
    case 'withdrawn':
      return { title: 'Withdrawn', detail: 'You withdrew before we paid. HMRC repays you as usual.' };
    case 'accepted':
    case 'in_review':
      return { title: 'We are checking the refund', detail: waitingFor ?? 'A person looks at it; you need do nothing.' };
    case 'declined':
      return { title: 'We cannot buy this refund', detail: 'HMRC repays you as usual; nothing was charged.' };
    case 'approved':
      return { title: 'Approved', detail: waitingFor ?? `${formatPounds(net)} is on its way to being paid.` };
    case 'paying':
      return { title: 'Being paid', detail: `${formatPounds(net)} was handed to the bank.` };
    case 'payout_failed':
      return { title: 'The bank did not pay it', detail: 'We are looking into it; the money is safe with us.' };
    case 'paid':
    case 'awaiting_hmrc':
      return {
        title: 'Waiting for HMRC',
        detail: `You have ${formatPounds(net)}. HMRC repays ${formatPounds(refund)} into the collection account.`,
      };
    case 'shortfall':
    case 'collecting':
      return {
        title: 'HMRC paid less than you claimed',
        detail: `${formatPounds(received)} of ${formatPounds(refund)} arrived; ${formatPounds(pence(refund - received))} is due from you.`,
      };
    case 'written_off':
      return { title: 'Closed', detail: 'The difference was written off.' };
    case 'repaid':
    case 'settled':
      return { title: 'Settled', detail: 'HMRC repaid the refund. Nothing more to do.' };
  }
}
