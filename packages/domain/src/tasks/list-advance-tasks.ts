/** Lists the tasks that an advance requires of a company's owner, from the offer to HMRC's repayment. */
import { ENDED_STATES, STATES_BEFORE_PAYOUT, type AdvanceState } from '../advances/advance-states.ts';
import type { Price } from '../advances/price-refund.ts';
import type { Instant } from '../clock.ts';
import { formatPounds, type Pence } from '../money.ts';
import type { ShortfallCause } from '../shortfalls/infer-cause.ts';
import type { TaskDraft } from './company-task.ts';

/**
 * Why HMRC may repay late or in part, before anything is owed to us. `question`: HMRC has asked about the claim. HMRC asks by letter rather
 * than through its APIs, so only the demo uses this.
 */
export type RepaymentWarning = ShortfallCause | 'question';

export type TaskAdvance = {
  readonly obligation_id: string;
  readonly state: AdvanceState;
  readonly eligible: boolean;
  readonly price: Price;
  /** When the open offer expires. */
  readonly validUntil: Instant;
  /** True if the trader must still confirm that HMRC has the collection account. */
  readonly needsConfirmation: boolean;
  /** True if HMRC's figures are too old for a payout, so the trader must confirm them again. */
  readonly needsFacts: boolean;
  /** Null if HMRC is expected to repay in full and on time. */
  readonly warning: RepaymentWarning | null;
};

/** Returns at most one task: the one that the advance is waiting for. */
export function listAdvanceTasks(advance: TaskAdvance | undefined): TaskDraft[] {
  if (advance === undefined) return [];
  const { state, price } = advance;
  const commonFields = { subject: 'advance', page: 'advance', obligation_id: advance.obligation_id } as const;
  const net = formatPounds(price.net);
  if (state === 'quoted' && advance.eligible) {
    const explanation = `HMRC owes you ${formatPounds(price.refund)}. Accept our offer and get ${net} early, usually within 24 hours of our checks.`;
    const offer = { title: `Get ${net} early`, why: explanation, action: 'See the offer', ends_at: advance.validUntil, refund: price };
    return [{ ...commonFields, kind: 'accept_offer', ...offer }];
  }
  if (state === 'quoted') {
    const explanation = `We could pay you ${net} early, but at least one condition hasn’t been met yet.`;
    return [
      { ...commonFields, kind: 'fix_offer', title: 'Fix what’s holding up your offer', why: explanation, action: 'See what’s missing' },
    ];
  }
  if (advance.needsConfirmation && STATES_BEFORE_PAYOUT.includes(state)) {
    const title = 'Tell HMRC to repay into your collection account';
    return [
      {
        ...commonFields,
        kind: 'confirm_collection_account',
        title,
        why: `We’ll pay you ${net} once HMRC has this account.`,
        action: 'See how',
      },
    ];
  }
  if (advance.needsFacts) {
    const explanation = `HMRC’s figures are more than a day old. Confirm again, so that we can check them and pay you ${net}.`;
    return [
      { ...commonFields, kind: 'confirm_again', title: 'Confirm again to get your payment', why: explanation, action: 'Confirm again' },
    ];
  }
  if (state === 'payout_failed') {
    const explanation = `Your payment of ${net} didn’t go through. The money is safe with us, and we’ll pay you only once.`;
    return [
      {
        ...commonFields,
        kind: 'payout_failed',
        level: 'problem',
        title: 'Check your bank account',
        why: explanation,
        action: 'See the payment',
      },
    ];
  }
  if (state === 'shortfall' || state === 'collecting')
    return [describeDifference({ obligation_id: advance.obligation_id, state, refund: price.refund })];
  const warning = advance.warning === null ? undefined : WARNINGS[advance.warning];
  if (!warning || ENDED_STATES.includes(state)) return [];
  const { title, action, getWhy } = warning;
  return [{ ...commonFields, kind: `refund_${advance.warning}`, level: 'problem', title, why: getWhy(formatPounds(price.refund)), action }];
}

/** The part of a refund that HMRC hasn't paid and the trader owes. `refund` is the whole refund that we bought. */
export type TaskDifference = {
  readonly obligation_id: string;
  readonly state: Extract<AdvanceState, 'shortfall' | 'collecting'>;
  readonly refund: Pence;
};

/** Lists the differences that are due, apart from that of the newest advance: a newer offer mustn't hide them. */
export function listEarlierDifferenceTasks(differences: readonly TaskDifference[], newest: TaskAdvance | undefined): TaskDraft[] {
  return differences.filter(({ obligation_id }) => obligation_id !== newest?.obligation_id).map(describeDifference);
}

function describeDifference({ obligation_id, state, refund }: TaskDifference): TaskDraft {
  return {
    kind: 'shortfall',
    subject: 'advance',
    page: 'advance',
    obligation_id,
    level: 'problem',
    title: 'HMRC repaid less than you claimed',
    why:
      state === 'collecting'
        ? 'We’re collecting the difference from your bank account. See how much and when.'
        : `We bought a refund of ${formatPounds(refund)}, and HMRC hasn’t paid all of it. See the difference and what happens next.`,
    action: 'See the difference',
  };
}

type RepaymentWarningText = { readonly title: string; readonly action: string; readonly getWhy: (refund: string) => string };

const PAID_LESS_WARNING: RepaymentWarningText = {
  title: 'HMRC may repay less than you claimed',
  getWhy: (refund) => `HMRC’s figures suggest that it won’t repay all of ${refund}. You don’t owe us anything at the moment.`,
  action: 'See why',
};

/** `cleared` and `unknown` don't require anything from the trader: the repayment may be on its way to us, and an operator looks into it. */
const WARNINGS: Partial<Record<RepaymentWarning, RepaymentWarningText>> = {
  question: {
    title: 'Reply to HMRC’s question',
    getWhy: (refund) => `HMRC won’t repay ${refund} until you’ve replied. Reply to HMRC directly. You keep the money we paid you.`,
    action: 'See your refund',
  },
  late: {
    title: 'HMRC is late with your refund',
    getWhy: (refund) =>
      `HMRC should have repaid ${refund} by now. If it has asked you a question, reply to it. You keep the money we paid you.`,
    action: 'See why it’s late',
  },
  reduced: PAID_LESS_WARNING,
  set_off: PAID_LESS_WARNING,
  charge: PAID_LESS_WARNING,
  mandate_failed: {
    title: 'Set up your Direct Debit again',
    getWhy: () => 'The Direct Debit that your payout needed has ended.',
    action: 'Set up Direct Debit',
  },
};
