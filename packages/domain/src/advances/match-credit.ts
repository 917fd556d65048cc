import { formatPounds, sumPence, type Pence } from '../money.ts';
import { hasReference } from '../shortfalls/payment-reference.ts';
import { containsReference } from './collection-reference.ts';
import type { MatchableState } from './settle-credit.ts';

/** HMRC's name on a Bacs credit: "HMRC VAT" or "HM REVENUE & CUSTOMS". */
const HMRC_REMITTER = /\bHMRC\b|\bHM REVENUE\b/i;

/** A name with a legal form can't be HMRC's, even if a company includes HMRC's name in its own. */
const LEGAL_FORM = /\b(?:LTD|LIMITED|PLC|LLP|CYF|CYFYNGEDIG)\b\.?/i;

/** Returns true if the name on a credit is HMRC's. */
export const isHmrcRemitter = (remitter: string): boolean => HMRC_REMITTER.test(remitter) && !LEGAL_FORM.test(remitter);

export type ReceivedCredit = {
  /** In hundredths of `currency`. */
  readonly amount: Pence;
  /** ISO 4217, for example "GBP". */
  readonly currency: string;
  readonly remitter: string;
  readonly reference: string;
};

/**
 * Returns a sentence explaining why a credit can't be posted to the ledger; undefined if it is a positive amount in pounds, the ledger's
 * only currency.
 */
export function findCreditProblem({ amount, currency }: Pick<ReceivedCredit, 'amount' | 'currency'>): string | undefined {
  if (currency !== 'GBP') return `It’s in ${currency}, and we only record pounds sterling.`;
  return amount > 0 ? undefined : 'The amount isn’t above zero, so it isn’t money we’ve received.';
}

/** An advance that is still outstanding. */
export type MatchCandidate = {
  readonly id: string;
  readonly state: MatchableState;
  readonly outstanding: Pence;
  /** See `getCollectionReference`. */
  readonly reference: string;
  /** The reference the trader quotes to pay a difference (shortfalls/payment-reference.ts). */
  readonly shortfallReference?: string | undefined;
};

/** A refund with a written-off amount. Posting a payment to it takes two operators. */
export type WrittenOffRefund = Pick<MatchCandidate, 'reference' | 'shortfallReference'> & { readonly amount: Pence };

/** The advance that a credit repays, or a sentence explaining why an operator must decide. */
export type CreditMatch = { readonly advanceId: string } | { readonly problem: string };

/**
 * Matches a credit in pounds: first by amount and reference, then by amount alone, then as HMRC's repayment of the only refund awaiting
 * one. `heldAmounts` are the company's unmatched credits. If several advances or credits fit equally well, or the credit may pay a
 * written-off amount, an operator decides.
 */
export function matchCredit(
  credit: Omit<ReceivedCredit, 'currency'>,
  candidates: readonly MatchCandidate[],
  heldAmounts: readonly Pence[],
  writtenOff: readonly WrittenOffRefund[] = [],
): CreditMatch {
  const namedCandidates = candidates.filter((candidate) => isNamed(credit.reference, candidate));
  const writeOffProblem = namedCandidates.length === 0 ? findWriteOffProblem(credit, candidates, writtenOff) : undefined;
  if (writeOffProblem !== undefined) return { problem: writeOffProblem };
  if (candidates.length === 0) return { problem: 'This company has no advance awaiting payment.' };
  const [onlyCandidate] = namedCandidates;
  if (onlyCandidate && namedCandidates.length === 1 && canPayAdvance(credit, onlyCandidate)) return { advanceId: onlyCandidate.id };
  const sameAmountCandidates = (namedCandidates.length > 0 ? namedCandidates : candidates).filter(
    ({ outstanding }) => outstanding === credit.amount,
  );
  const [exactMatch] = sameAmountCandidates;
  if (sameAmountCandidates.length > 1)
    return { problem: `${sameAmountCandidates.length} advances are awaiting exactly ${formatPounds(credit.amount)}.` };
  if (exactMatch && heldAmounts.includes(credit.amount)) {
    return { problem: `Another unmatched payment has the same amount, ${formatPounds(credit.amount)}.` };
  }
  if (exactMatch) return { advanceId: exactMatch.id };
  return matchHmrcRepayment(credit, candidates);
}

/**
 * Returns why a credit may pay a written-off amount: it names that refund, nothing else fits its exact amount, or it equals the written-off
 * amount.
 */
function findWriteOffProblem(
  credit: Omit<ReceivedCredit, 'currency'>,
  candidates: readonly MatchCandidate[],
  writtenOff: readonly WrittenOffRefund[],
): string | undefined {
  const sum = formatPounds(sumPence(writtenOff.map(({ amount }) => amount)));
  const namedRefund = writtenOff.find((refund) => isNamed(credit.reference, refund));
  if (namedRefund)
    return `It refers to a refund for which we wrote off ${formatPounds(namedRefund.amount)}. If this is payment for that refund, match it.`;
  const isExact = candidates.some(({ outstanding }) => outstanding === credit.amount);
  if (isExact && writtenOff.some(({ amount }) => amount === credit.amount))
    return `An advance is awaiting exactly ${formatPounds(credit.amount)}, and we wrote off exactly that amount on another refund.`;
  const mayBeForWriteOff = candidates.length === 0 || isHmrcRemitter(credit.remitter);
  if (writtenOff.length === 0 || isExact || !mayBeForWriteOff) return undefined;
  return `We wrote off ${sum} of this trader’s refunds. If this is payment for one of them, match it to that refund.`;
}

function isNamed(text: string, { reference, shortfallReference }: Pick<MatchCandidate, 'reference' | 'shortfallReference'>): boolean {
  return containsReference(text, reference) || (shortfallReference !== undefined && hasReference(text, shortfallReference));
}

/**
 * Returns true if a credit with an advance's reference may pay it. A trader's payment may be any part of a shortfall. While HMRC's
 * repayment is outstanding, a smaller amount counts only if HMRC sent it; otherwise anyone who knows the account number could create a
 * shortfall with a penny.
 */
function canPayAdvance(credit: Omit<ReceivedCredit, 'currency'>, { state, outstanding }: MatchCandidate): boolean {
  return state !== 'awaiting_hmrc' || credit.amount === outstanding || isHmrcRemitter(credit.remitter);
}

/**
 * Matches a repayment from HMRC, which may be less than the return shows, or more with interest. Its reference names the company, but not
 * the period.
 */
function matchHmrcRepayment(credit: Omit<ReceivedCredit, 'currency'>, candidates: readonly MatchCandidate[]): CreditMatch {
  if (!isHmrcRemitter(credit.remitter)) return { problem: 'Neither the amount nor the reference matches an advance awaiting payment.' };
  const awaitingCandidates = candidates.filter(({ state }) => state === 'awaiting_hmrc');
  const [first] = awaitingCandidates;
  if (first && awaitingCandidates.length === 1) return { advanceId: first.id };
  if (!first) return { problem: 'It’s from HMRC, but this company isn’t waiting for a refund.' };
  return { problem: `It’s from HMRC, and this company is waiting for ${awaitingCandidates.length} refunds, but none for this amount.` };
}
