/** Splits a document into the parts that count on each date, on either basis. */
import type { Treatment } from '../books/books-row.ts';
import { calculateShare, type Pence, pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import type { BooksDocument, DocumentLine, Settlement, VatBasis } from './books-document.ts';

/** A document's lines that count on a date. */
export type DatedPart = { readonly date: PlainDate; readonly lines: readonly DocumentLine[] };

/**
 * Supplies excluded from cash accounting, which count on the document's date (VAT Regulations 1995 reg 58, VAT Notice 731 sections 2 and
 * 5).
 */
const OUTSIDE_CASH_ACCOUNTING: ReadonlySet<Treatment> = new Set<Treatment>([
  'domestic_reverse_charge',
  'imported_services',
  'postponed_import_vat',
  'import_vat_paid',
  'ni_acquisition',
]);

/** Splits a document by the dates on which its parts count. Once it is settled in full, the parts add up to the document, to the penny. */
export function splitByDate(document: BooksDocument, basis: VatBasis): DatedPart[] {
  const { date, lines, settlementRule, reversals } = document;
  const reversedParts = reversals ? negateParts(shareLines(lines, reversals.total, reversals.settlements)) : [];
  if (basis === 'accrual' || settlementRule === 'on_date' || settlementRule.total === 0) return [{ date, lines }, ...reversedParts];
  const onDate = lines.filter(({ treatment }) => OUTSIDE_CASH_ACCOUNTING.has(treatment));
  const cashBasisLines = lines.filter(({ treatment }) => !OUTSIDE_CASH_ACCOUNTING.has(treatment));
  const paidParts = cashBasisLines.length === 0 ? [] : shareLines(cashBasisLines, settlementRule.total, settlementRule.settlements);
  return [...(onDate.length > 0 ? [{ date, lines: onDate }] : []), ...paidParts, ...reversedParts];
}

/** Lists the dates on which the document's lines can count, including its own. */
export function listCountingDates(document: BooksDocument, basis: VatBasis): PlainDate[] {
  const lines = [{ kind: 'sale', treatment: 'standard', net_pence: pence(0), vat_pence: pence(0) }] as const;
  return [document.date, ...splitByDate({ ...document, lines }, basis).map(({ date }) => date)];
}

/** Returns each settlement's share of the lines. Rounds on the running total, so that all the shares add up to the whole line. */
function shareLines(lines: readonly DocumentLine[], total: number, settlements: readonly Settlement[]): DatedPart[] {
  const orderedSettlements = settlements.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  const parts: DatedPart[] = [];
  let settledAmount = 0;
  for (const { date, amount } of orderedSettlements) {
    const settledBefore = limitAmount(settledAmount, total);
    settledAmount += amount;
    const after = limitAmount(settledAmount, total);
    if (after === settledBefore) continue;
    const shareBetween = (wholeAmount: Pence): Pence =>
      pence(calculateShareSettled(wholeAmount, after, total) - calculateShareSettled(wholeAmount, settledBefore, total));
    parts.push({
      date,
      lines: lines.map((line) => ({ ...line, net_pence: shareBetween(line.net_pence), vat_pence: shareBetween(line.vat_pence) })),
    });
  }
  return parts;
}

/** Limits an amount to the range from zero to the total, which can have either sign. */
function limitAmount(amount: number, total: number): number {
  return total > 0 ? Math.min(Math.max(amount, 0), total) : Math.max(Math.min(amount, 0), total);
}

function calculateShareSettled(wholeAmount: Pence, settledAmount: number, total: number): Pence {
  return calculateShare(wholeAmount, Math.abs(settledAmount), Math.abs(total), 'half-away');
}

function negateParts(parts: readonly DatedPart[]): DatedPart[] {
  return parts.map(({ date, lines }) => ({
    date,
    lines: lines.map((line) => ({ ...line, net_pence: pence(-line.net_pence), vat_pence: pence(-line.vat_pence) })),
  }));
}
