/** The states of a shortfall, and the next step in each. */
import { formatPounds, type Pence } from '../money.ts';
import { addDays, formatDate, type PlainDate } from '../plain-date.ts';
import type { ShortfallCause } from './infer-cause.ts';
import type { NextPayment } from './instalment-plan.ts';

/**
 * `watching`: HMRC is late or its figures suggest a shortfall, but nothing is owed to us yet. `due`: the trader owes the difference.
 * `disputed`: the trader disputes it, so collection is paused. `closed`: HMRC repaid in full after all.
 */
export const SHORTFALL_STATUSES = ['watching', 'due', 'disputed', 'settled', 'written_off', 'closed'] as const;
export type ShortfallStatus = (typeof SHORTFALL_STATUSES)[number];

export const OPEN_SHORTFALL_STATUSES = ['watching', 'due', 'disputed'] as const satisfies readonly ShortfallStatus[];

export function isOpenShortfall(status: ShortfallStatus): boolean {
  return OPEN_SHORTFALL_STATUSES.some((open) => open === status);
}

/** Who must act next. */
export const ACTING_PARTIES = ['trader', 'us', 'hmrc', 'bank'] as const;
export type ActingParty = (typeof ACTING_PARTIES)[number];

export type NextAction = { readonly by: ActingParty; readonly text: string; readonly dueOn: PlainDate | null };

export type NextActionFacts = {
  readonly status: ShortfallStatus;
  readonly cause: ShortfallCause;
  readonly openedOn: PlainDate;
  /** When HMRC's figures were last read after the case was opened. */
  readonly refreshedOn: PlainDate | undefined;
  /** The part that seems to be missing, before anything is owed. */
  readonly suspected: Pence;
  readonly refund: Pence;
  readonly next: NextPayment | undefined;
  /** A Direct Debit that is on its way. */
  readonly directDebit: { readonly amount: Pence; readonly chargeOn: PlainDate } | undefined;
  readonly isWriteOffRequested: boolean;
  /** What HMRC or the trader has paid and operators haven't decided about. */
  readonly undecided: Pence;
};

/** How many days the trader has to investigate before an operator does. */
const TRADER_FIRST_DAYS = 7;
const ANSWER_DISPUTE_WITHIN_DAYS = 14;
const CHECK_FIGURES_WITHIN_DAYS = 3;

const CALL_ABOUT_LATE_REFUND = 'Call the trader: HMRC is late, and its figures don’t show why';

/** Returns an open case's next step and who must take it. Null once the case has ended. */
export function getNextAction(facts: NextActionFacts, today: PlainDate): NextAction | null {
  if (!isOpenShortfall(facts.status)) return null;
  if (facts.isWriteOffRequested) return createOwnAction('Approve or reject the write-off request', null);
  if (facts.status === 'disputed') {
    return createOwnAction(
      'Reply to the trader’s dispute. Collection is paused until you do',
      addDays(facts.openedOn, ANSWER_DISPUTE_WITHIN_DAYS),
    );
  }
  return facts.status === 'watching' ? getWatchingAction(facts, today) : getDueAction(facts, today);
}

function getWatchingAction({ cause, openedOn, refreshedOn, suspected, refund }: NextActionFacts, today: PlainDate): NextAction {
  if (cause === 'mandate_failed')
    return { by: 'trader', text: 'Set up the Direct Debit again', dueOn: addDays(openedOn, TRADER_FIRST_DAYS) };
  if (cause === 'late') {
    const traderDeadline = addDays(openedOn, TRADER_FIRST_DAYS);
    if (refreshedOn !== undefined) {
      return createOwnAction(CALL_ABOUT_LATE_REFUND, addDays(refreshedOn, CHECK_FIGURES_WITHIN_DAYS));
    }
    if (today <= traderDeadline) return { by: 'trader', text: 'Log in and refresh the figures from HMRC', dueOn: traderDeadline };
    return createOwnAction(CALL_ABOUT_LATE_REFUND, addDays(traderDeadline, CHECK_FIGURES_WITHIN_DAYS));
  }
  if (suspected > 0 && suspected < refund && cause === 'reduced') {
    return { by: 'hmrc', text: `Repay the rest. There will probably be a shortfall of ${formatPounds(suspected)}`, dueOn: null };
  }
  const text =
    suspected > 0
      ? `Check HMRC’s figures with the trader. Then claim ${formatPounds(suspected)}, or keep waiting`
      : 'Ask the trader which account HMRC repaid into, then claim it or keep waiting';
  return createOwnAction(text, addDays(openedOn, CHECK_FIGURES_WITHIN_DAYS));
}

function getDueAction({ next, directDebit, undecided }: NextActionFacts, today: PlainDate): NextAction {
  if (directDebit) {
    return { by: 'bank', text: `Collect ${formatPounds(directDebit.amount)} by Direct Debit`, dueOn: directDebit.chargeOn };
  }
  if (!next) return createOwnAction('Check the amounts: nothing is owed, but the case is open', today);
  if (undecided >= next.amount) return createOwnAction('Check whether a payment that we received is for this difference', today);
  const amount = formatPounds(next.amount);
  if (next.dueOn < today) return createOwnAction(`Call the trader: ${amount} was due on ${formatDate(next.dueOn)}`, today);
  return { by: 'trader', text: `Pay ${amount}`, dueOn: next.dueOn };
}

const createOwnAction = (text: string, dueOn: PlainDate | null): NextAction => ({ by: 'us', text, dueOn });
