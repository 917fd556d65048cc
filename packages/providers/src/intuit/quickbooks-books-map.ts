/** Maps QuickBooks' documents to domain terms (decision 54). */
import type { BooksKind } from '@portal/domain/books/books-row.ts';
import type { BooksDocument, DocumentFlag, DocumentLine, Supplier } from '@portal/domain/connected-books/books-document.ts';
import { IN_STERLING, parseDecimal, type SterlingRate, toSterlingPence } from '@portal/domain/connected-books/decimal-amount.ts';
import { applyRate, pence, type Pence } from '@portal/domain/money.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import type { UnmappedRate, UnreadableDocument } from '../connected-books/connected-books.ts';
import { keepReadableDocuments } from '../connected-books/unreadable-documents.ts';
import type { QuickBooksDocumentType } from './quickbooks-books-client.ts';
import type { QuickBooksDocumentWire, QuickBooksLineWire } from './quickbooks-books-wire.ts';
import { type CodeGroup, mapTaxLines, readAmount, toSignedPence } from './quickbooks-tax-lines.ts';
import type { QuickBooksTaxRule, QuickBooksTaxRules } from './quickbooks-tax-map.ts';

export type QuickBooksMapping = {
  readonly rules: QuickBooksTaxRules;
  /** Keyed by the supplier's id. */
  readonly suppliers: ReadonlyMap<string, Supplier>;
  readonly unmapped: Map<string, UnmappedRate>;
  readonly unreadable: UnreadableDocument[];
};

/** The document being mapped, with the id its unmapped rates are recorded under. */
type RatedDocument = { readonly id: string; readonly wire: QuickBooksDocumentWire; readonly rate: SterlingRate };

/** A line with a tax code. `sign` is its effect on the boxes for its side. */
type TaxedLine = {
  readonly codeId: string;
  readonly side: BooksKind;
  readonly sign: 1 | -1;
  readonly amount: QuickBooksLineWire['Amount'];
  readonly tax: QuickBooksLineWire['Amount'];
  readonly hasInclusiveAmount: boolean;
  readonly account: string;
};

const SIDES: Readonly<Partial<Record<QuickBooksDocumentType, readonly [side: BooksKind, sign: 1 | -1]>>> = {
  Invoice: ['sale', 1],
  SalesReceipt: ['sale', 1],
  CreditMemo: ['sale', -1],
  RefundReceipt: ['sale', -1],
  Bill: ['purchase', 1],
  Purchase: ['purchase', 1],
  VendorCredit: ['purchase', -1],
};
/** VAT may differ from the rate because individual lines are rounded. */
const RATE_TOLERANCE_PENCE = 5;

/** Returns undefined for documents that don't count (voided ones, and journals and deposits without a tax code) or can't be used. */
export function mapQuickBooksDocument(
  type: QuickBooksDocumentType,
  wire: QuickBooksDocumentWire,
  mapping: QuickBooksMapping,
): BooksDocument | undefined {
  if (isVoided(wire)) return undefined;
  const taxedLines = wire.GlobalTaxCalculation === 'NotApplicable' ? [] : listTaxedLines(type, wire);
  const side = SIDES[type];
  if (!side && taxedLines.length === 0) return undefined;
  const rate = findRate(wire);
  const document = { id: `${type} ${wire.Id}`, wire, rate: rate ?? IN_STERLING };
  const lines = side ? mapBySide(document, taxedLines, side, mapping) : mapEachLine(document, taxedLines, mapping);
  const mappedDocument = {
    id: document.id,
    type,
    reference: wire.DocNumber ?? '',
    counterparty: (wire.CustomerRef ?? wire.VendorRef ?? wire.EntityRef)?.name ?? '',
    date: parsePlainDate((wire.TxnDate ?? '').slice(0, 10)),
    status: 'final',
    lines,
    settlementRule: 'on_date',
    supplier: findSupplier(wire, mapping),
    flags: findFlags(lines, taxedLines, mapping),
  } as const;
  return keepReadableDocuments(mappedDocument, { program: 'quickbooks', rate, currency: wire.CurrencyRef?.value }, mapping.unreadable);
}

function findSupplier({ VendorRef, EntityRef }: QuickBooksDocumentWire, { suppliers }: QuickBooksMapping): Supplier | undefined {
  const isVendor = EntityRef?.type === 'Vendor';
  return suppliers.get(VendorRef?.value ?? (isVendor ? EntityRef.value : ''));
}

