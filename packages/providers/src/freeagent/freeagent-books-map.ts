/** Maps FreeAgent's invoices, expenses and bank entries to domain terms (decision 54). */
import type { BooksKind } from '@portal/domain/books/books-row.ts';
import type { BooksDocument } from '@portal/domain/connected-books/books-document.ts';
import { IN_STERLING, multiplyDecimals, subtractDecimals } from '@portal/domain/connected-books/decimal-amount.ts';
import { applyRate, pence, type Pence } from '@portal/domain/money.ts';
import type { ReadableFacts } from '../connected-books/unreadable-documents.ts';
import type {
  FreeAgentExpenseWire,
  FreeAgentExplanationWire,
  FreeAgentInvoiceItemWire,
  FreeAgentInvoiceWire,
} from './freeagent-books-wire.ts';
import {
  type FreeAgentMapping,
  type DocumentHead,
  findRate,
  getSettlementRule,
  findStatus,
  getTotal,
  readDate,
  toOptionalSignedMinorUnits,
  getStatedVat,
  toDocument,
  toDocumentHead,
} from './freeagent-document.ts';
import { type FreeAgentLine, reconcileVat, splitGross, toMinor } from './freeagent-lines.ts';
import { findFreeAgentTax, type AmountInput, type FreeAgentTaxFacts, readDecimal, readMinorUnits, readRate } from './freeagent-tax-map.ts';

const ONE_HUNDRED = { units: 100n, scale: 0 };
/** Entries have amounts in their bank account's currency, and no rate (dev.freeagent.com/docs/bank_transaction_explanations). */
const ADVICE_ON_BANK_ENTRIES = 'Upload a file of your VAT transactions instead.';

type CostFacts = {
  readonly gross: Pence;
  readonly vat: AmountInput;
  readonly kind: BooksKind;
  readonly facts: Omit<ReadableFacts, 'program'>;
};

export function mapFreeAgentInvoice(
  type: 'Invoice' | 'CreditNote',
  invoice: FreeAgentInvoiceWire,
  mapping: FreeAgentMapping,
): BooksDocument | undefined {
  const status = findStatus(invoice.status);
  if (status === undefined) return undefined;
  const items = invoice.invoice_items ?? invoice.credit_note_items ?? [];
  const statedVat = getStatedVat(invoice);
  const mappedItems = items.length > 0 ? items.map((item) => mapInvoiceItem(item, invoice, mapping)) : [mapWholeInvoice(invoice, mapping)];
  // An item's rate isn't charged if the invoice has no VAT, for example under the reverse charge.
  const mappedLines = statedVat === 0 ? mappedItems.map((line) => ({ ...line, vat: pence(0) })) : mappedItems;
  const lines = reconcileVat(mappedLines, statedVat === undefined ? undefined : pence(statedVat), false);
  // Credit notes are normally negative, but one that states positive amounts is still a credit note.
  const isPositiveCredit = type === 'CreditNote' && lines.reduce((sum, { net, vat }) => sum + net + vat, 0) > 0;
  const signedLines = isPositiveCredit ? lines.map((line) => ({ ...line, net: pence(-line.net), vat: pence(-line.vat) })) : lines;
  const total = getTotal(invoice, signedLines);
  const facts = { rate: findRate(invoice, mapping), currency: invoice.currency };
  return toDocument(toDocumentHead(type, invoice, status, getSettlementRule(invoice, total, mapping)), signedLines, facts, mapping);
}

function mapInvoiceItem(item: FreeAgentInvoiceItemWire, invoice: FreeAgentInvoiceWire, mapping: FreeAgentMapping): FreeAgentLine {
  const discount = subtractDecimals(ONE_HUNDRED, readDecimal(invoice.discount_percent));
  const exactAmount = multiplyDecimals(multiplyDecimals(readDecimal(item.price), readDecimal(item.quantity)), discount);
  const amount = toMinor({ units: exactAmount.units, scale: exactAmount.scale + 2 });
  const category = mapping.findCategory(item.category);
  const rateBps = readRate(item.sales_tax_rate) ?? 0;
  const facts: FreeAgentTaxFacts = {
    kind: 'sale',
    ecStatus: invoice.ec_status,
    status: item.sales_tax_status ?? (invoice.involves_sales_tax === false ? 'OUT_OF_SCOPE' : undefined),
    rate: item.sales_tax_rate,
    hasVat: rateBps > 0,
    category,
    isCapital: category.isCapital,
  };
  const tax = findFreeAgentTax(facts, mapping.answers);
  // An item of type VAT is an amount of VAT itself.
  if (item.item_type === 'VAT')
    return { tax: { ...tax, treatment: 'standard' }, net: pence(0), vat: amount, isManual: true, isEntertainment: false };
  return { tax, net: amount, vat: applyRate(amount, rateBps, 'half-away'), isEntertainment: false };
}

