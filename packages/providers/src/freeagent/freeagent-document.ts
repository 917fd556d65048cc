/** Mapping shared by FreeAgent's invoices, bills and bank entries. */
import type { BooksDocument, SettlementRule, Supplier } from '@portal/domain/connected-books/books-document.ts';
import { IN_STERLING, parseDecimal, type SterlingRate } from '@portal/domain/connected-books/decimal-amount.ts';
import type { Pence } from '@portal/domain/money.ts';
import { parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { RateAnswers, UnmappedRate, UnreadableDocument } from '../connected-books/connected-books.ts';
import { keepReadableDocuments, type ReadableFacts } from '../connected-books/unreadable-documents.ts';
import type { FreeAgentBillWire, FreeAgentInvoiceWire } from './freeagent-books-wire.ts';
import type { FreeAgentCategoryFinder } from './freeagent-categories.ts';
import { copySign, findFreeAgentFlags, type FreeAgentLine, toDocumentLines } from './freeagent-lines.ts';
import type { FreeAgentSettlements } from './freeagent-settlements.ts';
import { type AmountInput, readMinorUnits } from './freeagent-tax-map.ts';

export type FreeAgentMapping = {
  readonly currency: string;
  readonly findCategory: FreeAgentCategoryFinder;
  /** Keyed by the contact's URL. */
  readonly suppliers: ReadonlyMap<string, Supplier>;
  readonly settlements: FreeAgentSettlements;
  readonly answers: RateAnswers;
  /** Collects the questions of documents that count, by the document's id. */
  readonly unmapped: Map<string, UnmappedRate>;
  /** Collects the documents that can't be used. */
  readonly unreadable: UnreadableDocument[];
};
export type DocumentHead = Omit<BooksDocument, 'lines' | 'flags' | 'date'> & { readonly date: PlainDate | undefined };

const DRAFT_STATUSES: ReadonlySet<string> = new Set(['draft', 'scheduled to email']);
const GONE_STATUSES: ReadonlySet<string> = new Set(['cancelled', 'deleted']);

/** Returns undefined if the document can't be used. */
export function toDocument(
  head: DocumentHead,
  lines: readonly FreeAgentLine[],
  facts: Omit<ReadableFacts, 'program'>,
  { unreadable, unmapped }: FreeAgentMapping,
): BooksDocument | undefined {
  const question = lines.find(({ tax }) => tax.question)?.tax.question;
  if (question && head.status === 'final') unmapped.set(head.id, question);
  const document = { ...head, lines: toDocumentLines(lines, facts.rate ?? IN_STERLING), flags: findFreeAgentFlags(lines) };
  return keepReadableDocuments(document, { ...facts, program: 'freeagent' }, unreadable);
}

export function toDocumentHead(
  type: string,
  document: FreeAgentInvoiceWire | FreeAgentBillWire,
  status: BooksDocument['status'],
  settlementRule: SettlementRule,
): DocumentHead {
  return {
    id: document.url,
    type,
    reference: document.reference ?? '',
    counterparty: document.contact_name ?? document.contact ?? '',
    date: readDate(document.dated_on),
    status,
    settlementRule,
  };
}

export function findStatus(status: string | null | undefined): BooksDocument['status'] | undefined {
  const statusText = (status ?? '').toLowerCase();
  if (GONE_STATUSES.has(statusText)) return undefined;
  return DRAFT_STATUSES.has(statusText) ? 'draft' : 'final';
}

/** Returns the amount that settles the document in full: its total, less the CIS deduction that the customer pays to HMRC. */
export function getTotal(document: FreeAgentInvoiceWire | FreeAgentBillWire, lines: readonly FreeAgentLine[]): number {
  const chargedVat = lines.reduce((sum, { net, vat, tax }) => sum + net + (tax.isSelfAccounted ? 0 : vat), 0);
  const total = copySign(toOptionalMinorUnits(document.total_value) ?? chargedVat, chargedVat);
  return total - copySign(readMinorUnits(document.cis_deduction), total);
}

export function getSettlementRule(
  document: FreeAgentInvoiceWire | FreeAgentBillWire,
  total: number,
  { settlements }: FreeAgentMapping,
): SettlementRule {
  return settlements.find(document.url, total, document.paid_on);
}

export function getStatedVat({ sales_tax_value: value }: FreeAgentInvoiceWire | FreeAgentBillWire): number | undefined {
  return toOptionalMinorUnits(value);
}

/** FreeAgent's rate is how much of the company's currency one unit of the document's is worth. */
export function findRate(document: FreeAgentInvoiceWire | FreeAgentBillWire, { currency }: FreeAgentMapping): SterlingRate | undefined {
  if (!document.currency || document.currency === currency) return IN_STERLING;
  const rate = document.exchange_rate === null || document.exchange_rate === undefined ? undefined : parseDecimal(document.exchange_rate);
  return rate !== undefined && rate.units > 0n ? { times: rate } : undefined;
}

export function toOptionalMinorUnits(value: AmountInput): Pence | undefined {
  return value === null || value === undefined || value === '' ? undefined : readMinorUnits(value);
}

export function toOptionalSignedMinorUnits(value: AmountInput, signSource: number): Pence | undefined {
  const amount = toOptionalMinorUnits(value);
  return amount === undefined ? undefined : copySign(amount, signSource);
}

export function readDate(text: string | null | undefined): PlainDate | undefined {
  return parsePlainDate((text ?? '').slice(0, 10));
}