/** QuickBooks keeps a voided document with amounts of 0 and says so in its note. */
function isVoided({ status, TotalAmt, PrivateNote }: QuickBooksDocumentWire): boolean {
  if (status === 'Voided' || status === 'Deleted') return true;
  return /^\s*void/i.test(PrivateNote ?? '') && readAmount(TotalAmt).units === 0n;
}

function listTaxedLines(type: QuickBooksDocumentType, { Line, Credit }: QuickBooksDocumentWire): TaxedLine[] {
  const [documentSide, documentSign] = SIDES[type] ?? (['sale', 1] as const);
  const sign = Credit === true ? -1 : documentSign;
  return (Line ?? [])
    .flatMap((line) => [line, ...(line.GroupLineDetail?.Line ?? [])])
    .flatMap((line): TaxedLine[] => {
      const journal = line.JournalEntryLineDetail;
      const detail =
        line.SalesItemLineDetail ??
        line.AccountBasedExpenseLineDetail ??
        line.ItemBasedExpenseLineDetail ??
        line.DepositLineDetail ??
        line.DiscountLineDetail;
      const codeId = (journal ?? detail)?.TaxCodeRef?.value;
      if (!codeId) return [];
      const lineFields = { codeId, amount: line.Amount, account: (journal ?? detail)?.AccountRef?.name ?? '' };
      if (journal) return [{ ...lineFields, ...getJournalSide(journal), tax: journal.TaxAmount, hasInclusiveAmount: true }];
      const isDeposit = line.DepositLineDetail !== null && line.DepositLineDetail !== undefined;
      const side = isDeposit && detail?.TaxApplicableOn === 'Purchase' ? 'purchase' : documentSide;
      const isDiscount = line.DiscountLineDetail !== null && line.DiscountLineDetail !== undefined;
      // A deposit for a purchase is a refund from the supplier; a discount reduces the document.
      const isReversed = (isDeposit && side === 'purchase') !== isDiscount;
      const hasInclusiveAmount = detail?.TaxInclusiveAmt !== null && detail?.TaxInclusiveAmt !== undefined;
      return [{ ...lineFields, side, sign: isReversed ? flipSign(sign) : sign, tax: undefined, hasInclusiveAmount }];
    });
}

/** Credits for sales and debits for purchases increase the boxes. */
function getJournalSide({
  PostingType,
  TaxApplicableOn,
}: {
  readonly PostingType?: string | null | undefined;
  readonly TaxApplicableOn?: string | null | undefined;
}): Pick<TaxedLine, 'side' | 'sign'> {
  const isCredit = PostingType === 'Credit';
  const side = TaxApplicableOn === 'Sales' || (TaxApplicableOn !== 'Purchase' && isCredit) ? 'sale' : 'purchase';
  return { side, sign: isCredit === (side === 'sale') ? 1 : -1 };
}

function flipSign(sign: 1 | -1): 1 | -1 {
  return sign === 1 ? -1 : 1;
}

/** Maps documents with a single side, whose tax lines are authoritative. */
function mapBySide(
  document: RatedDocument,
  taxedLines: readonly TaxedLine[],
  [side, documentSign]: readonly [BooksKind, 1 | -1],
  mapping: QuickBooksMapping,
): DocumentLine[] {
  const { wire, rate } = document;
  const sign = wire.Credit === true ? -1 : documentSign;
  const groups = new Map<QuickBooksTaxRule, CodeGroup>();
  for (const line of taxedLines) {
    const rule = findRule(line, document, mapping);
    if (!rule) continue;
    const existing = groups.get(rule);
    const amount = pence((existing?.amount ?? 0) + toSignedPence(line.amount, line.sign, rate));
    const isGross = wire.GlobalTaxCalculation === 'TaxInclusive' && !line.hasInclusiveAmount;
    groups.set(rule, { rule, amount, isGross });
  }
  const taxLines = wire.GlobalTaxCalculation === 'NotApplicable' ? [] : (wire.TxnTaxDetail?.TaxLine ?? []);
  return mapTaxLines([...groups.values()], taxLines, { side, sign, rate, rules: mapping.rules });
}

