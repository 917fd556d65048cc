/**
 * Derives an advance's status from its row: what its payout waits for, and its timeline. Pure. The dashboard and the advance screens both
 * use it.
 */
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { termsOn, type AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { drawTimeline, type TimelineStage } from '@portal/domain/advances/advance-timeline.ts';
import { bankHoldEnds, needsReview, type JudgedRule } from '@portal/domain/advances/judge-eligibility.ts';
import { whatPayoutWaitsFor } from '@portal/domain/advances/payout-gate.ts';
import { addMilliseconds, londonDate, type Instant } from '@portal/domain/clock.ts';
import { sumPence, type Pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';

const HOUR_MS = 3_600_000;

/** The columns that the status depends on. A row with more columns is accepted too. */
export type StandingRow = {
  readonly state: AdvanceState;
  readonly refundPence: Pence;
  readonly netPence: Pence;
  readonly eligible: boolean;
  readonly rules: JudgedRule[];
  readonly quotedAt: Instant;
  readonly acceptedAt: Instant | null;
  readonly collectionConfirmedAt: Instant | null;
  readonly filing: { readonly sentAt: Instant } | null;
  readonly foundOn: PlainDate | null;
  readonly payoutHold: string | null;
  readonly collectionAccount: object | null;
  readonly moves: readonly { readonly toState: string; readonly at: Instant }[];
  readonly payouts: readonly { readonly status: string }[];
  readonly releases: readonly Release[];
  readonly credits: readonly { readonly amountPence: Pence }[];
  readonly bankAccounts: readonly { readonly createdAt: Instant }[];
};

type Release = { readonly round: number; readonly releasedAt: Instant };

export type Standing = {
  readonly terms: AdvanceTerms;
  /** The payout round. After a failed or returned payout a new round starts, which needs new releases. */
  readonly round: number;
  /** When the current bank account was added. */
  readonly accountSince: Instant | undefined;
  readonly bankHoldEndsAt: Instant | undefined;
  readonly waitingFor: string | undefined;
  readonly received: Pence;
  readonly payBy: Instant;
  readonly repaymentExpectedOn: PlainDate;
  readonly timeline: TimelineStage[];
};

export function standingOf(row: StandingRow, now: Instant): Standing {
  const terms = termsOn(londonDate(row.quotedAt));
  const round = row.payouts.filter(({ status }) => status === 'failed' || status === 'returned').length + 1;
  const accountSince = row.bankAccounts.at(-1)?.createdAt;
  const bankHoldEndsAt = accountSince && bankHoldEnds(accountSince, row.bankAccounts.length === 1, terms);
  const waitingFor = whatPayoutWaitsFor(
    {
      state: row.state,
      net: row.netPence,
      collectionAccountOpen: row.collectionAccount !== null,
      collectionConfirmed: row.collectionConfirmedAt !== null,
      bankHoldEndsAt,
      releases: row.releases.filter((release) => countsNow(release, { round, accountSince })).length,
      reviewed: needsReview(row.rules),
      hold: row.payoutHold,
    },
    terms,
    now,
  );
  const received = sumPence(row.credits.map(({ amountPence }) => amountPence));
  const filedOn = row.foundOn ?? londonDate(row.filing?.sentAt ?? row.quotedAt);
  const payBy = addMilliseconds(row.acceptedAt ?? now, terms.payWithinHours * HOUR_MS);
  const repaymentExpectedOn = addDays(filedOn, terms.hmrcRepaysWithinDays);
  const timeline = drawTimeline({
    state: row.state,
    refund: row.refundPence,
    net: row.netPence,
    received,
    filedAt: row.filing?.sentAt ?? null,
    foundOn: row.foundOn,
    quotedAt: row.quotedAt,
    enteredAt: entriesOf(row.moves),
    eligible: row.eligible,
    waitingFor: waitingFor ?? null,
    payBy: londonDate(payBy),
    repaymentExpectedOn,
  });
  return { terms, round, accountSince, bankHoldEndsAt, waitingFor, received, payBy, repaymentExpectedOn, timeline };
}

/**
 * A release counts only for the round and the bank account that the operator saw. A release given before the account changed does not count
 * for the new account.
 */
export function countsNow(release: Release, present: { readonly round: number; readonly accountSince: Instant | undefined }): boolean {
  return release.round === present.round && (present.accountSince === undefined || release.releasedAt >= present.accountSince);
}

/** The time at which each state was first entered. */
function entriesOf(moves: StandingRow['moves']): Partial<Record<AdvanceState, Instant>> {
  const entered: Partial<Record<AdvanceState, Instant>> = {};
  for (const move of moves) entered[move.toState as AdvanceState] ??= move.at;
  return entered;
}
