/**
 * Derives an advance's status from its row: the reason why its payout is waiting, and its timeline. Pure; used by the dashboard and the
 * advance screens.
 */
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { getAdvanceTerms, type AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { buildTimeline, type TimelineStage } from '@portal/domain/advances/advance-timeline.ts';
import { getBankHoldEnd, needsReview, type EvaluatedRule, type SavedAccount } from '@portal/domain/advances/evaluate-eligibility.ts';
import { isIdentityVerified } from '@portal/domain/advances/identity-rule.ts';
import {
  countRequiredReleases,
  describePayoutBlocker,
  findApprover,
  findRetrier,
  listReleaseChanges,
  mayRelease,
  needsManualRelease,
  type ReleasedPayout,
} from '@portal/domain/advances/payout-gate.ts';
import { addMilliseconds, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { pence, sumPence, type Pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { isSubmittedMandate, type MandateStatus } from '@portal/domain/shortfalls/direct-debit.ts';
import { EARLY_CREDIT_HOLD_REASON } from './early-credits.ts';

const HOUR_MS = 3_600_000;

/** The columns that the status depends on. Rows may have more. */
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
  readonly repaymentDays: number;
  readonly mandateRequired: boolean;
  readonly factsReadAt: Instant | null;
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
  /** Payments that have repaid the advance, excluding reversed allocations. */
  readonly allocations: readonly { readonly amountPence: Pence }[];
  readonly bankAccounts: readonly (SavedAccount & { readonly id: string })[];
  readonly mandates: readonly { readonly status: MandateStatus }[];
};

type Release = {
  readonly round: number;
  readonly operatorId: string;
  readonly amountPence: Pence;
  readonly quoteVersion: number;
  readonly bankAccountId: string;
  readonly releasedAt: Instant;
};

export type AdvanceStatus = {
  readonly terms: AdvanceTerms;
  /** The payout round. A failed or returned payout starts a new round, which needs new releases. */
  readonly round: number;
  /** The operator who approved the advance and so can't release it; undefined if the rules approved it. */
  readonly approver: string | undefined;
  /** The operator who resent a failed payout; undefined if it wasn't resent. */
  readonly retrier: string | undefined;
  /** The number of operators who must release the payout. */
  readonly releasesNeeded: number;
  /** The payout that an operator would currently release. */
  readonly payoutToRelease: ReleasedPayout;
  /** The time of the newest approval. */
  readonly approvedAt: Instant | undefined;
  readonly bankHoldEndsAt: Instant | undefined;
  readonly waitingFor: string | undefined;
  /** Whether the payout is waiting for a Direct Debit mandate that hasn't reached the trader's bank. */
  readonly awaitsMandate: boolean;
  /** Whether money from HMRC reached the collection account before a payout. */
  readonly hasHmrcMoney: boolean;
  readonly received: Pence;
  readonly payBy: Instant;
  readonly repaymentExpectedOn: PlainDate;
  readonly timeline: TimelineStage[];
};

/** `netted`: what is deducted from the payout for earlier differences. */
export function getAdvanceStatus(row: AdvanceStatusRow, now: Instant, netted: Pence): AdvanceStatus {
  const terms = getAdvanceTerms(toLondonDate(row.quotedAt));
  const round = row.payouts.filter(({ status }) => status === 'failed' || status === 'returned').length + 1;
  const account = row.bankAccounts.at(-1);
  const accountAddedAt = account?.createdAt;
  const approver = findApprover(row.transitions);
  const retrier = findRetrier(row.transitions);
  const reviewRequired = needsManualRelease({ isReviewRequired: needsReview(row.rules), transitions: row.transitions, accountAddedAt });
  const releasesNeeded = countRequiredReleases(row.netPence, reviewRequired, terms);
  const payoutToRelease = { amountPence: row.netPence, quoteVersion: row.version, bankAccountId: account?.id };
  const bankHoldEndsAt = getBankHoldEnd(row.bankAccounts, terms);
  const approvedAt = row.transitions.findLast(({ toState }) => toState === 'approved')?.at;
  const awaitsMandate = row.mandateRequired && !row.mandates.some(({ status }) => isSubmittedMandate(status));
  const waitingFor = describePayoutBlocker(
    {
      state: row.state,
      net: row.netPence,
      isCollectionAccountOpen: row.collectionAccount !== null,
      isCollectionConfirmed: row.collectionConfirmedAt !== null,
      isIdentityVerified: isIdentityVerified(row.rules),
      factsReadAt: row.factsReadAt,
      bankHoldEndsAt,
      releases: row.releases.filter((release) =>
        isReleaseCurrent(release, { round, approver, retrier, releasesNeeded, payoutToRelease, approvedAt }),
      ).length,
      reviewRequired,
      holdReason: row.payoutHold,
      awaitsMandate,
    },
    terms,
    now,
  );
  const receivedAmount = sumPence(row.allocations.map(({ amountPence }) => amountPence));
  const filedOn = row.foundOn ?? toLondonDate(row.filing?.sentAt ?? row.quotedAt);
  const payBy = addMilliseconds(row.acceptedAt ?? now, terms.payWithinHours * HOUR_MS);
  const repaymentExpectedOn = addDays(filedOn, row.repaymentDays);
  const timeline = buildTimeline({
    state: row.state,
    refund: row.refundPence,
    net: pence(row.netPence - netted),
    received: receivedAmount,
    filedAt: row.filing?.sentAt ?? null,
    foundOn: row.foundOn,
    quotedAt: row.quotedAt,
    enteredAt: getStateEntryTimes(row.transitions),
    eligible: row.eligible,
    waitingFor: waitingFor ?? null,
    hasHmrcMoney: hasHmrcMoney(row),
    payBy: toLondonDate(payBy),
    repaymentExpectedOn,
    today: toLondonDate(now),
  });
  return {
    terms,
    round,
    approver,
    retrier,
    releasesNeeded,
    payoutToRelease,
    approvedAt,
    bankHoldEndsAt,
    waitingFor,
    awaitsMandate,
    hasHmrcMoney: hasHmrcMoney(row),
    received: receivedAmount,
    payBy,
    repaymentExpectedOn,
    timeline,
  };
}

const hasHmrcMoney = ({ payoutHold }: AdvanceStatusRow): boolean => payoutHold === EARLY_CREDIT_HOLD_REASON;

/**
 * A release counts only for the payout round, approval, amount, quote and bank account that the operator saw, and only if that operator may
 * release it.
 */
export function isReleaseCurrent(
  release: Release,
  status: Pick<AdvanceStatus, 'round' | 'approver' | 'retrier' | 'releasesNeeded' | 'payoutToRelease' | 'approvedAt'>,
): boolean {
  const { round, payoutToRelease, approvedAt } = status;
  const isUnchanged = listReleaseChanges(release, payoutToRelease).length === 0;
  const isAfterApproval = approvedAt === undefined || release.releasedAt >= approvedAt;
  return release.round === round && isUnchanged && isAfterApproval && mayRelease(release.operatorId, status);
}

/** Returns when each state was first entered. */
function getStateEntryTimes(transitions: AdvanceStatusRow['transitions']): Partial<Record<AdvanceState, Instant>> {
  const entryTimes: Partial<Record<AdvanceState, Instant>> = {};
  for (const transition of transitions) entryTimes[transition.toState as AdvanceState] ??= transition.at;
  return entryTimes;
}
