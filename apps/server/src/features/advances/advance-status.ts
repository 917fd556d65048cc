/**
 * Derives an advance's status from its row: the reason its payout waits, and its timeline. Pure; the dashboard and the advance screens both
 * use it.
 */
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { getAdvanceTerms, type AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { buildTimeline, type TimelineStage } from '@portal/domain/advances/advance-timeline.ts';
import { getBankHoldEnd, needsReview, type EvaluatedRule } from '@portal/domain/advances/evaluate-eligibility.ts';
import { describePayoutBlocker } from '@portal/domain/advances/payout-gate.ts';
import { addMilliseconds, londonDate, type Instant } from '@portal/domain/clock.ts';
import { sumPence, type Pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';

const HOUR_MS = 3_600_000;

/** The columns that the status depends on. A row with more columns is accepted too. */
export type AdvanceStatusRow = {
  readonly state: AdvanceState;
  readonly refundPence: Pence;
  readonly netPence: Pence;
  readonly eligible: boolean;
  readonly rules: EvaluatedRule[];
  readonly quotedAt: Instant;
  readonly acceptedAt: Instant | null;
  readonly collectionConfirmedAt: Instant | null;
  readonly filing: { readonly sentAt: Instant } | null;
  readonly foundOn: PlainDate | null;
  readonly payoutHold: string | null;
  readonly collectionAccount: object | null;
  readonly transitions: readonly { readonly toState: string; readonly at: Instant }[];
  readonly payouts: readonly { readonly status: string }[];
  readonly releases: readonly Release[];
  /** What has repaid the advance, without reversed allocations. */
  readonly allocations: readonly { readonly amountPence: Pence }[];
  readonly bankAccounts: readonly { readonly createdAt: Instant }[];
};

type Release = { readonly round: number; readonly releasedAt: Instant };

export type AdvanceStatus = {
  readonly terms: AdvanceTerms;
  /** The payout round. After a failed or returned payout a new round starts, which needs new releases. */
  readonly round: number;
  /** The time at which the current bank account was added. */
  readonly accountAddedAt: Instant | undefined;
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
  const accountAddedAt = row.bankAccounts.at(-1)?.createdAt;
  const bankHoldEndsAt = accountAddedAt && getBankHoldEnd(accountAddedAt, row.bankAccounts.length === 1, terms);
  const waitingFor = describePayoutBlocker(
    {
      state: row.state,
      net: row.netPence,
      collectionAccountOpen: row.collectionAccount !== null,
      collectionConfirmed: row.collectionConfirmedAt !== null,
      bankHoldEndsAt,
      releases: row.releases.filter((release) => isReleaseCurrent(release, { round, accountAddedAt })).length,
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
  return { terms, round, accountAddedAt, bankHoldEndsAt, waitingFor, received, payBy, repaymentExpectedOn, timeline };
}

/** A release counts only for the round and the bank account that the operator saw. It does not count for an account added later. */
export function isReleaseCurrent(
  release: Release,
  current: { readonly round: number; readonly accountAddedAt: Instant | undefined },
): boolean {
  return release.round === current.round && (current.accountAddedAt === undefined || release.releasedAt >= current.accountAddedAt);
}

/** The time at which each state was first entered. */
function getStateEntryTimes(transitions: AdvanceStatusRow['transitions']): Partial<Record<AdvanceState, Instant>> {
  const entryTimes: Partial<Record<AdvanceState, Instant>> = {};
  for (const transition of transitions) entryTimes[transition.toState as AdvanceState] ??= transition.at;
  return entryTimes;
}
