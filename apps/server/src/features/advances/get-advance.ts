/** Reads advances for screens and decisions. */
import type { AdvanceOutput } from '@portal/contract/advances.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import {
  advanceTransitions,
  advances,
  bankAccounts,
  mandates,
  creditAllocations,
  payouts,
  type collectionAccounts,
  type obligations,
  type payoutReleases,
} from '@portal/db/schema/schema.ts';
import { isRepaymentLate } from '@portal/domain/advances/advance-timeline.ts';
import { isIdentityVerified } from '@portal/domain/advances/identity-rule.ts';
import { areFactsStale } from '@portal/domain/advances/payout-gate.ts';
import { countHoursToPayout } from '@portal/domain/advances/hours-to-payout.ts';
import { STATES_BEFORE_PAYOUT } from '@portal/domain/advances/advance-states.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { pence, ZERO, type Pence } from '@portal/domain/money.ts';
import { getValueOrForecast } from '@portal/domain/uk-tax/known.ts';
import { countWorkingDaysBetween } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { and, asc, desc, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { planNetting } from '../shortfalls/net-payouts.ts';
import { isReleaseCurrent, getAdvanceStatus, type AdvanceStatus } from './advance-status.ts';
import { checkRelease } from './payout-facts.ts';
import type { AdvanceRow } from './transition-advance.ts';

type SnapshotMandate = Pick<typeof mandates.$inferSelect, 'status' | 'otherAccountEnding'>;

/** An advance with everything that its screens and its payout checks need. */
export type AdvanceSnapshot = AdvanceStatus & {
  readonly advance: AdvanceRow;
  readonly obligation: typeof obligations.$inferSelect;
  /** Name of the user who accepted the agreement. */
  readonly acceptedBy: string | null;
  readonly transitions: readonly (typeof advanceTransitions.$inferSelect)[];
  readonly collectionAccount: typeof collectionAccounts.$inferSelect | undefined;
  readonly bankAccount: typeof bankAccounts.$inferSelect | undefined;
  /** Releases for the current round and bank account. */
  readonly releases: readonly (typeof payoutReleases.$inferSelect)[];
  /** Releases that weren't written by the portal, or were written before releases were sealed. */
  readonly forgedReleases: readonly (typeof payoutReleases.$inferSelect)[];
  /** Releases whose key this instance doesn't have. They don't count here but aren't rejected. */
  readonly unreadReleases: readonly (typeof payoutReleases.$inferSelect)[];
  readonly payout: typeof payouts.$inferSelect | undefined;
  /** The newest Direct Debit mandate; undefined if the company has none. */
  readonly mandate: SnapshotMandate | undefined;
  /** The amount deducted from the payout for earlier differences. */
  readonly netted: Pence;
};

/** Returns the newest advance of a company or of one of its returns. */
export async function findAdvanceId(db: Db, companyId: string, obligationId: string | undefined): Promise<string | undefined> {
  const [row] = await db
    .select({ id: advances.id })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), obligationId === undefined ? undefined : eq(advances.obligationId, obligationId)))
    .orderBy(desc(advances.quotedAt), desc(advances.updatedAt))
    .limit(1);
  return row?.id;
}

/** Related rows that are loaded with an advance in a single statement. */
const SNAPSHOT_RELATIONS = {
  obligation: true,
  filing: { columns: { sentAt: true } },
  collectionAccount: true,
  acceptor: { columns: { fullName: true } },
  transitions: { orderBy: asc(advanceTransitions.sequence) },
  payouts: { orderBy: asc(payouts.round) },
  releases: true,
  allocations: { where: isNull(creditAllocations.reversedAt) },
  bankAccounts: { orderBy: asc(bankAccounts.createdAt) },
  mandates: { columns: { status: true, otherAccountEnding: true }, orderBy: asc(mandates.requestedAt) },
} as const;

export async function getAdvanceSnapshot(deps: AppDeps, db: Db | Tx, companyId: string, advanceId: string): Promise<AdvanceSnapshot> {
  const row = await db.query.advances.findFirst({
    where: and(eq(advances.companyId, companyId), eq(advances.id, advanceId)),
    with: SNAPSHOT_RELATIONS,
  });
  if (!row) throw createNotFoundError();
  return toSnapshot(deps, row, await loadNettedAmount(db, row, row.payouts.at(-1)));
}

/** Returns the amount deducted from the payout for earlier differences, as ordered or as currently expected. */
export async function loadNettedAmount(
  db: Db | Tx,
  advance: Pick<typeof advances.$inferSelect, 'companyId' | 'id' | 'state' | 'netPence' | 'agreementVersion'>,
  payout: Pick<typeof payouts.$inferSelect, 'status' | 'amountPence'> | undefined,
): Promise<Pence> {
  const ordered = findOrderedPayout(payout);
  if (ordered) return pence(advance.netPence - ordered.amountPence);
  if (!NETTABLE_STATES.includes(advance.state)) return ZERO;
  return pence(advance.netPence - (await planNetting(db, advance)).payout);
}

/** Returns the payout, unless the bank didn't make it or returned it. */
function findOrderedPayout<Payout extends { readonly status: string }>(payout: Payout | undefined): Payout | undefined {
  return payout?.status === 'failed' || payout?.status === 'returned' ? undefined : payout;
}

/** The states in which the next payout's deductions are shown, including a quote and a failed payout. */
const NETTABLE_STATES: readonly string[] = ['quoted', ...STATES_BEFORE_PAYOUT, 'payout_failed'];

