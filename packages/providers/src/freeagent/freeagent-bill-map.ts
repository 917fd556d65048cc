/** Maps FreeAgent's bills to domain terms (decision 54). */
import type { BooksDocument } from '@portal/domain/connected-books/books-document.ts';
import { IN_STERLING, type SterlingRate } from '@portal/domain/connected-books/decimal-amount.ts';
import { applyRate, pence, type Pence } from '@portal/domain/money.ts';
import type { FreeAgentBillItemWire, FreeAgentBillWire } from './freeagent-books-wire.ts';
import {
  type FreeAgentMapping,
  findRate,
  getSettlementRule,
  findStatus,
  getTotal,
  toOptionalMinorUnits,
  toOptionalSignedMinorUnits,
  getStatedVat,
  toDocument,
  toDocumentHead,
} from './freeagent-document.ts';
import { copySign, type FreeAgentLine, reconcileVat, splitGross, toMinor } from './freeagent-lines.ts';
import { findFreeAgentTax, type FreeAgentTaxFacts, readMinorUnits, readRate } from './freeagent-tax-map.ts';

export function mapFreeAgentBill(bill: FreeAgentBillWire, mapping: FreeAgentMapping): BooksDocument | undefined {
  const status = findStatus(bill.status);
  if (status === undefined) return undefined;
  const total = readMinorUnits(bill.total_value);
  const rate = findRate(bill, mapping);
  const items: readonly FreeAgentBillItemWire[] = bill.bill_items?.length ? bill.bill_items : [toOnlyItem(bill)];
  const statedVat = getStatedVat(bill);
  const mappedItems = items.map((item) => mapBillItem(item, bill, rate ?? IN_STERLING, mapping));
  const lines = reconcileVat(mappedItems, statedVat === undefined ? undefined : copySign(statedVat, total), true);
  // Goods on hire purchase are outside cash accounting (VAT Notice 731 section 2).
  const settlementRule = bill.is_paid_by_hire_purchase === true ? 'on_date' : getSettlementRule(bill, getTotal(bill, lines), mapping);
  const head = { ...toDocumentHead('Bill', bill, status, settlementRule), supplier: mapping.suppliers.get(bill.contact ?? '') };
  return toDocument(head, lines, { rate, currency: bill.currency }, mapping);
}

/** A bill without items becomes a single item with the bill's totals. */
function toOnlyItem(bill: FreeAgentBillWire): FreeAgentBillItemWire {
  const total = readMinorUnits(bill.total_value);
  const netAmount =
    bill.net_value === null || bill.net_value === undefined ? undefined : copySign(readMinorUnits(bill.net_value), total) / 100;
  return { total_value: bill.total_value, total_value_ex_tax: netAmount, sales_tax_value: bill.sales_tax_value, category: bill.category };
}

function mapBillItem(item: FreeAgentBillItemWire, bill: FreeAgentBillWire, rate: SterlingRate, mapping: FreeAgentMapping): FreeAgentLine {
  const category = mapping.findCategory(item.category);
  const netAmount = toOptionalMinorUnits(item.total_value_ex_tax);
  const gross = toOptionalMinorUnits(item.total_value) ?? netAmount ?? pence(0);
  // FreeAgent states a manually entered amount in the company's currency, and all others in the bill's.
  const manualVat = toOptionalMinorUnits(item.manual_sales_tax_amount);
  const isManual = manualVat !== undefined;
  const vat = isManual ? convertFromSterling(manualVat, rate) : toOptionalMinorUnits(item.sales_tax_value);
  const taxFacts: FreeAgentTaxFacts = {
    kind: 'purchase',
    ecStatus: bill.ec_status,
    status: item.sales_tax_status,
    rate: item.sales_tax_rate,
    hasVat: vat !== undefined && vat !== 0,
    category,
    isCapital: category.isCapital || Boolean(item.capital_asset),
  };
  const tax = findFreeAgentTax(taxFacts, mapping.answers);
  const hasTotal = toOptionalMinorUnits(item.total_value) !== undefined;
  const facts = {
    gross: hasTotal || netAmount === undefined ? gross : addVat(netAmount, tax.isSelfAccounted ? 0 : (tax.rateBps ?? 0)),
    net: isManual && hasTotal ? undefined : (netAmount ?? (tax.isSelfAccounted ? findOnlyNet(bill, gross) : undefined)),
    vat: vat === undefined ? undefined : copySign(vat, gross),
    second: toOptionalSignedMinorUnits(item.second_sales_tax_value, gross),
    secondRateBps: readRate(item.second_sales_tax_rate),
    isManual,
  };
  return { tax, ...splitGross(facts, tax), isEntertainment: category.isEntertainment };
}

/** Returns the net amount that a bill with one item states. */
function findOnlyNet({ bill_items: items, net_value: net }: FreeAgentBillWire, gross: Pence): Pence | undefined {
  return (items?.length ?? 0) === 1 ? toOptionalSignedMinorUnits(net, gross) : undefined;
}

/** Converts an amount in sterling to the document's currency. */
function convertFromSterling(amount: Pence, rate: SterlingRate): Pence {
  if (!('times' in rate) || rate === IN_STERLING) return amount;
  return toMinor({ units: (BigInt(amount) * 10n ** BigInt(rate.times.scale + 6)) / rate.times.units, scale: 8 });
}

function addVat(net: Pence, rateBps: number): Pence {
  return pence(net + applyRate(net, rateBps, 'half-away'));
}
