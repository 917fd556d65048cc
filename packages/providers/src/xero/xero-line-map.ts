/** Maps one line of a Xero document to our treatments and to sterling. */
import type { DocumentFlag, DocumentLine } from '@portal/domain/connected-books/books-document.ts';
import {
  addDecimals,
  type Decimal,
  negateDecimal,
  parseDecimal,
  type SterlingRate,
  subtractDecimals,
  toSterlingPence,
  ZERO_DECIMAL,
} from '@portal/domain/connected-books/decimal-amount.ts';
import { applyRate, pence, type Pence } from '@portal/domain/money.ts';
import { findBoxRule } from '@portal/domain/vat-returns/treatment-table.ts';
import type { XeroLineWire } from './xero-books-wire.ts';
import { XERO_NO_VAT, type XeroTaxRule, type XeroTaxRules } from './xero-tax-map.ts';

type AmountInput = string | number | null | undefined;

/** `direction` 1: money comes in (sales invoice, receipt, supplier's credit note), -1: money goes out. */
export type XeroLineContext = {
  readonly direction: 1 | -1;
  readonly amountTypes: string | null | undefined;
  readonly rate: SterlingRate;
  readonly rules: XeroTaxRules;
  readonly entertainmentAccounts: ReadonlySet<string>;
  /** Whether, on documents that include tax, the line's amount includes self-accounted VAT. */
  readonly containsSelfAccounted: boolean;
};

export type MappedLine = { readonly line: DocumentLine; readonly flags: readonly DocumentFlag[] };

/** A line's VAT may differ from the rate because its parts are rounded. */
const RATE_TOLERANCE_PENCE = 5;

export function readAmount(value: AmountInput): Decimal {
  if (value === null || value === undefined) return ZERO_DECIMAL;
  return parseDecimal(value) ?? ZERO_DECIMAL;
}

/** Returns the rule for a line's rate; undefined if it can't be mapped. Lines without a rate, such as text lines, have no VAT. */
export function findRule({ TaxType }: Pick<XeroLineWire, 'TaxType'>, context: Pick<XeroLineContext, 'amountTypes' | 'rules'>) {
  if (context.amountTypes === 'NoTax' || TaxType === null || TaxType === undefined || TaxType === '') return XERO_NO_VAT;
  return context.rules.get(TaxType);
}

export function mapXeroLine(line: XeroLineWire, rule: XeroTaxRule, context: XeroLineContext): MappedLine {
  const { net, vat } = readNetAndVat(line, rule, context);
  // A sale is money in and a purchase is money out; the reverse of either is a refund.
  const sign = (rule.kind === 'sale' ? 1 : -1) * context.direction;
  const toSignedPence = (amount: Decimal) => toSterlingPence(sign > 0 ? amount : negateDecimal(amount), context.rate);
  const net_pence = toSignedPence(net);
  const statedVat = toSignedPence(vat);
  const vat_pence = rule.isSelfAccounted && statedVat === 0 ? applyRate(net_pence, rule.rateBps, 'half-away') : statedVat;
  const mappedLine = { kind: rule.kind, treatment: rule.treatment, net_pence, vat_pence };
  return { line: mappedLine, flags: findFlags(mappedLine, rule, line, context) };
}

function readNetAndVat(line: XeroLineWire, rule: XeroTaxRule, { amountTypes, containsSelfAccounted }: XeroLineContext) {
  const amount = readAmount(line.LineAmount);
  const tax = readAmount(line.TaxAmount);
  if (rule.isAllVat) {
    // Xero doesn't show tax on such a line, because its whole amount is the import VAT.
    const isWhole = tax.units === 0n || subtractDecimals(amount, tax).units === 0n;
    if (isWhole) return { net: ZERO_DECIMAL, vat: amount };
  }
  const isInclusive = amountTypes === 'Inclusive' && (!rule.isSelfAccounted || containsSelfAccounted);
  return { net: isInclusive ? subtractDecimals(amount, tax) : amount, vat: tax };
}

/**
 * Returns true if the subtotal of a document that includes tax omits self-accounted VAT. If there's no subtotal, the line's rule applies.
 */
export function detectSelfAccountedInSubTotal(
  lines: readonly XeroLineWire[],
  amountTypes: string | null | undefined,
  subTotal: AmountInput,
): boolean {
  if (amountTypes !== 'Inclusive' || subTotal === null || subTotal === undefined) return true;
  const net = lines.reduce(
    (sum, line) => addDecimals(sum, subtractDecimals(readAmount(line.LineAmount), readAmount(line.TaxAmount))),
    ZERO_DECIMAL,
  );
  return subtractDecimals(net, readAmount(subTotal)).units === 0n;
}

function findFlags(line: DocumentLine, rule: XeroTaxRule, wire: XeroLineWire, context: XeroLineContext): DocumentFlag[] {
  const hasVat = (findBoxRule(line.kind, line.treatment)?.vat.length ?? 0) > 0;
  const expectedVat = applyRate(line.net_pence, rule.rateBps, 'half-away');
  const flags: DocumentFlag[] = [];
  if (hasVat && !rule.isAllVat && isDifferent(expectedVat, line.vat_pence)) flags.push('rate_mismatch');
  const claims = line.kind === 'purchase' && line.vat_pence !== 0;
  if (claims && context.entertainmentAccounts.has(wire.AccountCode ?? '')) flags.push('entertainment');
  return flags;
}

function isDifferent(expected: Pence, actual: Pence): boolean {
  return Math.abs(pence(expected - actual)) > RATE_TOLERANCE_PENCE;
}
