/** Calculates a period's nine boxes from documents, with the same treatment table, sums and rounding as for a file. */
import type { VatDirection } from '../uk-tax/vat/nine-boxes.ts';
import { addToTreatmentSums, createTreatmentSums, type Period, sumBoxes } from '../vat-returns/accumulate-boxes.ts';
import { computeNineBoxes, type NineBoxes } from '../vat-returns/nine-boxes.ts';
import { findBoxRule } from '../vat-returns/treatment-table.ts';
import type { BooksDocument, DocumentFlag, VatBasis } from './books-document.ts';
import { splitByDate } from './date-parts.ts';
import { listDocumentFlags } from './supplier-claims.ts';

/** A document in the period that needs review. */
export type FlaggedDocument = { readonly document: BooksDocument; readonly flags: readonly DocumentFlag[] };

/** `rows`: documents that count in the period. `outsidePeriod`: those that count in another period, or aren't settled yet. */
export type DocumentTotals = {
  readonly boxes: NineBoxes;
  readonly direction: VatDirection;
  readonly rows: number;
  readonly outsidePeriod: number;
  readonly flagged: readonly FlaggedDocument[];
};

/** Throws AppError "impossible" if a box exceeds the limit for a return, and RangeError for an impossible treatment, which is a bug. */
export function computeDocumentBoxes(documents: Iterable<BooksDocument>, period: Period, basis: VatBasis): DocumentTotals {
  const sums = createTreatmentSums();
  const seenDocuments = new Set<string>();
  const flaggedDocuments: FlaggedDocument[] = [];
  let rows = 0;
  let outsidePeriod = 0;
  const isInside = (date: string): boolean => date >= period.from && date <= period.to;

  for (const document of documents) {
    const parts = splitByDate(document, basis).filter(({ date }) => isInside(date));
    if (document.status === 'draft') {
      if (isInside(document.date)) flaggedDocuments.push({ document, flags: ['draft', ...listDocumentFlags(document)] });
      continue;
    }
    if (parts.length === 0) {
      outsidePeriod += 1;
      continue;
    }
    rows += 1;
    for (const { lines } of parts) {
      for (const line of lines) {
        if (!findBoxRule(line.kind, line.treatment)) throw new RangeError(`${line.treatment} cannot be a ${line.kind}`);
        addToTreatmentSums(sums, line);
      }
    }
    const flags = [...listDocumentFlags(document), ...(isRepeat(document, seenDocuments) ? (['repeated'] as const) : [])];
    if (flags.length > 0) flaggedDocuments.push({ document, flags });
  }
  return { ...computeNineBoxes(sumBoxes(sums)), rows, outsidePeriod, flagged: flaggedDocuments };
}

/** Uses the same criteria as for a file's rows: the same reference, counterparty, date and amounts. The first document isn't a repeat. */
function isRepeat({ reference, counterparty, date, lines }: BooksDocument, seenDocuments: Set<string>): boolean {
  const sumLines = (member: 'net_pence' | 'vat_pence') => lines.reduce((sum, line) => sum + line[member], 0);
  const key = JSON.stringify([reference, counterparty, date, lines[0]?.kind, sumLines('net_pence'), sumLines('vat_pence')]);
  if (seenDocuments.has(key)) return true;
  seenDocuments.add(key);
  return false;
}
