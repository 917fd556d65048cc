/**
 * Seals the facts that determine who is paid and how much: the bank account with the bank's response to the name check, the accepted terms,
 * approvals and releases. A row that someone wrote or changed with SQL has no valid seal, and no payment is based on it
 * (docs/decisions/0072-sealed-payouts.md).
 */
import type { Tx } from '@portal/db/database.ts';
import type { advances, bankAccounts, payoutReleases } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { areFactsSealed, checkFacts, openFacts, sealFacts, type SealCheck, type SealedFact } from '../../secrets/sealed-facts.ts';
import type { SealContext, TokenCipher } from '../../secrets/token-cipher.ts';
import { transitionAdvance, type AdvanceRow, type TransitionContext } from './transition-advance.ts';

type BankAccount = Omit<typeof bankAccounts.$inferSelect, 'seal'>;
type Release = Omit<typeof payoutReleases.$inferSelect, 'seal'>;
/** Every check of a seal throws a MissingKeyError if this instance doesn't have the key. */
type WithSeal<Row> = Row & { readonly seal: string | null };
type SealedTerms = Pick<
  typeof advances.$inferSelect,
  | 'companyId'
  | 'id'
  | 'obligationId'
  | 'periodStart'
  | 'periodEnd'
  | 'filingId'
  | 'foundReturnId'
  | 'version'
  | 'refundPence'
  | 'feePence'
  | 'feeRateBps'
  | 'netPence'
  | 'agreementHash'
  | 'quotedAt'
> &
  Partial<Pick<typeof advances.$inferSelect, 'acceptedAt' | 'acceptedBy' | 'mandateRequired'>>;

export const sealAccount = (cipher: TokenCipher, account: BankAccount): string =>
  sealFacts(cipher, getAccountSealContext(account), listAccountFacts(account));

export const isAccountSealed = (cipher: TokenCipher, account: WithSeal<BankAccount>): boolean =>
  areFactsSealed(cipher, account.seal, getAccountSealContext(account), listAccountFacts(account));

export const checkAccount = (cipher: TokenCipher, account: WithSeal<BankAccount>): SealCheck =>
  checkFacts(cipher, account.seal, getAccountSealContext(account), listAccountFacts(account));

export const getAccountSealContext = ({ companyId, id }: Pick<BankAccount, 'companyId' | 'id'>): SealContext =>
  `bank_account:${companyId}:${id}`;

function listAccountFacts({ accountHolder, sortCode, accountNumber, createdAt, accountSince, nameCheck }: BankAccount): SealedFact[] {
  const check = nameCheck && [nameCheck.result, nameCheck.name ?? null, nameCheck.check_id, nameCheck.checked_at];
  const since = accountSince === null ? [] : [`since ${accountSince}`];
  return [accountHolder, sortCode, accountNumber, createdAt, ...since, ...(check ?? [])];
}

/** Seals the terms of a quote, including one that has been accepted. */
export const sealTerms = (cipher: TokenCipher, terms: SealedTerms): string =>
  sealFacts(cipher, getTermsSealContext(terms), listTermsFacts(terms));

export const areTermsSealed = (cipher: TokenCipher, advance: SealedTerms & Pick<AdvanceRow, 'termsSeal'>): boolean =>
  areFactsSealed(cipher, advance.termsSeal, getTermsSealContext(advance), listTermsFacts(advance));

export const getTermsSealContext = ({ companyId, id }: Pick<SealedTerms, 'companyId' | 'id'>): SealContext =>
  `advance_terms:${companyId}:${id}`;

function listTermsFacts(terms: SealedTerms): SealedFact[] {
  const { obligationId, periodStart, periodEnd, filingId, foundReturnId, version, refundPence, feePence, feeRateBps, netPence } = terms;
  const { agreementHash, quotedAt, acceptedAt = null, acceptedBy = null, mandateRequired = false } = terms;
  const basis = [obligationId, periodStart, periodEnd, filingId, foundReturnId];
  const price = [version, refundPence, feePence, feeRateBps, netPence, agreementHash, quotedAt];
  return [...basis, ...price, acceptedAt, acceptedBy, mandateRequired];
}

