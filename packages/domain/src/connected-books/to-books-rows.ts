/** Converts documents from connected books to rows, so that returns, corrections and checks work as they do for a file. */
import type { BooksRow } from '../books/books-row.ts';
import { type Pence, pence } from '../money.ts';
import { formatDate, type PlainDate } from '../plain-date.ts';
import type { BooksDocument, DocumentFlag, VatBasis } from './books-document.ts';
import { splitByDate } from './date-parts.ts';
import { listDocumentFlags } from './supplier-claims.ts';

/** `line` numbers the rows by date from 1; `flags` and `documentId` come from the document. */
export type ConnectedRow = BooksRow & { readonly documentId: string; readonly type: string; readonly flags: readonly DocumentFlag[] };

/** A document that doesn't count until it is approved in the bookkeeping software. Amounts are its totals, negative on a credit note. */
export type DraftDocument = {
  readonly documentId: string;
  readonly type: string;
  readonly date: PlainDate;
  readonly reference: string;
  readonly counterparty: string;
  readonly net_pence: Pence;
  readonly vat_pence: Pence;
};

/**
 * Returns one row for each date, kind and treatment of a document. Omits lines without an amount and those outside VAT, which don't affect
 * any box.
 */
export function toBooksRows(
  documents: readonly BooksDocument[],
  basis: VatBasis,
): { readonly rows: ConnectedRow[]; readonly drafts: DraftDocument[] } {
  const rows: UnnumberedRow[] = [];
  const drafts: DraftDocument[] = [];
  for (const document of documents) {
    if (document.status === 'draft') drafts.push(toDraft(document));
    else rows.push(...toRows(document, basis));
  }
  rows.sort((a, b) => compareTexts(a.date, b.date) || compareTexts(a.documentId, b.documentId) || compareTexts(toKey(a), toKey(b)));
  drafts.sort((a, b) => compareTexts(a.date, b.date) || compareTexts(a.documentId, b.documentId));
  for (const [index, row] of rows.entries()) row.line = index + 1;
  return { rows, drafts };
}

/** A row whose `line` is set once all rows are known, and whose amounts are summed. */
type UnnumberedRow = Omit<ConnectedRow, 'line' | 'net_pence' | 'vat_pence'> & { line: number; net_pence: Pence; vat_pence: Pence };

function toRows(document: BooksDocument, basis: VatBasis): UnnumberedRow[] {
  const { id, type, reference, counterparty } = document;
  const flags = listDocumentFlags(document);
  const mergedRows: UnnumberedRow[] = [];
  const parts = splitByDate(document, basis);
  for (const { date, lines } of parts) {
    const description = date === document.date ? '' : `Dated ${formatDate(document.date)}`;
    for (const line of lines) {
      if (line.treatment === 'no_vat') continue;
      // A document has few rows, so searching them takes less time than a map.
      const existing = mergedRows.find((row) => row.date === date && row.kind === line.kind && row.treatment === line.treatment);
      if (existing) {
        existing.net_pence = pence(existing.net_pence + line.net_pence);
        existing.vat_pence = pence(existing.vat_pence + line.vat_pence);
      } else {
        mergedRows.push({ line: 0, date, reference, counterparty, description, documentId: id, type, flags, ...line });
      }
    }
  }
  return mergedRows.filter((row) => row.net_pence !== 0 || row.vat_pence !== 0);
}

const toKey = ({ kind, treatment }: Pick<ConnectedRow, 'kind' | 'treatment'>): string => `${kind} ${treatment}`;

function toDraft({ id, type, date, reference, counterparty, lines }: BooksDocument): DraftDocument {
  const sum = (member: 'net_pence' | 'vat_pence') => pence(lines.reduce((total, line) => total + line[member], 0));
  return { documentId: id, type, date, reference, counterparty, net_pence: sum('net_pence'), vat_pence: sum('vat_pence') };
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
