/** Checks a return before filing for anything that might prompt questions from HMRC. Findings never block filing. */
import { type Pence, formatPounds, pence } from '../money.ts';
import type { CoverageGap } from '../books/books-mapping.ts';
import { formatDate } from '../plain-date.ts';
import type { CheckSeverity } from './check-severity.ts';
import type { NineBoxes } from './nine-boxes.ts';

/** One finding. A `warn` should be checked before filing; `info` is only for information. */
export type ReturnCheck = { readonly code: string; readonly severity: CheckSeverity; readonly sentence: string };

/**
 * `history` contains the boxes of earlier returns, newest first (at most eight are compared); `lateRows` counts rows dated in a period that
 * has already been filed.
 */
export type ReviewFacts = {
  readonly boxes: NineBoxes;
  readonly history: readonly NineBoxes[];
  readonly flaggedRows: number;
  readonly lateRows: number;
  /** Set if the books cover only part of the period. */
  readonly gap?: CoverageGap | undefined;
  /** For books read from bookkeeping software: rows whose VAT code is probably wrong, and documents that haven't been approved there. */
  readonly wrongCodes?: number;
  readonly unapproved?: number;
  /** VAT claimed from suppliers that have no VAT number there, one finding per supplier (connected-books/supplier-claims.ts). */
  readonly supplierClaims?: readonly ReturnCheck[];
  /** Compares the boxes with the bookkeeping software's own VAT figure (connected-books/compare-vat.ts). */
  readonly comparison?: ReturnCheck | undefined;
  /** Why these figures may lack recent changes in the bookkeeping software. */
  readonly booksBehindWarning?: string | undefined;
};

const MAX_PERIODS = 8;
/** Fewer returns than this don't show a typical amount. */
const MIN_PERIODS = 2;
/** Changes below one thousand pounds are normal. */
const NOTABLE_CHANGE_PENCE = 100_000;
const COMPARED_BOXES = [
  { box: 'box1', name: 'Box 1 (VAT on sales)' },
  { box: 'box4', name: 'Box 4 (VAT reclaimed)' },
  { box: 'box6', name: 'Box 6 (sales)' },
  { box: 'box7', name: 'Box 7 (purchases)' },
] as const;
type ComparedBox = (typeof COMPARED_BOXES)[number]['box'];

/** Returns the findings, warnings first. */
export function reviewReturn({
  boxes,
  history,
  flaggedRows,
  lateRows,
  gap,
  wrongCodes = 0,
  unapproved = 0,
  supplierClaims = [],
  comparison,
  booksBehindWarning,
}: ReviewFacts): ReturnCheck[] {
  const earlierReturns = history.slice(0, MAX_PERIODS);
  const checks = [
    ...checkCoverage(gap),
    ...(booksBehindWarning === undefined ? [] : [warn('books_behind', booksBehindWarning)]),
    ...checkRows(flaggedRows, lateRows),
    ...checkProvider(wrongCodes, unapproved),
    ...supplierClaims,
    ...(comparison ? [comparison] : []),
    ...checkSigns(boxes),
    ...checkReclaim(boxes, earlierReturns),
    ...(isNil(boxes) ? checkNil(earlierReturns) : checkChanges(boxes, earlierReturns)),
  ];
  return [...checks.filter(({ severity }) => severity === 'warn'), ...checks.filter(({ severity }) => severity === 'info')];
}

function checkCoverage(gap: CoverageGap | undefined): ReturnCheck[] {
  if (!gap) return [];
  const dates = `${formatDate(gap.first)} to ${formatDate(gap.last)}`;
  return [warn('partial_books', `Your books only have transactions from ${dates}. Check that none are missing from the period.`)];
}

function checkRows(flaggedRows: number, lateRows: number): ReturnCheck[] {
  const checks: ReturnCheck[] = [];
  if (flaggedRows > 0) {
    const subject = flaggedRows === 1 ? '1 row repeats' : `${flaggedRows} rows repeat`;
    checks.push(
      warn(
        'repeated_rows',
        `${subject} an earlier one (same reference, counterparty, date and amounts). Check that nothing is counted twice.`,
      ),
    );
  }
  if (lateRows > 0) {
    const subject = lateRows === 1 ? '1 row is' : `${lateRows} rows are`;
    checks.push(
      warn(
        'late_rows',
        `${subject} dated in a period you’ve already filed, but missing from its return. Decide how to treat them under “Earlier periods”.`,
      ),
    );
  }
  return checks;
}

