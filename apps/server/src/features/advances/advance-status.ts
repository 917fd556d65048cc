/**
 * Derives an advance's status from its row: the reason its payout waits, and its timeline. Pure; the dashboard and the advance screens both
 * use it.
 */
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { getAdvanceTerms, type AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { buildTimeline, type TimelineStage } from '@portal/domain/advances/advance-timeline.ts';
import { getBankHoldEnd, needsReview, type EvaluatedRule } from '@portal/domain/advances/evaluate-eligibility.ts';
import { describePayoutBlocker, findApprover, listReleaseChanges, type ReleasedPayout } from '@portal/domain/advances/payout-gate.ts';
import { addMilliseconds, londonDate, type Instant } from '@portal/domain/clock.ts';
import { sumPence, type Pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';

const HOUR_MS = 3_600_000;

/** The columns that the status depends on. A row with more columns is accepted too. */
export type AdvanceStatusRow = {
  readonly state: AdvanceState;
  readonly refundPence: Pence;
  readonly netPence: Pence;
  readonly version: number;
  readonly eligible: boolean;
  readonly rules: EvaluatedRule[];
  readonly quotedAt: Instant;
  readonly acceptedAt: Instant | null;
  readonly collectionConfirmedAt: Instant | null;
  readonly filing: { readonly sentAt: Instant } | null;
  readonly foundOn: PlainDate | null;
  readonly payoutHold: string | null;
  readonly collectionAccount: object | null;
  readonly transitions: readonly {
    readonly fromState: string | null;
    readonly toState: string;
    readonly actor: string;
    readonly at: Instant;
  }[];
  readonly payouts: readonly { readonly status: string }[];
  readonly releases: readonly Release[];
  /** What has repaid the advance, without reversed allocations. */
  readonly allocations: readonly { readonly amountPence: Pence }[];
  readonly bankAccounts: readonly { readonly id: string; readonly createdAt: Instant }[];
};

type Release = {
  readonly round: number;
  readonly operatorId: string;
  readonly amountPence: Pence;
  readonly quoteVersion: number;
  readonly bankAccountId: string;
};

export type AdvanceStatus = {
  readonly terms: AdvanceTerms;
  /** The payout round. After a failed or returned payout a new round starts, which needs new releases. */
  readonly round: number;
  /** The operator who approved the advance, who cannot release it; undefined if the rules approved it. */
  readonly approver: string | undefined;
  /** What an operator releases now. */
  readonly payoutToRelease: ReleasedPayout;
  readonly bankHoldEndsAt: Instant | undefined;
  readonly waitingFor: string | undefined;
  readonly received: Pence;
  readonly payBy: Instant;
  readonly repaymentExpectedOn: PlainDate;
  readonly timeline: TimelineStage[];
};

export function getAdvanceStatus(row: AdvanceStatusRow, now: Instant): AdvanceStatus {
  const terms = getAdvanceTerms(londonDate(row.quotedAt));
  const round = row.payouts.filter(({ status }) => status === 'failed' || status === 'returned').length + 1;
  const account = row.bankAccounts.at(-1);
  const accountAddedAt = account?.createdAt;
  const approver = findApprover(row.transitions);
  const payoutToRelease = { amountPence: row.netPence, quoteVersion: row.version, bankAccountId: account?.id };
  const bankHoldEndsAt = accountAddedAt && getBankHoldEnd(accountAddedAt, row.bankAccounts.length === 1, terms);
  const waitingFor = describePayoutBlocker(
    {
      state: row.state,
      net: row.netPence,
      collectionAccountOpen: row.collectionAccount !== null,
      collectionConfirmed: row.collectionConfirmedAt !== null,
      bankHoldEndsAt,
      releases: row.releases.filter((release) => isReleaseCurrent(release, { round, approver, payoutToRelease })).length,
      reviewRequired: needsReview(row.rules),
      holdReason: row.payoutHold,
    },
    terms,
    now,
  );
  const received = sumPence(row.allocations.map(({ amountPence }) => amountPence));
  const filedOn = row.foundOn ?? londonDate(row.filing?.sentAt ?? row.quotedAt);
  const payBy = addMilliseconds(row.acceptedAt ?? now, terms.payWithinHours * HOUR_MS);
  const repaymentExpectedOn = addDays(filedOn, terms.hmrcRepaysWithinDays);
  const timeline = buildTimeline({
    state: row.state,
    refund: row.refundPence,
    net: row.netPence,
    received,
    filedAt: row.filing?.sentAt ?? null,
    foundOn: row.foundOn,
    quotedAt: row.quotedAt,
    enteredAt: getStateEntryTimes(row.transitions),
    eligible: row.eligible,
    waitingFor: waitingFor ?? null,
    payBy: londonDate(payBy),
    repaymentExpectedOn,
  });
  return { terms, round, approver, payoutToRelease, bankHoldEndsAt, waitingFor, received, payBy, repaymentExpectedOn, timeline };
}

/**
 * A release counts only for the payout round, amount, quote and bank account that the operator saw, and not from the person who approved
 * the advance.
 */
export function isReleaseCurrent(release: Release, current: Pick<AdvanceStatus, 'round' | 'approver' | 'payoutToRelease'>): boolean {
  const isUnchanged = listReleaseChanges(release, current.payoutToRelease).length === 0;
  return release.round === current.round && isUnchanged && release.operatorId !== current.approver;
}

/** The time at which each state was first entered. */
function getStateEntryTimes(transitions: AdvanceStatusRow['transitions']): Partial<Record<AdvanceState, Instant>> {
  const entryTimes: Partial<Record<AdvanceState, Instant>> = {};
  for (const transition of transitions) entryTimes[transition.toState as AdvanceState] ??= transition.at;
  return entryTimes;
}
