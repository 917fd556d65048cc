/** Maps Xero's documents to domain terms (decision 54). */
import type { BooksDocument, DocumentFlag, DocumentLine, SettlementRule, Supplier } from '@portal/domain/connected-books/books-document.ts';
import { IN_STERLING, parseDecimal, type SterlingRate } from '@portal/domain/connected-books/decimal-amount.ts';
import { pence } from '@portal/domain/money.ts';
import type { UnmappedRate, UnreadableDocument } from '../connected-books/connected-books.ts';
import { keepReadableDocuments } from '../connected-books/unreadable-documents.ts';
import type {
  XeroAccountWire,
  XeroBankTransactionWire,
  XeroCreditNoteWire,
  XeroInvoiceWire,
  XeroLineWire,
  XeroManualJournalWire,
  XeroOverpaymentWire,
  XeroPrepaymentWire,
} from './xero-books-wire.ts';
import { readXeroDate } from './xero-date.ts';
import { detectSelfAccountedInSubTotal, findRule, mapXeroLine, readAmount } from './xero-line-map.ts';
import { getAmountToSettle, type XeroSettlements } from './xero-settlements.ts';
import type { XeroTaxRules } from './xero-tax-map.ts';

type XeroDocument = XeroInvoiceWire | XeroCreditNoteWire | XeroBankTransactionWire | XeroPrepaymentWire | XeroOverpaymentWire;
type DocumentHead = Pick<BooksDocument, 'id' | 'type' | 'reference' | 'counterparty' | 'settlementRule'> &
  Pick<BooksDocument, 'reversals' | 'supplier'>;

const FINAL_STATUSES: ReadonlySet<string> = new Set(['AUTHORISED', 'PAID', 'POSTED']);
const DRAFT_STATUSES: ReadonlySet<string> = new Set(['DRAFT', 'SUBMITTED']);

/** `unmapped` collects the ids of documents with a rate that can't be mapped, `unreadable` the documents that can't be used. */
export type XeroMapping = {
  readonly rules: XeroTaxRules;
  readonly rateNames: ReadonlyMap<string, string>;
  readonly baseCurrency: string;
  readonly entertainmentAccounts: ReadonlySet<string>;
  /** Keyed by contact id. */
  readonly suppliers: ReadonlyMap<string, Supplier>;
  readonly settlements: XeroSettlements;
  readonly unmapped: Map<string, UnmappedRate>;
  readonly unreadable: UnreadableDocument[];
};

/** Returns accounts for entertainment, whose VAT can't be claimed (VAT Notice 700/65). */
export function findEntertainmentAccounts(accounts: readonly XeroAccountWire[]): ReadonlySet<string> {
  return new Set(accounts.filter(({ Name }) => /entertain/i.test(Name ?? '')).map(({ Code }) => Code ?? ''));
}

export function mapXeroInvoice(invoice: XeroInvoiceWire, mapping: XeroMapping): BooksDocument | undefined {
  if (invoice.Status === 'PAID') mapping.settlements.addRemainder(invoice.InvoiceID, getAmountToSettle(invoice), invoice.FullyPaidOnDate);
  const settlementRule = { total: getAmountToSettle(invoice), settlements: mapping.settlements.list(invoice.InvoiceID) };
  return mapDocument(invoice, mapping, invoice.Type === 'ACCREC' ? 1 : -1, {
    ...toDocumentHead(invoice.InvoiceID, invoice.InvoiceNumber ?? invoice.Reference, invoice, mapping),
    settlementRule,
  });
}

export function mapXeroCreditNote(note: XeroCreditNoteWire, mapping: XeroMapping): BooksDocument | undefined {
  if (note.Status === 'PAID') mapping.settlements.addRemainder(note.CreditNoteID, getAmountToSettle(note), note.FullyPaidOnDate);
  const settlementRule = { total: getAmountToSettle(note), settlements: mapping.settlements.list(note.CreditNoteID) };
  return mapDocument(note, mapping, note.Type === 'ACCRECCREDIT' ? -1 : 1, {
    ...toDocumentHead(note.CreditNoteID, note.CreditNoteNumber ?? note.Reference, note, mapping),
    settlementRule,
  });
}

/** Returns undefined for transfers, and for prepayments and overpayments that are read separately (`knownIds`). */
export function mapXeroBankTransaction(
  transaction: XeroBankTransactionWire,
  mapping: XeroMapping,
  knownIds: ReadonlySet<string>,
): BooksDocument | undefined {
  const { Type: type, PrepaymentID, OverpaymentID } = transaction;
  if (type.endsWith('-TRANSFER') || knownIds.has(PrepaymentID ?? OverpaymentID ?? '')) return undefined;
  return mapDocument(transaction, mapping, type.startsWith('RECEIVE') ? 1 : -1, {
    ...toDocumentHead(transaction.BankTransactionID, transaction.Reference, transaction, mapping),
    settlementRule: 'on_date',
  });
}

/**
 * A prepayment counts on its own date; each allocation or refund is reversed on its own date. An overpayment is treated the same way,
 * although it rarely has VAT.
 */
export function mapXeroAdvancePayment(payment: XeroPrepaymentWire | XeroOverpaymentWire, mapping: XeroMapping): BooksDocument | undefined {
  const id = 'PrepaymentID' in payment ? payment.PrepaymentID : payment.OverpaymentID;
  const settlements = mapping.settlements.list(id);
  const isIn = payment.Type.startsWith('RECEIVE') || payment.Type.startsWith('AR');
  return mapDocument(payment, mapping, isIn ? 1 : -1, {
    ...toDocumentHead(id, 'InvoiceNumber' in payment ? (payment.InvoiceNumber ?? payment.Reference) : payment.Reference, payment, mapping),
    settlementRule: 'on_date',
    ...(settlements.length === 0 ? {} : { reversals: { total: getAmountToSettle(payment), settlements } }),
  });
}