function checkProvider(wrongCodes: number, unapprovedCount: number): ReturnCheck[] {
  const checks: ReturnCheck[] = [];
  if (wrongCodes > 0) {
    const subject = wrongCodes === 1 ? '1 transaction' : `${wrongCodes} transactions`;
    checks.push(
      warn(
        'likely_wrong_codes',
        `${subject} may have the wrong VAT code: VAT claimed on entertainment, or an amount that doesn’t match the rate. Each is flagged in its box.`,
      ),
    );
  }
  if (unapprovedCount > 0) {
    const subject = unapprovedCount === 1 ? '1 document in this period isn’t' : `${unapprovedCount} documents in this period aren’t`;
    checks.push(
      warn(
        'unapproved_documents',
        `${subject} approved in your bookkeeping software, so they aren’t included. Approve any that belong on this return before you file.`,
      ),
    );
  }
  return checks;
}

function checkSigns(boxes: NineBoxes): ReturnCheck[] {
  return COMPARED_BOXES.filter(({ box }) => boxes[box] < 0).map(({ box, name }) =>
    warn(`negative_${box}`, `${name} is negative (${formatBoxAmount(box, toPence(boxes, box))}): credit notes exceed everything else.`),
  );
}

function checkReclaim(boxes: NineBoxes, earlierReturns: readonly NineBoxes[]): ReturnCheck[] {
  const checks: ReturnCheck[] = [];
  // One fifth of box 7, in pence: 20% is the highest VAT rate. One pound of tolerance covers the rounding of box 7.
  if (boxes.box4 > boxes.box7 * 20 + 100) {
    checks.push(
      warn('reclaim_above_rate', 'Box 4 is more than 20% of box 7. Only adjustments, bad debt relief and import VAT can explain that.'),
    );
  }
  const isRepayment = boxes.box4 > boxes.box3;
  if (isRepayment && earlierReturns.length >= MIN_PERIODS && earlierReturns.every(({ box3, box4 }) => box4 <= box3)) {
    checks.push(
      warn('first_repayment', `This return claims a repayment, but none of your last ${earlierReturns.length} did. HMRC often asks why.`),
    );
  }
  return checks;
}

function checkNil(earlierReturns: readonly NineBoxes[]): ReturnCheck[] {
  if (earlierReturns.every(isNil)) return [];
  return [warn('nil_after_active', 'Every box is zero, but earlier returns weren’t. Check that the file is for the right period.')];
}

function checkChanges(boxes: NineBoxes, earlierReturns: readonly NineBoxes[]): ReturnCheck[] {
  if (earlierReturns.length < MIN_PERIODS) {
    return [{ code: 'little_history', severity: 'info', sentence: 'There aren’t enough earlier returns to compare with.' }];
  }
  return COMPARED_BOXES.flatMap(({ box, name }) => {
    const now = toPence(boxes, box);
    const usualAmount = median(earlierReturns.map((earlierReturn) => toPence(earlierReturn, box)));
    if (Math.abs(now - usualAmount) < NOTABLE_CHANGE_PENCE) return [];
    const comparison = `${formatBoxAmount(box, now)}, compared with a typical ${formatBoxAmount(box, usualAmount)} in the last ${earlierReturns.length} returns`;
    if (now > 2 * usualAmount) return [warn(`high_${box}`, `${name} is more than twice the usual amount: ${comparison}.`)];
    if (2 * now < usualAmount) return [warn(`low_${box}`, `${name} is less than half the usual amount: ${comparison}.`)];
    return [];
  });
}

function isNil(boxes: NineBoxes): boolean {
  return Object.values(boxes).every((amount) => amount === 0);
}

function toPence(boxes: NineBoxes, box: ComparedBox): Pence {
  return box === 'box6' || box === 'box7' ? pence(boxes[box] * 100) : boxes[box];
}

/** Boxes 6 and 7 are whole pounds (VAT Notice 700/12), so their median is shown in pounds too. */
function formatBoxAmount(box: ComparedBox, amount: Pence): string {
  if (box === 'box1' || box === 'box4') return formatPounds(amount);
  return formatPounds(pence(Math.trunc(amount / 100) * 100)).replace(/\.00$/, '');
}

/** Returns the median; for an even count, the mean of the two middle amounts, truncated to the penny. */
function median(amounts: readonly Pence[]): Pence {
  const sortedAmounts = amounts.toSorted((a, b) => a - b);
  const middleIndex = sortedAmounts.length >> 1;
  const upper = sortedAmounts[middleIndex] ?? 0;
  return pence(sortedAmounts.length % 2 === 1 ? upper : Math.trunc((upper + (sortedAmounts[middleIndex - 1] ?? 0)) / 2));
}

function warn(code: string, sentence: string): ReturnCheck {
  return { code, severity: 'warn', sentence };
}