/** Maps journals and deposits, in which each line has its own side and sign. */
function mapEachLine(document: RatedDocument, taxedLines: readonly TaxedLine[], mapping: QuickBooksMapping): DocumentLine[] {
  const { rate } = document;
  return taxedLines.flatMap((line): DocumentLine[] => {
    const rule = findRule(line, document, mapping);
    if (!rule) return [];
    const net_pence = toSignedPence(line.amount, line.sign, rate);
    const { kind, treatment } = rule;
    const isOnlyOne = taxedLines.filter(({ codeId, side }) => codeId === line.codeId && side === line.side).length === 1;
    const magnitude = findTax(line, rule, isOnlyOne, document) ?? Math.abs(applyRate(net_pence, rule.rateBps, 'half-away'));
    // An adjustment consists entirely of VAT, as does import VAT at 0%.
    if (rule.isAllVat || treatment === 'adjustment_output' || treatment === 'adjustment_input') {
      return [{ kind, treatment, net_pence: pence(0), vat_pence: magnitude === 0 ? net_pence : pence(Math.sign(net_pence) * magnitude) }];
    }
    return [{ kind, treatment, net_pence, vat_pence: pence(net_pence < 0 ? -magnitude : magnitude) }];
  });
}

/** Returns the absolute VAT that the document states for a line; undefined if it doesn't state any. */
function findTax(
  { tax }: TaxedLine,
  { rateIds }: QuickBooksTaxRule,
  isOnlyOne: boolean,
  { wire: { TxnTaxDetail }, rate }: RatedDocument,
): number | undefined {
  if (tax !== null && tax !== undefined) return Math.abs(toSterlingPence(readAmount(tax), rate)) || undefined;
  if (!isOnlyOne) return undefined;
  const codeTaxLines = (TxnTaxDetail?.TaxLine ?? []).filter(({ TaxLineDetail }) =>
    rateIds.includes(TaxLineDetail?.TaxRateRef?.value ?? ''),
  );
  const largestTax = Math.max(0, ...codeTaxLines.map(({ Amount }) => Math.abs(toSterlingPence(readAmount(Amount), rate))));
  return largestTax || undefined;
}

function findRule(
  { codeId, side }: TaxedLine,
  { id }: RatedDocument,
  { rules, unmapped }: QuickBooksMapping,
): QuickBooksTaxRule | undefined {
  const rule = rules.find(codeId, side);
  if (rule) return rule;
  const name = rules.nameOf(codeId);
  unmapped.set(id, {
    code: `${side} ${codeId}`,
    subject: name,
    reason: `We can’t tell which boxes the VAT code “${name}” belongs in on a ${side}. On documents that use it, replace it with one of QuickBooks’ own codes.`,
  });
  return undefined;
}

function findFlags(lines: readonly DocumentLine[], taxedLines: readonly TaxedLine[], { rules }: QuickBooksMapping): DocumentFlag[] {
  const flags: DocumentFlag[] = [];
  const rates = new Map<string, number>();
  for (const { codeId, side } of taxedLines) {
    const rule = rules.find(codeId, side);
    if (rule) rates.set(`${rule.kind} ${rule.treatment}`, Math.max(rates.get(`${rule.kind} ${rule.treatment}`) ?? 0, rule.rateBps));
  }
  const isWrong = ({ kind, treatment, net_pence, vat_pence }: DocumentLine): boolean => {
    const rateBps = rates.get(`${kind} ${treatment}`);
    const hasRate = treatment === 'standard' || treatment === 'reduced';
    return hasRate && rateBps !== undefined && isDifferent(applyRate(net_pence, rateBps, 'half-away'), vat_pence);
  };
  if (lines.some(isWrong)) flags.push('rate_mismatch');
  const isClaimed = ({ account, codeId, side }: TaxedLine): boolean =>
    /entertain/i.test(account) && side === 'purchase' && (rules.find(codeId, side)?.rateBps ?? 0) > 0;
  if (taxedLines.some(isClaimed)) flags.push('entertainment');
  return flags;
}

function isDifferent(expected: Pence, actual: Pence): boolean {
  return Math.abs(expected - actual) > RATE_TOLERANCE_PENCE;
}

/** QuickBooks' rate is how much of the home currency one unit of the foreign currency is worth. */
function findRate({ CurrencyRef, ExchangeRate }: QuickBooksDocumentWire): SterlingRate | undefined {
  if (!CurrencyRef || CurrencyRef.value === 'GBP') return IN_STERLING;
  const rate = ExchangeRate === null || ExchangeRate === undefined ? undefined : parseDecimal(ExchangeRate);
  return rate === undefined || rate.units <= 0n ? undefined : { times: rate };
}