type SnapshotRow = typeof advances.$inferSelect & {
  readonly obligation: typeof obligations.$inferSelect | null;
  readonly filing: { sentAt: Instant } | null;
  readonly collectionAccount: typeof collectionAccounts.$inferSelect | null;
  readonly acceptor: { fullName: string } | null;
  readonly transitions: (typeof advanceTransitions.$inferSelect)[];
  readonly payouts: (typeof payouts.$inferSelect)[];
  readonly releases: (typeof payoutReleases.$inferSelect)[];
  readonly allocations: (typeof creditAllocations.$inferSelect)[];
  readonly bankAccounts: (typeof bankAccounts.$inferSelect)[];
  readonly mandates: SnapshotMandate[];
};

function toSnapshot(deps: AppDeps, row: SnapshotRow, netted: Pence): AdvanceSnapshot {
  const {
    obligation,
    filing,
    collectionAccount,
    acceptor: acceptedByUser,
    transitions,
    payouts: payoutRows,
    releases,
    allocations: _allocations,
    bankAccounts: bankAccountRows,
    mandates: mandateRows,
    ...rest
  } = row;
  if (!obligation || (row.filingId !== null && !filing)) throw new Error(`the advance ${row.id} has no return`);
  const advance = rest as AdvanceRow;
  // Releases that the portal didn't write don't count.
  const { sealed = [], not_sealed = [], key_missing = [] } = Object.groupBy(releases, (release) => checkRelease(deps.tokenCipher, release));
  const status = getAdvanceStatus({ ...row, releases: sealed, state: advance.state }, deps.clock.now(), netted);
  return {
    advance,
    obligation,
    acceptedBy: acceptedByUser?.fullName ?? null,
    transitions,
    collectionAccount: collectionAccount ?? undefined,
    bankAccount: bankAccountRows.at(-1),
    releases: sealed.filter((release) => isReleaseCurrent(release, status)),
    forgedReleases: not_sealed,
    unreadReleases: key_missing,
    payout: payoutRows.at(-1),
    mandate: mandateRows.at(-1),
    netted,
    ...status,
  };
}

/** Returns the advance as shown to the trader and operators. */
export async function getAdvanceOutput(deps: AppDeps, db: Db, companyId: string, advanceId: string): Promise<AdvanceOutput> {
  return toAdvanceOutput(deps, await getAdvanceSnapshot(deps, db, companyId, advanceId));
}

/** Maps a snapshot to the contract's shape. Pure except for the clock. */
export function toAdvanceOutput(deps: AppDeps, snapshot: AdvanceSnapshot): AdvanceOutput {
  const { advance, obligation, collectionAccount, payBy, repaymentExpectedOn } = snapshot;
  // The company's account may have changed since the payout.
  const orderedPayout = findOrderedPayout(snapshot.payout);
  const payoutAccount = orderedPayout ?? snapshot.bankAccount;
  const isBeforePayout = STATES_BEFORE_PAYOUT.includes(advance.state);
  const repaidOn = advance.repaidAt === null ? repaymentExpectedOn : toLondonDate(advance.repaidAt);
  return {
    advance_id: advance.id,
    obligation_id: advance.obligationId,
    period_start: obligation.periodStart,
    period_end: obligation.periodEnd,
    found_on: advance.foundOn,
    state: advance.state,
    version: advance.version,
    refund_pence: advance.refundPence,
    fee_pence: advance.feePence,
    fee_rate_bps: advance.feeRateBps,
    net_pence: advance.netPence,
    netted_pence: snapshot.netted,
    quoted_at: advance.quotedAt,
    valid_until: advance.validUntil,
    pay_by: payBy,
    eligible: advance.eligible,
    rules: advance.rules,
    agreement: {
      text: advance.agreementText,
      hash: advance.agreementHash,
      version: advance.agreementVersion,
      accepted_at: advance.acceptedAt,
      accepted_by: snapshot.acceptedBy,
    },
    collection_account:
      collectionAccount && advance.acceptedAt
        ? {
            account_holder: collectionAccount.accountHolder,
            sort_code: collectionAccount.sortCode,
            account_number: collectionAccount.accountNumber,
            confirmed_at: advance.collectionConfirmedAt,
            hmrc_service_url: deps.site.hmrcRepaymentAccountUrl,
          }
        : null,
    payout_account: payoutAccount
      ? {
          account_holder: payoutAccount.accountHolder,
          sort_code: payoutAccount.sortCode,
          account_number_end: payoutAccount.accountNumber.slice(-4),
        }
      : null,
    payout_reference: orderedPayout?.status === 'executed' ? orderedPayout.reference : null,
    received_pence: snapshot.received,
    has_hmrc_money: snapshot.hasHmrcMoney,
    mandate: advance.mandateRequired
      ? { status: snapshot.mandate?.status ?? null, other_account_ending: snapshot.mandate?.otherAccountEnding ?? null }
      : null,
    repayment_expected_on: repaymentExpectedOn,
    repayment_late: isRepaymentLate({ state: advance.state, repaymentExpectedOn, today: deps.clock.today() }),
    identity_needed: isBeforePayout && !isIdentityVerified(advance.rules),
    facts: {
      read_at: advance.factsReadAt,
      is_stale: advance.state === 'approved' && areFactsStale(advance.factsReadAt, snapshot.terms, deps.clock.now()),
    },
    waiting_for: snapshot.waitingFor ?? null,
    timeline: snapshot.timeline,
    hours_to_payout: advance.acceptedAt && advance.paidAt ? countHoursToPayout(advance.acceptedAt, advance.paidAt) : null,
    working_days_ahead_of_hmrc: advance.paidAt
      ? (getValueOrForecast(countWorkingDaysBetween(toLondonDate(advance.paidAt), repaidOn)) ?? null)
      : null,
  };
}
