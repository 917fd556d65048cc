/** Maps Xero's tax rates to rules, by report type and side (decision 54; Xero's help "How does Xero populate the standard VAT Return?"). */
import type { BooksKind, Treatment } from '@portal/domain/books/books-row.ts';
import { parseDecimal, toBasisPoints } from '@portal/domain/connected-books/decimal-amount.ts';
import { VAT_ONLY_TREATMENTS } from '@portal/domain/connected-books/rate-answers.ts';
import type { RateAnswers } from '../connected-books/connected-books.ts';
import type { XeroTaxRateWire } from './xero-books-wire.ts';

/**
 * `rateBps`: the rate in basis points. `isSelfAccounted`: the supplier doesn't charge the VAT, so it may be missing from the line.
 * `isAllVat`: the line's whole amount is VAT.
 */
export type XeroTaxRule = {
  readonly kind: BooksKind;
  readonly treatment: Treatment;
  readonly rateBps: number;
  readonly isSelfAccounted?: boolean;
  readonly isAllVat?: boolean;
};

/** Keyed by tax type; undefined for a rate that can't be mapped with certainty. */
export type XeroTaxRules = ReadonlyMap<string, XeroTaxRule | undefined>;

export const XERO_NO_VAT: XeroTaxRule = { kind: 'purchase', treatment: 'no_vat', rateBps: 0 };

type RateMapping = { readonly kind: BooksKind; readonly treatment: Treatment } | 'by_rate_sale' | 'by_rate_purchase' | 'domestic' | 'none';

const MAPPING_BY_REPORT_TYPE: Readonly<Record<string, RateMapping>> = {
  OUTPUT: 'by_rate_sale',
  OUTPUT2: 'by_rate_sale',
  SALESOUTPUT: 'by_rate_sale',
  SROUTPUT: 'by_rate_sale',
  INPUT: 'by_rate_purchase',
  INPUT2: 'by_rate_purchase',
  PURCHASESINPUT: 'by_rate_purchase',
  SRINPUT: 'by_rate_purchase',
  ZERORATEDOUTPUT: { kind: 'sale', treatment: 'zero' },
  ZERORATEDINPUT: { kind: 'purchase', treatment: 'zero' },
  EXEMPTOUTPUT: { kind: 'sale', treatment: 'exempt' },
  EXEMPTINPUT: { kind: 'purchase', treatment: 'exempt' },
  EXEMPTEXPENSES: { kind: 'purchase', treatment: 'exempt' },
  CAPITALSALESOUTPUT: { kind: 'sale', treatment: 'capital' },
  CAPEXOUTPUT: { kind: 'sale', treatment: 'capital' },
  CAPITALEXPENSESINPUT: { kind: 'purchase', treatment: 'capital' },
  CAPITALEXINPUT: { kind: 'purchase', treatment: 'capital' },
  CAPEXINPUT: { kind: 'purchase', treatment: 'capital' },
  ECOUTPUT: { kind: 'sale', treatment: 'ni_dispatch' },
  ECOUTPUTSERVICES: { kind: 'sale', treatment: 'outside_uk' },
  MOSSSALES: { kind: 'sale', treatment: 'outside_uk' },
  ECINPUT: { kind: 'purchase', treatment: 'ni_acquisition' },
  ECACQUISITIONS: { kind: 'purchase', treatment: 'ni_acquisition' },
  REVERSECHARGES: { kind: 'purchase', treatment: 'imported_services' },
  GSTONIMPORTS: { kind: 'purchase', treatment: 'import_vat_paid' },
  DRCHARGE: 'domestic',
  DRCHARGESUPPLY: 'domestic',
  NONE: 'none',
  NONEOUTPUT: 'none',
  NONEINPUT: 'none',
  NOTREPORTED: 'none',
  BASEXCLUDED: 'none',
};

/**
 * Xero's own UK rates, for responses without a report type. Rates are the statutory ones in basis points, because real responses state 0
 * for acquisitions and reverse charges.
 */
