/**
 * Calculates a QuickBooks document's net and VAT amounts by tax code, from its tax lines, or from its own lines if a code has no tax line.
 */
import type { BooksKind } from '@portal/domain/books/books-row.ts';
import type { DocumentLine } from '@portal/domain/connected-books/books-document.ts';
import {
  type Decimal,
  negateDecimal,
  parseDecimal,
  type SterlingRate,
  toSterlingPence,
  ZERO_DECIMAL,
} from '@portal/domain/connected-books/decimal-amount.ts';
import { allocate } from '@portal/domain/allocate.ts';
import { applyRate, calculateShare, pence, type Pence, ZERO } from '@portal/domain/money.ts';
import type { QuickBooksTaxLineWire } from './quickbooks-books-wire.ts';
import type { QuickBooksTaxRule, QuickBooksTaxRules } from './quickbooks-tax-map.ts';

type AmountInput = string | number | null | undefined;

/** The lines for one tax code on one side, in pence, with the sign of their effect on the boxes. */
export type CodeGroup = { readonly rule: QuickBooksTaxRule; readonly amount: Pence; readonly isGross: boolean };

export type TaxLineContext = {
  readonly side: BooksKind;
  /** -1 for credits and refunds. */
  readonly sign: 1 | -1;
  readonly rate: SterlingRate;
  readonly rules: QuickBooksTaxRules;
};

type FoundAmounts = { net: Pence | undefined; vat: Pence; largestVat: Pence };

export function readAmount(value: AmountInput): Decimal {
  if (value === null || value === undefined) return ZERO_DECIMAL;
  return parseDecimal(value) ?? ZERO_DECIMAL;
}

export function toSignedPence(value: AmountInput, sign: 1 | -1, rate: SterlingRate): Pence {
  const amount = readAmount(value);
  return toSterlingPence(sign > 0 ? amount : negateDecimal(amount), rate);
}

export function mapTaxLines(
  groups: readonly CodeGroup[],
  taxLines: readonly QuickBooksTaxLineWire[],
  context: TaxLineContext,
): DocumentLine[] {
  const foundRules = new Map<QuickBooksTaxRule, FoundAmounts>();
  for (const taxLine of taxLines) addTaxLine(foundRules, groups, taxLine, context);
  const lines = groups.map(({ rule, amount, isGross }) => {
    const statedAmounts = foundRules.get(rule);
    foundRules.delete(rule);
    return statedAmounts ? toStatedLine(rule, statedAmounts, amount, isGross) : toComputedLine(rule, amount, isGross);
  });
  // Tax lines whose code doesn't appear on any line, such as adjustments.
  return [...lines, ...[...foundRules].map(([rule, statedAmounts]) => toStatedLine(rule, statedAmounts, ZERO, false))];
}

function addTaxLine(
  amountsByRule: Map<QuickBooksTaxRule, FoundAmounts>,
  groups: readonly CodeGroup[],
  { Amount, TaxLineDetail }: QuickBooksTaxLineWire,
  { side, sign, rate, rules }: TaxLineContext,
): void {
  const rateId = TaxLineDetail?.TaxRateRef?.value ?? '';
  const vat = toSignedPence(Amount, sign, rate);
  const hasNet = TaxLineDetail?.NetAmountTaxable !== null && TaxLineDetail?.NetAmountTaxable !== undefined;
  const net = hasNet ? toSignedPence(TaxLineDetail.NetAmountTaxable, sign, rate) : undefined;
  const owners = groups.filter(({ rule }) => rule.rateIds.includes(rateId));
  const [first] = owners;
  if (!first) {
    const rule = rules.findByRate(rateId, side);
    if (rule && (vat !== 0 || net !== 0)) addAmounts(amountsByRule, rule, net, vat);
    return;
  }
  if (owners.length === 1) return addAmounts(amountsByRule, first.rule, net, vat);
  // Codes that share a rate also share its tax line, in proportion to their net amounts.
  const weights = owners.map(({ amount }) => Math.abs(amount));
  const parts = weights.some((weight) => weight > 0) ? allocate(vat, weights) : owners.map((_, index) => (index === 0 ? vat : ZERO));
  for (const [index, { rule }] of owners.entries()) addAmounts(amountsByRule, rule, undefined, parts[index] ?? ZERO);
}

function addAmounts(
  amountsByRule: Map<QuickBooksTaxRule, FoundAmounts>,
  rule: QuickBooksTaxRule,
  net: Pence | undefined,
  vat: Pence,
): void {
  const entry = amountsByRule.get(rule) ?? { net: undefined, vat: ZERO, largestVat: ZERO };
  // Each rate in a reverse charge states the same net amount.
  if (net !== undefined && (entry.net === undefined || Math.abs(net) > Math.abs(entry.net))) entry.net = net;
  entry.vat = pence(entry.vat + vat);
  if (Math.abs(vat) > Math.abs(entry.largestVat)) entry.largestVat = vat;
  amountsByRule.set(rule, entry);
}

function toStatedLine(rule: QuickBooksTaxRule, { net, vat, largestVat }: FoundAmounts, amount: Pence, isGross: boolean): DocumentLine {
  const net_pence = net ?? (isGross && !rule.isSelfAccounted ? pence(amount - vat) : amount);
  const { kind, treatment } = rule;
  if (rule.isAllVat && vat === 0) return { kind, treatment, net_pence: ZERO, vat_pence: net_pence };
  if (!rule.isSelfAccounted) return { kind, treatment, net_pence, vat_pence: vat };
  // Two rates that cancel out add up to zero; the VAT to account for is either of them, with the sign of the net amount.
  const magnitude = Math.abs(largestVat) || Math.abs(applyRate(net_pence, rule.rateBps, 'half-away'));
  return { kind, treatment, net_pence, vat_pence: pence(net_pence < 0 ? -magnitude : magnitude) };
}

function toComputedLine(rule: QuickBooksTaxRule, amount: Pence, isGross: boolean): DocumentLine {
  const { kind, treatment, rateBps, isSelfAccounted } = rule;
  if (rule.isAllVat) return { kind, treatment, net_pence: ZERO, vat_pence: amount };
  if (isGross && !isSelfAccounted) {
    const vat_pence = calculateShare(amount, rateBps, 10_000 + rateBps, 'half-away');
    return { kind, treatment, net_pence: pence(amount - vat_pence), vat_pence };
  }
  return { kind, treatment, net_pence: amount, vat_pence: applyRate(amount, rateBps, 'half-away') };
}
