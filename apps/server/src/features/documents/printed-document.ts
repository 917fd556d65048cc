/** A document for the trader, as data. write-pdf.ts converts it to a PDF. */
import type { Instant } from '@portal/domain/clock.ts';
import type { Site } from '../../app-deps.ts';

export type PrintedDocument = {
  readonly brand: string;
  readonly title: string;
  /** The line under the title: the company and the period. */
  readonly lead: string;
  /** One sentence for the document's properties. */
  readonly subject: string;
  /** Derived from the stored facts, so that the same facts always give the same file. */
  readonly createdAt: Instant;
  readonly blocks: readonly DocumentBlock[];
  /** Shown at the bottom of each page. */
  readonly footer: string;
};

export type DocumentColumn = {
  readonly title: string;
  /** The column's share of the width; all shares add up to the full width. */
  readonly share: number;
  readonly align?: 'right';
};

export type DocumentTable = {
  readonly kind: 'table';
  readonly columns: readonly DocumentColumn[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly isTotal?: boolean }[];
  /** Omits the header row: the first cell of each row is its header. */
  readonly hidesHeader?: boolean;
};

export type DocumentBlock =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string; readonly tone?: 'quiet' }
  | DocumentTable;

export const createHeading = (text: string): DocumentBlock => ({ kind: 'heading', text });
export const createParagraph = (text: string): DocumentBlock => ({ kind: 'paragraph', text });
export const createMutedParagraph = (text: string): DocumentBlock => ({ kind: 'paragraph', text, tone: 'quiet' });

/** Returns labels with their values. Each label is a row header. */
export function createFacts(rows: readonly (readonly [name: string, value: string])[]): DocumentBlock {
  const columns = [
    { title: 'Item', share: 0.36 },
    { title: 'Detail', share: 0.64 },
  ];
  return { kind: 'table', columns, rows: rows.map((cells) => ({ cells })), hidesHeader: true };
}

/** Returns labels with right-aligned amounts. A total is visually separated. */
export function createAmounts(rows: readonly (readonly [name: string, amount: string, kind?: 'total'])[]): DocumentBlock {
  const columns: DocumentColumn[] = [
    { title: 'Item', share: 0.7 },
    { title: 'Amount', share: 0.3, align: 'right' },
  ];
  return {
    kind: 'table',
    columns,
    rows: rows.map(([name, amount, kind]) => ({ cells: [name, amount], isTotal: kind === 'total' })),
    hidesHeader: true,
  };
}

/** Returns the footer of every document: who we are and how to reach us. */
export function describeSender({ brand, contact }: Pick<Site, 'brand' | 'contact'>): string {
  return [brand, contact.address, contact.email, contact.phone].filter((part) => part !== undefined).join(' · ');
}