const SYSTEM_TYPES: Readonly<Record<string, { readonly report: string; readonly rateBps: number }>> = {
  OUTPUT2: { report: 'OUTPUT', rateBps: 2_000 },
  INPUT2: { report: 'INPUT', rateBps: 2_000 },
  OUTPUT: { report: 'OUTPUT', rateBps: 1_750 },
  INPUT: { report: 'INPUT', rateBps: 1_750 },
  SROUTPUT: { report: 'OUTPUT', rateBps: 1_500 },
  SRINPUT: { report: 'INPUT', rateBps: 1_500 },
  RROUTPUT: { report: 'OUTPUT', rateBps: 500 },
  RRINPUT: { report: 'INPUT', rateBps: 500 },
  ZERORATEDOUTPUT: { report: 'ZERORATEDOUTPUT', rateBps: 0 },
  ZERORATEDINPUT: { report: 'ZERORATEDINPUT', rateBps: 0 },
  EXEMPTOUTPUT: { report: 'EXEMPTOUTPUT', rateBps: 0 },
  EXEMPTINPUT: { report: 'EXEMPTINPUT', rateBps: 0 },
  CAPEXOUTPUT2: { report: 'CAPITALSALESOUTPUT', rateBps: 2_000 },
  CAPEXINPUT2: { report: 'CAPITALEXPENSESINPUT', rateBps: 2_000 },
  CAPEXOUTPUT: { report: 'CAPITALSALESOUTPUT', rateBps: 1_750 },
  CAPEXINPUT: { report: 'CAPITALEXPENSESINPUT', rateBps: 1_750 },
  CAPEXSROUTPUT: { report: 'CAPITALSALESOUTPUT', rateBps: 1_500 },
  CAPEXSRINPUT: { report: 'CAPITALEXPENSESINPUT', rateBps: 1_500 },
  ECZROUTPUT: { report: 'ECOUTPUT', rateBps: 0 },
  ECZROUTPUTSERVICES: { report: 'ECOUTPUTSERVICES', rateBps: 0 },
  ECACQUISITIONS: { report: 'ECACQUISITIONS', rateBps: 2_000 },
  ECZRACQUISITIONS: { report: 'ECACQUISITIONS', rateBps: 0 },
  ECZRINPUT: { report: 'ECINPUT', rateBps: 0 },
  REVERSECHARGES: { report: 'REVERSECHARGES', rateBps: 2_000 },
  GSTONIMPORTS: { report: 'GSTONIMPORTS', rateBps: 0 },
  DRCHARGE20: { report: 'DRCHARGE', rateBps: 2_000 },
  DRCHARGE5: { report: 'DRCHARGE', rateBps: 500 },
  DRCHARGESUPPLY20: { report: 'DRCHARGESUPPLY', rateBps: 2_000 },
  DRCHARGESUPPLY5: { report: 'DRCHARGESUPPLY', rateBps: 500 },
  NONE: { report: 'NONE', rateBps: 0 },
};

/** Sales in the published table for the domestic reverse charge, for responses without `CanApplyToRevenue`. */
const DOMESTIC_SALE_TYPES: ReadonlySet<string> = new Set(['DRCHARGE20', 'DRCHARGE5']);
const STANDARD_BPS = 2_000;
const REDUCED_BPS = 500;
const STANDARD_RATE_TREATMENTS: ReadonlySet<Treatment> = new Set<Treatment>(['standard', 'capital']);
const SELF_ACCOUNTED_TREATMENTS: ReadonlySet<Treatment> = new Set<Treatment>([
  'imported_services',
  'ni_acquisition',
  'domestic_reverse_charge',
  'postponed_import_vat',
]);
/** Xero states 0 for these because the supplier doesn't charge anything; a custom rate's name then contains the rate. */
const HIDDEN_RATE_REPORT_TYPES: ReadonlySet<string> = new Set(['REVERSECHARGES', 'ECACQUISITIONS', 'DRCHARGE', 'DRCHARGESUPPLY']);
const POSTPONED_PATTERN = /postponed|\bPI?VA\b|\bPVAT\b/i;

/** `answers` apply only to rates that can't be mapped with certainty. */
export function mapXeroTaxRates(rates: readonly XeroTaxRateWire[], answers: RateAnswers = new Map()): XeroTaxRules {
  const rules = new Map<string, XeroTaxRule | undefined>();
  // Rates used on lines may be missing from the list, because Xero omits deleted ones.
  for (const taxType of Object.keys(SYSTEM_TYPES)) rules.set(taxType, mapRate({ TaxType: taxType }));
  for (const rate of rates) rules.set(rate.TaxType, mapRate(rate) ?? toAnsweredRule(answers.get(rate.TaxType), getRate(rate)));
  // Includes deleted custom rates, for which only the code is known.
  for (const [taxType, rateAnswer] of answers) if (!rules.has(taxType)) rules.set(taxType, toAnsweredRule(rateAnswer));
  return rules;
}

