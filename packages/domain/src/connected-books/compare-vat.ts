/** Compares the boxes of a return with the bookkeeping software's own VAT figures for the period (decision 70). */
import { formatPounds, pence, type Pence } from '../money.ts';
import type { ReturnCheck } from '../vat-returns/review-return.ts';
import { BOOKS_PROVIDER_NAMES, type BooksProviderName } from './books-providers.ts';

/**
 * Why the software's own figure couldn't be read. `no_return`: FreeAgent has no VAT return for exactly this period. `no_account`: the VAT
 * account wasn't found. `filed_there`: the period was filed in QuickBooks, which empties its VAT account. `no_access`: we don't have access
 * to it. `unavailable`: the software didn't respond.
 */
export const VAT_FIGURE_PROBLEMS = ['no_return', 'no_account', 'filed_there', 'no_access', 'unavailable'] as const;
export type VatFigureProblem = (typeof VAT_FIGURE_PROBLEMS)[number];

/** All VAT amounts are net: positive is owed to HMRC, negative is to be reclaimed. */
export type VatComparison = {
  readonly program: BooksProviderName;
  /** Net VAT in the bookkeeping software. Null if it couldn't be read. */
  readonly stated: Pence | null;
  readonly problem: VatFigureProblem | null;
  /** Net VAT in the boxes: box 3 less box 4. */
  readonly boxes: Pence;
  /** Net VAT of manual adjustments, and of corrections to earlier returns. `boxes` includes both. */
  readonly adjustments: Pence;
  readonly corrections: Pence;
  /** Net VAT of late rows in filed periods that the user hasn't decided on yet. */
  readonly lateRows: Pence;
  /** Net VAT of unapproved documents. */
  readonly unapproved: Pence;
  /** Net VAT on the other VAT basis. Null if unknown. */
  readonly otherBasisVat: Pence | null;
};

/** Differences up to this amount are rounding: we and the bookkeeping software round lines differently. */
const ROUNDING_PENCE = 100;

/** The source of the figure: FreeAgent's own VAT return, or the account to which other software posts VAT. */
const SOURCES: Readonly<Record<BooksProviderName, string>> = {
  xero: 'Xero’s VAT account',
  quickbooks: 'QuickBooks’ VAT control account',
  freeagent: 'FreeAgent’s VAT return',
};

type DifferenceReason = { readonly text: string; readonly amount: number };

/** Returns one check: the figures agree, or there is a difference, with its reason if known. It never blocks filing. */
export function compareVat(comparison: VatComparison): ReturnCheck {
  const { program, stated, boxes } = comparison;
  const source = SOURCES[program];
  if (stated === null) {
    const sentence = `We couldn’t compare these boxes with ${source}: ${describeProblem(comparison)}`;
    return { code: 'vat_not_compared', severity: 'info', sentence };
  }
  const difference = boxes - stated;
  if (Math.abs(difference) <= ROUNDING_PENCE) {
    return { code: 'vat_agrees', severity: 'info', sentence: `${source} agrees with these boxes: ${describeNet(stated)}.` };
  }
  const knownReasons = listKnownReasons(comparison);
  const unexplainedAmount = difference - knownReasons.reduce((sum, { amount }) => sum + amount, 0);
  const figures = `${source} shows ${describeNet(stated)}, these boxes show ${describeNet(boxes)}: a difference of ${formatAmount(difference)}.`;
  const guess = Math.abs(unexplainedAmount) <= ROUNDING_PENCE ? undefined : inferReason(comparison, unexplainedAmount);
  const reasons = [...knownReasons, ...(guess ? [guess] : [])].map(({ text }) => text);
  if (Math.abs(unexplainedAmount) <= ROUNDING_PENCE || guess) {
    return { code: 'vat_explained', severity: guess ? 'warn' : 'info', sentence: `${figures} ${joinReasons(reasons)}` };
  }
  const explainedText = knownReasons.length === 0 ? '' : ` ${joinReasons(reasons)} ${formatAmount(unexplainedAmount)} remains unexplained.`;
  return { code: 'vat_differs', severity: 'warn', sentence: `${figures}${explainedText} ${ADVICE_BY_PROVIDER[program]}` };
}

/** Lists known reasons for the difference: items that we and the bookkeeping software count differently. */
function listKnownReasons({ program, adjustments, corrections, lateRows }: VatComparison): DifferenceReason[] {
  const reasons: DifferenceReason[] = [
    { text: `Your adjustments change the return by ${formatAmount(adjustments)}.`, amount: adjustments },
  ];
  if (program === 'freeagent') {
    // FreeAgent includes changes to filed periods in the next return (its help, "How to make corrections in a VAT locked period").
    reasons.push({
      text: `FreeAgent includes ${formatAmount(lateRows)} from earlier periods that you haven’t reviewed here.`,
      amount: -lateRows,
    });
  } else {
    reasons.push({
      text: `Corrections to earlier returns change it by ${formatAmount(corrections)}; in the account, they appear on their own dates.`,
      amount: corrections,
    });
  }
  return reasons.filter(({ amount }) => amount !== 0);
}

/** Guesses the reason for the rest of the difference: an amount that equals it, give or take rounding. */
function inferReason({ program, unapproved, otherBasisVat, stated }: VatComparison, rest: number): DifferenceReason | undefined {
  const matchesRest = (amount: number): boolean => amount !== 0 && Math.abs(Math.abs(amount) - Math.abs(rest)) <= ROUNDING_PENCE;
  if (otherBasisVat !== null && stated !== null && Math.abs(otherBasisVat - stated) <= ROUNDING_PENCE) {
    return {
      text: `The bookkeeping software’s figure is for the other VAT accounting scheme. Check which one you chose under “Books”.`,
      amount: rest,
    };
  }
  if (matchesRest(unapproved)) {
    return { text: `It matches the VAT on documents that aren’t approved in ${BOOKS_PROVIDER_NAMES[program]}.`, amount: rest };
  }
  return undefined;
}

const ADVICE_BY_PROVIDER: Readonly<Record<BooksProviderName, string>> = {
  xero: 'Check in Xero for journals or payments posted to the VAT account without a VAT rate.',
  quickbooks: 'Check in QuickBooks for journals posted to the VAT control account without a VAT code: they aren’t included in a return.',
  freeagent: 'Check in FreeAgent’s VAT return for journals, manual adjustments and corrections of earlier periods.',
};

function describeProblem({ program, problem }: VatComparison): string {
  const name = BOOKS_PROVIDER_NAMES[program];
  switch (problem) {
    case 'no_return':
      return 'FreeAgent has no VAT return for exactly these dates.';
    case 'no_account':
      return `${name} doesn’t give us access to this account.`;
    case 'filed_there':
      return 'the period is marked as filed in QuickBooks, which empties the account.';
    case 'no_access':
      return `your permission in ${name} doesn’t cover it. Connect ${name} again to add it.`;
    default:
      return `${name} didn’t respond. We’ll try again when we next read your books.`;
  }
}

function describeNet(net: number): string {
  if (net === 0) return 'nothing to pay';
  return `${formatAmount(net)} ${net > 0 ? 'to pay' : 'to reclaim'}`;
}

const formatAmount = (amount: number): string => formatPounds(pence(Math.abs(amount)));

const joinReasons = (reasons: readonly string[]): string => reasons.join(' ');
