/** FreeAgent's documents in our own terms (decision 54). */
import type { BooksKind } from '@portal/domain/books/books-row.ts';
import type { BooksDocument, Settling } from '@portal/domain/connected-books/books-document.ts';
import {
  IN_STERLING,
  multiplyDecimals,
  parseDecimal,
  type SterlingRate,
  subtractDecimals,
} from '@portal/domain/connected-books/decimal-amount.ts';
import { applyRate, pence, type Pence } from '@portal/domain/money.ts';
import { parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { ProviderError } from '../http/provider-error.ts';
import type {
  FreeAgentBillItemWire,
  FreeAgentBillWire,
  FreeAgentExpenseWire,
  FreeAgentExplanationWire,
  FreeAgentInvoiceItemWire,
  FreeAgentInvoiceWire,
} from './freeagent-books-wire.ts';
import type { FreeAgentCategoryFinder } from './freeagent-categories.ts';
import {
  findFreeAgentFlags,
  type FreeAgentLine,
  reconcileVat,
  splitGross,
  toDocumentLines,
  toMinor,
  withSignOf,
} from './freeagent-lines.ts';
import type { FreeAgentSettlements } from './freeagent-settlements.ts';
import { findFreeAgentTax, readDecimal, readRate } from './freeagent-tax-map.ts';

export type FreeAgentMapping = {
  readonly currency: string;
  readonly findCategory: FreeAgentCategoryFinder;
  readonly settlements: FreeAgentSettlements;
};
type Head = Omit<BooksDocument, 'lines' | 'flags'>;
type Amount = string | number | null | undefined;

const DRAFT_STATUSES: ReadonlySet<string> = new Set(['draft', 'scheduled to email']);
const GONE_STATUSES: ReadonlySet<string> = new Set(['cancelled', 'deleted']);
const ONE_HUNDRED = { units: 100n, scale: 0 };

export function mapFreeAgentInvoice(
  type: 'Invoice' | 'CreditNote',
  invoice: FreeAgentInvoiceWire,
  mapping: FreeAgentMapping,
): BooksDocument | undefined {
  const status = findStatus(invoice.status);
  if (status === undefined) return undefined;
  const items = invoice.invoice_items ?? invoice.credit_note_items ?? [];
  const stated = statedVat(invoice);
  const mapped = items.length > 0 ? items.map((item) => mapInvoiceItem(item, invoice, mapping)) : [mapWholeInvoice(invoice, mapping)];
  const lines = reconcileVat(mapped, stated === undefined ? undefined : pence(stated), false);
  // Credit notes are negative; one that states positive amounts is one all the same.
  const isPositiveCredit = type === 'CreditNote' && lines.reduce((sum, { net, vat }) => sum + net + vat, 0) > 0;
  const signed = isPositiveCredit ? lines.map((line) => ({ ...line, net: pence(-line.net), vat: pence(-line.vat) })) : lines;
  const total = findTotal(invoice, signed);
  return toDocument(toHead(type, invoice, status, findSettling(invoice, total, mapping)), signed, findRate(invoice, mapping));
}

function mapInvoiceItem(item: FreeAgentInvoiceItemWire, invoice: FreeAgentInvoiceWire, mapping: FreeAgentMapping): FreeAgentLine {
  const discount = subtractDecimals(ONE_HUNDRED, readDecimal(invoice.discount_percent));
  const exact = multiplyDecimals(multiplyDecimals(readDecimal(item.price), readDecimal(item.quantity)), discount);
  const amount = toMinor({ units: exact.units, scale: exact.scale + 2 });
  const category = mapping.findCategory(item.category);
  const rateBps = readRate(item.sales_tax_rate) ?? 0;
  const tax = findFreeAgentTax({
    kind: 'sale',
    ecStatus: invoice.ec_status,
    status: item.sales_tax_status ?? (invoice.involves_sales_tax === false ? 'OUT_OF_SCOPE' : undefined),
    rate: item.sales_tax_rate,
    hasVat: rateBps > 0,
    category,
    isCapital: category.isCapital,
  });
  // An item of the type VAT is an amount of VAT itself.
  if (item.item_type === 'VAT')
    return { tax: { ...tax, treatment: 'standard' }, net: pence(0), vat: amount, isManual: true, isEntertainment: false };
  return { tax, net: amount, vat: applyRate(amount, rateBps, 'half-away'), isEntertainment: false };
}

/** An invoice without items: its totals, at the rate that they show. */
function mapWholeInvoice(invoice: FreeAgentInvoiceWire, mapping: FreeAgentMapping): FreeAgentLine {
  const net = toMinor(readDecimal(invoice.net_value));
  const vat = pence(statedVat(invoice) ?? 0);
  const tax = findFreeAgentTax({
    kind: 'sale',
    ecStatus: invoice.ec_status,
    status: vat === 0 && invoice.involves_sales_tax === false ? 'OUT_OF_SCOPE' : 'TAXABLE',
    rate: undefined,
    hasVat: vat !== 0,
    category: mapping.findCategory(undefined),
    isCapital: false,
  });
  return { tax, net, vat, isManual: true, isEntertainment: false };
}

export function mapFreeAgentBill(bill: FreeAgentBillWire, mapping: FreeAgentMapping): BooksDocument | undefined {
  const status = findStatus(bill.status);
  if (status === undefined) return undefined;
  const total = toMinor(readDecimal(bill.total_value));
  const rate = findRate(bill, mapping);
  const items: readonly FreeAgentBillItemWire[] = bill.bill_items?.length ? bill.bill_items : [toOnlyItem(bill)];
  const stated = statedVat(bill);
  const mapped = items.map((item) => mapBillItem(item, bill, rate, mapping));
  const lines = reconcileVat(mapped, stated === undefined ? undefined : withSignOf(stated, total), true);
  return toDocument(toHead('Bill', bill, status, findSettling(bill, findTotal(bill, lines), mapping)), lines, rate);
}

/** A bill without items is one item with its totals. */
function toOnlyItem(bill: FreeAgentBillWire): FreeAgentBillItemWire {
  const net = readDecimal(bill.net_value);
  const total = toMinor(readDecimal(bill.total_value));
  const exTax = bill.net_value === null || bill.net_value === undefined ? undefined : withSignOf(toMinor(net), total) / 100;
  return { total_value: bill.total_value, total_value_ex_tax: exTax, sales_tax_value: bill.sales_tax_value, category: bill.category };
}

function mapBillItem(item: FreeAgentBillItemWire, bill: FreeAgentBillWire, rate: SterlingRate, mapping: FreeAgentMapping): FreeAgentLine {
  const category = mapping.findCategory(item.category);
  const exTax = optionalMinor(item.total_value_ex_tax);
  const gross = optionalMinor(item.total_value) ?? exTax ?? pence(0);
  // FreeAgent states a typed amount in the company's currency, and everything else in the bill's.
  const manual = optionalMinor(item.manual_sales_tax_amount);
  const isManual = manual !== undefined;
  const vat = isManual ? fromSterling(manual, rate) : optionalMinor(item.sales_tax_value);
  const tax = findFreeAgentTax({
    kind: 'purchase',
    ecStatus: bill.ec_status,
    status: item.sales_tax_status,
    rate: item.sales_tax_rate,
    hasVat: vat !== undefined && vat !== 0,
    category,
    isCapital: category.isCapital || Boolean(item.capital_asset),
  });
  const hasStatedNet = optionalMinor(item.total_value) !== undefined ? exTax : undefined;
  const facts = {
    gross: hasStatedNet === undefined && exTax !== undefined ? addVat(exTax, tax.isSelfAccounted ? 0 : (tax.rateBps ?? 0)) : gross,
    net: tax.isSelfAccounted || isManual ? undefined : exTax,
    vat: vat === undefined ? undefined : withSignOf(vat, gross),
    second: signedOptional(item.second_sales_tax_value, gross),
    secondRateBps: readRate(item.second_sales_tax_rate),
    isManual,
  };
  return { tax, ...splitGross(facts, tax), isEntertainment: category.isEntertainment };
}

/** Costs of an expense are negative; its native amounts are in sterling already. */
export function mapFreeAgentExpense(expense: FreeAgentExpenseWire, mapping: FreeAgentMapping): BooksDocument {
  const gross = pence(-toMinor(readDecimal(expense.native_gross_value ?? expense.gross_value)));
  const reference = expense.receipt_reference ?? expense.description ?? '';
  return mapCost(expense, gross, expense.native_sales_tax_value ?? expense.sales_tax_value, 'purchase', mapping, {
    id: expense.url,
    type: 'Expense',
    reference,
    counterparty: expense.user ?? '',
    date: readDate(expense.dated_on, 'expenses'),
    status: 'final',
    settling: 'on_date',
  });
}

/** Undefined for entries that only move money: payments of invoices and bills, transfers, and payments to people without a category. */
export function mapFreeAgentExplanation(explanation: FreeAgentExplanationWire, mapping: FreeAgentMapping): BooksDocument | undefined {
  const { paid_invoice: invoice, paid_bill: bill, transfer_bank_account: transfer, paid_user: user, category, type } = explanation;
  if (invoice || bill || transfer || (user && !category) || /transfer/i.test(type ?? '')) return undefined;
  const amount = toMinor(readDecimal(explanation.gross_value));
  const kind = findKind(explanation, amount, mapping);
  const gross = kind === 'sale' ? amount : pence(-amount);
  return mapCost(explanation, gross, explanation.sales_tax_value, kind, mapping, {
    id: explanation.url,
    type: 'BankEntry',
    reference: explanation.receipt_reference ?? explanation.description ?? '',
    counterparty: '',
    date: readDate(explanation.dated_on, 'bank_transaction_explanations'),
    status: explanation.marked_for_review === true ? 'draft' : 'final',
    settling: 'on_date',
  });
}

/** The category decides, because money in on a cost is a supplier's refund; without one, the direction of the money does. */
function findKind(
  { category, disposed_asset: disposed, capital_asset: bought }: FreeAgentExplanationWire,
  amount: Pence,
  mapping: FreeAgentMapping,
): BooksKind {
  if (disposed) return 'sale';
  const { side, isCapital } = mapping.findCategory(category);
  if (bought) return 'purchase';
  return side ?? (isCapital || amount < 0 ? 'purchase' : 'sale');
}

function mapCost(
  cost: FreeAgentExpenseWire | FreeAgentExplanationWire,
  gross: Pence,
  statedVatValue: Amount,
  kind: BooksKind,
  mapping: FreeAgentMapping,
  head: Head,
): BooksDocument {
  const category = mapping.findCategory(cost.category);
  const isManual = cost.manual_sales_tax_amount !== null && cost.manual_sales_tax_amount !== undefined;
  const vat = signedOptional(statedVatValue ?? cost.manual_sales_tax_amount, gross);
  const tax = findFreeAgentTax({
    kind,
    ecStatus: cost.ec_status,
    status: cost.sales_tax_status,
    rate: cost.sales_tax_rate,
    hasVat: vat !== undefined && vat !== 0,
    category,
    isCapital: category.isCapital || Boolean(cost.capital_asset) || ('disposed_asset' in cost && Boolean(cost.disposed_asset)),
  });
  const second = signedOptional(cost.second_sales_tax_value, gross);
  const facts = { gross, vat, second, secondRateBps: readRate(cost.second_sales_tax_rate), isManual };
  return toDocument(head, [{ tax, ...splitGross(facts, tax), isEntertainment: category.isEntertainment }], IN_STERLING);
}

function toDocument(head: Head, lines: readonly FreeAgentLine[], rate: SterlingRate): BooksDocument {
  return { ...head, lines: toDocumentLines(lines, rate), flags: findFreeAgentFlags(lines) };
}

function toHead(
  type: string,
  document: FreeAgentInvoiceWire | FreeAgentBillWire,
  status: BooksDocument['status'],
  settling: Settling,
): Head {
  return {
    id: document.url,
    type,
    reference: document.reference ?? '',
    counterparty: document.contact_name ?? document.contact ?? '',
    date: readDate(document.dated_on, type),
    status,
    settling,
  };
}

function findStatus(status: string | null | undefined): BooksDocument['status'] | undefined {
  const text = (status ?? '').toLowerCase();
  if (GONE_STATUSES.has(text)) return undefined;
  return DRAFT_STATUSES.has(text) ? 'draft' : 'final';
}

/** What settles the document in full: its total, less the CIS deduction that the customer pays to HMRC. */
function findTotal(document: FreeAgentInvoiceWire | FreeAgentBillWire, lines: readonly FreeAgentLine[]): number {
  const charged = lines.reduce((sum, { net, vat, tax }) => sum + net + (tax.isSelfAccounted ? 0 : vat), 0);
  const total = withSignOf(optionalMinor(document.total_value) ?? charged, charged);
  return total - withSignOf(toMinor(readDecimal(document.cis_deduction)), total);
}

function findSettling(document: FreeAgentInvoiceWire | FreeAgentBillWire, total: number, { settlements }: FreeAgentMapping): Settling {
  return settlements.find(document.url, total, document.paid_on);
}

function statedVat({ sales_tax_value: value }: FreeAgentInvoiceWire | FreeAgentBillWire): number | undefined {
  return optionalMinor(value);
}

/** FreeAgent's rate is the amount of the company's currency for one unit of the document's. */
function findRate(document: FreeAgentInvoiceWire | FreeAgentBillWire, { currency }: FreeAgentMapping): SterlingRate {
  if (!document.currency || document.currency === currency) return IN_STERLING;
  const rate = document.exchange_rate === null || document.exchange_rate === undefined ? undefined : parseDecimal(document.exchange_rate);
  if (rate !== undefined && rate.units > 0n) return { times: rate };
  const detail = `unreadable answer: exchange_rate of ${document.reference ?? document.url} in ${document.currency}`;
  throw new ProviderError('unavailable', { provider: 'freeagent', operation: 'freeagent.exchange_rate', detail });
}

/** From sterling into the document's currency. */
function fromSterling(amount: Pence, rate: SterlingRate): Pence {
  if (!('times' in rate) || rate === IN_STERLING) return amount;
  return toMinor({ units: (BigInt(amount) * 10n ** BigInt(rate.times.scale + 6)) / rate.times.units, scale: 8 });
}

function addVat(net: Pence, rateBps: number): Pence {
  return pence(net + applyRate(net, rateBps, 'half-away'));
}

function optionalMinor(value: Amount): Pence | undefined {
  return value === null || value === undefined || value === '' ? undefined : toMinor(readDecimal(value));
}

function signedOptional(value: Amount, like: number): Pence | undefined {
  const amount = optionalMinor(value);
  return amount === undefined ? undefined : withSignOf(amount, like);
}

function readDate(text: string, resource: string): PlainDate {
  const date = parsePlainDate(text.slice(0, 10));
  if (date !== undefined) return date;
  throw new ProviderError('unavailable', {
    provider: 'freeagent',
    operation: `freeagent.${resource}`,
    detail: 'unreadable answer: dated_on',
  });
}