export const sealRelease = (cipher: TokenCipher, release: Release): string =>
  sealFacts(cipher, getReleaseSealContext(release), listReleaseFacts(release));

export const checkRelease = (cipher: TokenCipher, release: WithSeal<Release>): SealCheck =>
  checkFacts(cipher, release.seal, getReleaseSealContext(release), listReleaseFacts(release));

export const getReleaseSealContext = ({ companyId, advanceId }: Pick<Release, 'companyId' | 'advanceId'>): SealContext =>
  `payout_release:${companyId}:${advanceId}`;

const listReleaseFacts = ({ operatorId, round, releasedAt, amountPence, quoteVersion, bankAccountId }: Release): SealedFact[] => [
  operatorId,
  round,
  releasedAt,
  amountPence,
  quoteVersion,
  bankAccountId,
];

/** One approval of an advance, by an operator or "rules". `from` is "payout_failed" if an operator resends a failed payout. */
export type Approval = {
  readonly from: string;
  readonly by: string;
  readonly at: Instant;
  /** The approved payout round and quote version. */
  readonly round: number;
  readonly version: number;
};

export const getApprovalsSealContext = ({ companyId, id }: Pick<AdvanceRow, 'companyId' | 'id'>): SealContext =>
  `advance_approvals:${companyId}:${id}`;

/** Returns the approvals that the portal itself recorded, oldest first. */
export function readApprovals(cipher: TokenCipher, advance: Pick<AdvanceRow, 'companyId' | 'id' | 'sealedApprovals'>): readonly Approval[] {
  const approvalsJson = openFacts(cipher, advance.sealedApprovals, getApprovalsSealContext(advance));
  return approvalsJson === undefined ? [] : (JSON.parse(approvalsJson) as Approval[]);
}

/** Approves an advance, with a transition and its sealed record. This is the only way to approve one. */
export async function approveAdvance(
  { tokenCipher }: Pick<AppDeps, 'tokenCipher'>,
  tx: Tx,
  advance: AdvanceRow,
  { round, reason, ...context }: TransitionContext & { readonly round: number; readonly reason: string },
): Promise<AdvanceRow> {
  const { state: from, version } = advance;
  const approvals = [...readApprovals(tokenCipher, advance), { from, by: context.actor, at: context.at, round, version }];
  const sealedApprovals = tokenCipher.seal(JSON.stringify(approvals), getApprovalsSealContext(advance));
  return transitionAdvance(tx, advance, 'approved', context, reason, { sealedApprovals });
}

type ApprovalHistory = {
  readonly transitions: readonly {
    readonly fromState: string | null;
    readonly toState: string;
    readonly actor: string;
    readonly at: Instant;
  }[];
  readonly round: number;
};

/**
 * Returns whether the portal itself recorded the latest approval and, from the second round on, an operator's resend or review of the
 * payout.
 */
export function isApprovalSealed(cipher: TokenCipher, advance: AdvanceRow, { transitions, round }: ApprovalHistory): boolean {
  const approvals = readApprovals(cipher, advance).filter(({ version }) => version === advance.version);
  const isRecorded = (transition: ApprovalHistory['transitions'][number] | undefined): boolean =>
    transition !== undefined &&
    approvals.some(({ from, by, at }) => from === transition.fromState && by === transition.actor && at === transition.at);
  const returnToReview = transitions.findLast(({ toState }) => toState === 'in_review');
  const review = transitions.findLast(({ fromState, toState }) => fromState === 'in_review' && toState === 'approved');
  const newestApproval = transitions.findLast(({ toState }) => toState === 'approved');
  if (!isRecorded(review) || !isRecorded(newestApproval)) return false;
  if (returnToReview && newestApproval && newestApproval.at < returnToReview.at) return false;
  return (
    round === 1 ||
    approvals.some(
      ({ from, by, round: approvalRound }) =>
        approvalRound === round && (from === 'payout_failed' || (from === 'in_review' && by !== 'rules')),
    )
  );
}