/** Debits are positive. On cash accounting, only journals that are shown in Xero's cash basis reports count. */
export function mapXeroJournal(journal: XeroManualJournalWire, mapping: XeroMapping): BooksDocument | undefined {
  const settlementRule: SettlementRule = journal.ShowOnCashBasisReports === false ? { total: 1, settlements: [] } : 'on_date';
  const lines = (journal.JournalLines ?? []).map((line) => ({
    ...line,
    TaxAmount: copySign(line.TaxAmount, line.LineAmount),
    UnitAmount: null,
    Quantity: null,
  }));
  const document = { ...journal, Type: 'JOURNAL', LineItems: lines, Contact: null, SubTotal: null, CurrencyCode: null, CurrencyRate: null };
  // A debit is money out: with direction -1, a debit with a purchase rate is a purchase, and a credit with an income rate a sale.
  return mapDocument(document, mapping, -1, {
    id: journal.ManualJournalID,
    type: 'ManualJournal',
    reference: journal.Narration ?? '',
    counterparty: '',
    settlementRule,
  });
}

function toDocumentHead(
  id: string,
  reference: string | null | undefined,
  { Type: type, Contact: contact }: XeroDocument,
  { suppliers }: XeroMapping,
) {
  return { id, type, reference: reference ?? '', counterparty: contact?.Name ?? '', supplier: suppliers.get(contact?.ContactID ?? '') };
}

type MappableDocument = Pick<
  XeroDocument,
  'Status' | 'Date' | 'DateString' | 'LineAmountTypes' | 'LineItems' | 'SubTotal' | 'CurrencyCode' | 'CurrencyRate'
>;

function mapDocument(document: MappableDocument, mapping: XeroMapping, direction: 1 | -1, head: DocumentHead): BooksDocument | undefined {
  const status = findStatus(document.Status);
  if (status === undefined) return undefined;
  const rate = findRate(document, mapping.baseCurrency);
  const wireLines = document.LineItems ?? [];
  const context = {
    direction,
    amountTypes: document.LineAmountTypes,
    rate: rate ?? IN_STERLING,
    rules: mapping.rules,
    entertainmentAccounts: mapping.entertainmentAccounts,
    containsSelfAccounted: detectSelfAccountedInSubTotal(wireLines, document.LineAmountTypes, document.SubTotal),
  };
  const lines: DocumentLine[] = [];
  const flags = new Set<DocumentFlag>();
  for (const wireLine of wireLines) {
    const rule = findRule(wireLine, context);
    if (rule === undefined) {
      // Drafts don't count, so the user doesn't have to decide on their rates.
      if (status === 'final') mapping.unmapped.set(head.id, describeUnmappedRate(wireLine, mapping));
      continue;
    }
    const mappedLine = mapXeroLine(wireLine, rule, context);
    lines.push(mappedLine.line);
    for (const flag of mappedLine.flags) flags.add(flag);
  }
  const date = readXeroDate(document.Date) ?? readXeroDate(document.DateString);
  const mappedDocument = { ...head, date, status, lines: mergeLines(lines), flags: [...flags] };
  return keepReadableDocuments(mappedDocument, { program: 'xero', rate, currency: document.CurrencyCode }, mapping.unreadable);
}

function findStatus(status: string | null | undefined): BooksDocument['status'] | undefined {
  // Bank transactions and older responses may not have a status; all documents in the list then count.
  if (status === null || status === undefined || FINAL_STATUSES.has(status)) return 'final';
  return DRAFT_STATUSES.has(status) ? 'draft' : undefined;
}

/** Xero's rate is how much of the foreign currency one unit of the organisation's is worth. */
function findRate({ CurrencyCode, CurrencyRate }: MappableDocument, baseCurrency: string): SterlingRate | undefined {
  if (!CurrencyCode || CurrencyCode === baseCurrency) return IN_STERLING;
  const rate = CurrencyRate === null || CurrencyRate === undefined ? undefined : parseDecimal(CurrencyRate);
  return rate === undefined || rate.units <= 0n ? undefined : { dividedBy: rate };
}

function describeUnmappedRate({ TaxType }: XeroLineWire, { rateNames }: XeroMapping): UnmappedRate {
  const name = rateNames.get(TaxType ?? '');
  return {
    code: TaxType ?? '',
    subject: name ?? TaxType ?? 'tax rate',
    reason: `We can’t tell which boxes the tax rate “${name ?? TaxType}” belongs in. On documents that use it, replace it with one of Xero’s own rates.`,
  };
}

function copySign(amount: XeroLineWire['TaxAmount'], signSource: XeroLineWire['LineAmount']): string {
  const { units, scale } = readAmount(amount);
  const magnitude = units < 0n ? -units : units;
  const digits = magnitude.toString().padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return readAmount(signSource).units < 0n ? `-${text}` : text;
}

/** Returns one line for each kind and treatment, because only their sums matter and a year of documents is kept in memory. */
function mergeLines(lines: readonly DocumentLine[]): DocumentLine[] {
  const mergedLines = new Map<string, DocumentLine>();
  for (const line of lines) {
    const key = `${line.kind} ${line.treatment}`;
    const existing = mergedLines.get(key);
    mergedLines.set(
      key,
      existing
        ? { ...line, net_pence: pence(existing.net_pence + line.net_pence), vat_pence: pence(existing.vat_pence + line.vat_pence) }
        : line,
    );
  }
  return [...mergedLines.values()];
}