/** Maps an invoice without items by its totals, at the rate they imply. */
function mapWholeInvoice(invoice: FreeAgentInvoiceWire, mapping: FreeAgentMapping): FreeAgentLine {
  const net = readMinorUnits(invoice.net_value);
  const vat = pence(getStatedVat(invoice) ?? 0);
  const facts: FreeAgentTaxFacts = {
    kind: 'sale',
    ecStatus: invoice.ec_status,
    status: vat === 0 && invoice.involves_sales_tax === false ? 'OUT_OF_SCOPE' : 'TAXABLE',
    rate: undefined,
    hasVat: vat !== 0,
    category: mapping.findCategory(undefined),
    isCapital: false,
  };
  const tax = findFreeAgentTax(facts, mapping.answers);
  return { tax, net, vat, isManual: true, isEntertainment: false };
}

/** Costs in an expense are negative; its native amounts are already in sterling. */
export function mapFreeAgentExpense(expense: FreeAgentExpenseWire, mapping: FreeAgentMapping): BooksDocument | undefined {
  const gross = pence(-readMinorUnits(expense.native_gross_value ?? expense.gross_value));
  const reference = expense.receipt_reference ?? expense.description ?? '';
  const isNative = expense.native_gross_value !== null && expense.native_gross_value !== undefined;
  const facts = isNative ? { rate: IN_STERLING, currency: undefined } : toFacts(expense.currency, mapping);
  return mapCost(expense, { gross, vat: expense.native_sales_tax_value ?? expense.sales_tax_value, kind: 'purchase', facts }, mapping, {
    id: expense.url,
    type: 'Expense',
    reference,
    counterparty: expense.user ?? '',
    date: readDate(expense.dated_on),
    status: 'final',
    settlementRule: 'on_date',
  });
}

/** Returns undefined for entries that only move money: payments for invoices and bills, transfers, and payments without a category. */
export function mapFreeAgentExplanation(explanation: FreeAgentExplanationWire, mapping: FreeAgentMapping): BooksDocument | undefined {
  const { paid_invoice: invoice, paid_bill: bill, transfer_bank_account: transfer, paid_user: user, category, type } = explanation;
  const head: DocumentHead = {
    id: explanation.url,
    type: 'BankEntry',
    reference: explanation.receipt_reference ?? explanation.description ?? '',
    counterparty: '',
    date: readDate(explanation.dated_on),
    status: explanation.marked_for_review === true ? 'draft' : 'final',
    settlementRule: 'on_date',
  };
  // A payment without a date doesn't settle anything.
  if ((invoice || bill) && !head.date) return toDocument(head, [], { rate: IN_STERLING, currency: undefined }, mapping);
  if (invoice || bill || transfer || (user && !category) || /transfer/i.test(type ?? '')) return undefined;
  const amount = readMinorUnits(explanation.gross_value);
  const kind = getKind(explanation, amount, mapping);
  const gross = kind === 'sale' ? amount : pence(-amount);
  const facts = { ...toFacts(explanation.account_currency, mapping), adviceOnRate: ADVICE_ON_BANK_ENTRIES };
  return mapCost(explanation, { gross, vat: explanation.sales_tax_value, kind, facts }, mapping, head);
}

/** The category decides, because money in for a cost is a supplier's refund; without a category, the direction of the payment decides. */
function getKind(
  { category, disposed_asset: disposedAsset, capital_asset: boughtAsset }: FreeAgentExplanationWire,
  amount: Pence,
  mapping: FreeAgentMapping,
): BooksKind {
  if (disposedAsset) return 'sale';
  const { side, isCapital } = mapping.findCategory(category);
  if (boughtAsset) return 'purchase';
  return side ?? (isCapital || amount < 0 ? 'purchase' : 'sale');
}

/** FreeAgent gives no exchange rate for these amounts, so a foreign currency has no rate. */
function toFacts(currency: string | null | undefined, mapping: FreeAgentMapping): CostFacts['facts'] {
  return { rate: !currency || currency === mapping.currency ? IN_STERLING : undefined, currency };
}

function mapCost(
  cost: FreeAgentExpenseWire | FreeAgentExplanationWire,
  { gross, vat: statedVat, kind, facts }: CostFacts,
  mapping: FreeAgentMapping,
  head: DocumentHead,
): BooksDocument | undefined {
  const category = mapping.findCategory(cost.category);
  const isManual = cost.manual_sales_tax_amount !== null && cost.manual_sales_tax_amount !== undefined;
  const vat = toOptionalSignedMinorUnits(statedVat ?? cost.manual_sales_tax_amount, gross);
  const taxFacts: FreeAgentTaxFacts = {
    kind,
    ecStatus: cost.ec_status,
    status: cost.sales_tax_status,
    rate: cost.sales_tax_rate,
    hasVat: vat !== undefined && vat !== 0,
    category,
    isCapital: category.isCapital || Boolean(cost.capital_asset) || ('disposed_asset' in cost && Boolean(cost.disposed_asset)),
  };
  const tax = findFreeAgentTax(taxFacts, mapping.answers);
  const second = toOptionalSignedMinorUnits(cost.second_sales_tax_value, gross);
  const amounts = { gross, vat, second, secondRateBps: readRate(cost.second_sales_tax_rate), isManual };
  return toDocument(head, [{ tax, ...splitGross(amounts, tax), isEntertainment: category.isEntertainment }], facts, mapping);
}