/** `listedBps`: the rate in Xero's list; undefined for a deleted rate, which then gets the rate for its treatment. */
function toAnsweredRule(rateAnswer: ReturnType<RateAnswers['get']>, listedBps?: number): XeroTaxRule | undefined {
  if (!rateAnswer) return undefined;
  const isSelfAccounted = rateAnswer.kind === 'purchase' && SELF_ACCOUNTED_TREATMENTS.has(rateAnswer.treatment);
  const rateBps =
    listedBps ?? (rateAnswer.treatment === 'reduced' ? REDUCED_BPS : STANDARD_RATE_TREATMENTS.has(rateAnswer.treatment) ? STANDARD_BPS : 0);
  const isAllVat = rateBps === 0 && VAT_ONLY_TREATMENTS.has(rateAnswer.treatment);
  const { kind, treatment, isZeroRated = false } = rateAnswer;
  return {
    kind,
    treatment,
    rateBps: isZeroRated ? 0 : rateBps || (isSelfAccounted ? STANDARD_BPS : 0),
    ...(isSelfAccounted ? { isSelfAccounted } : {}),
    ...(isAllVat ? { isAllVat } : {}),
  };
}

function mapRate(rate: XeroTaxRateWire): XeroTaxRule | undefined {
  const system = SYSTEM_TYPES[rate.TaxType];
  const rateBps = getRate(rate) || (system?.rateBps ?? 0);
  const mapping = MAPPING_BY_REPORT_TYPE[rate.ReportTaxType ?? ''] ?? MAPPING_BY_REPORT_TYPE[system?.report ?? ''];
  const isSale = mapping !== undefined && isSaleSide(rate, mapping);
  if (!isSale && !system && POSTPONED_PATTERN.test(rate.Name ?? '')) {
    const isZero = /\b0(?:\.0+)?\s*%|zero/i.test(rate.Name ?? '');
    return { kind: 'purchase', treatment: 'postponed_import_vat', rateBps: rateBps || (isZero ? 0 : STANDARD_BPS), isSelfAccounted: true };
  }
  if (mapping === undefined) return undefined;
  // A custom rate of 0% can stand for 20%, as Xero's own reverse charge does, or for zero-rated supplies, so a user must say which.
  if (!isSale && !system && rateBps === 0 && HIDDEN_RATE_REPORT_TYPES.has(rate.ReportTaxType ?? '')) return undefined;
  if (mapping === 'none') return XERO_NO_VAT;
  if (mapping === 'by_rate_sale') return { kind: 'sale', treatment: getTreatmentByRate(rateBps), rateBps };
  if (mapping === 'by_rate_purchase') return { kind: 'purchase', treatment: getTreatmentByRate(rateBps), rateBps };
  if (mapping === 'domestic') {
    return isSale
      ? { kind: 'sale', treatment: 'domestic_reverse_charge', rateBps: 0 }
      : { kind: 'purchase', treatment: 'domestic_reverse_charge', rateBps, isSelfAccounted: true };
  }
  return {
    ...mapping,
    rateBps,
    ...(SELF_ACCOUNTED_TREATMENTS.has(mapping.treatment) ? { isSelfAccounted: true } : {}),
    ...(mapping.treatment === 'import_vat_paid' ? { isAllVat: true } : {}),
  };
}

function isSaleSide(rate: XeroTaxRateWire, mapping: RateMapping): boolean {
  if (mapping === 'domestic') return rate.CanApplyToRevenue ?? DOMESTIC_SALE_TYPES.has(rate.TaxType);
  return mapping === 'by_rate_sale' || (typeof mapping === 'object' && mapping.kind === 'sale');
}

function getTreatmentByRate(rateBps: number): Treatment {
  if (rateBps === 0) return 'zero';
  return rateBps === REDUCED_BPS ? 'reduced' : 'standard';
}

/** Returns the first rate above zero that Xero states, because a self-accounted rate may appear in only one field. */
function getRate({ Name, ReportTaxType, EffectiveRate, DisplayTaxRate, TaxComponents }: XeroTaxRateWire): number {
  const components = (TaxComponents ?? []).map(({ Rate }) => readRate(Rate)).reduce((sum, rate) => sum + rate, 0);
  const statedRate = readRate(EffectiveRate) || readRate(DisplayTaxRate) || components;
  if (statedRate !== 0 || !HIDDEN_RATE_REPORT_TYPES.has(ReportTaxType ?? '')) return statedRate;
  return readRate(/(\d+(?:\.\d+)?)\s*%/.exec(Name ?? '')?.[1]);
}

function readRate(value: string | number | null | undefined): number {
  const decimal = value === null || value === undefined ? undefined : parseDecimal(value);
  return decimal === undefined ? 0 : toBasisPoints(decimal);
}
