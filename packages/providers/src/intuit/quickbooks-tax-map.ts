/**
 * Maps QuickBooks' tax codes to rules, based on the side of their rate lists and on their rates (decision 54; Intuit's help "VAT codes in
 * QuickBooks Online" and "Record Postponed VAT Accounting (PVA) transactions").
 */
import type { BooksKind, Treatment } from '@portal/domain/books/books-row.ts';
import { parseDecimal, toBasisPoints } from '@portal/domain/connected-books/decimal-amount.ts';
import { isAnswerPossible, VAT_ONLY_TREATMENTS } from '@portal/domain/connected-books/rate-answers.ts';
import type { RateAnswers } from '../connected-books/connected-books.ts';
import type { QuickBooksAgencyWire, QuickBooksTaxCodeWire, QuickBooksTaxRateWire } from './quickbooks-books-wire.ts';

/** `rateIds`: the code's rates on this side, used to find its tax lines. `isAllVat`: the line's whole amount is VAT. */
export type QuickBooksTaxRule = {
  readonly kind: BooksKind;
  readonly treatment: Treatment;
  readonly rateBps: number;
  readonly isSelfAccounted: boolean;
  readonly isAllVat?: boolean;
  readonly rateIds: readonly string[];
};

export type QuickBooksTaxRules = {
  /** Returns the rule for a code on a side; undefined if it can't be mapped with certainty. */
  find(codeId: string, side: BooksKind): QuickBooksTaxRule | undefined;
  /** Returns a code that has the rate on a side, for tax lines whose code doesn't appear on any line. */
  findByRate(rateId: string, side: BooksKind): QuickBooksTaxRule | undefined;
  nameOf(codeId: string): string;
};

type Facts = {
  readonly side: BooksKind;
  readonly rateBps: number;
  readonly isCancelling: boolean;
  readonly isZeroRate: boolean;
};

const POSTPONED_PATTERN = /\bPVAT?\b|\bPI?VA\b|postponed/i;
const DOMESTIC_PATTERN = /\bCIS\b|MPCC|domestic|construction|mobile phone|computer chip|\bDRC\b/i;
const EU_GOODS_PATTERN = /\bECG\b|\bE[CU] goods|acquisition|northern ireland|\bNI\b/i;
const EU_SERVICES_PATTERN = /\bECS\b|\bE[CU] services/i;
const REVERSE_CHARGE_PATTERN = /\bRC\b|reverse[ -]charge/i;
/** A code with one rate is self-accounted only if its name contains these words. */
const SELF_ACCOUNTED_PATTERN = new RegExp(`${POSTPONED_PATTERN.source}|${REVERSE_CHARGE_PATTERN.source}|\\bDRC\\b|\\bEC[GS]\\b`, 'i');
/** QuickBooks may use this id instead of a number for its own code for lines without VAT. */
const NO_VAT_PATTERN = /\bno[ -]?vat\b|out(?:side)? (?:of )?(?:the )?scope|\bNOTAXS\b/i;
const EXEMPT_PATTERN = /exempt/i;
const ZERO = /\bZ\b|zero[ -]rate/i;
const REDUCED_BPS = 500;

/** `answers` (by side and code) apply only to codes that can't be mapped with certainty. */
export function mapQuickBooksTaxCodes(
  codes: readonly QuickBooksTaxCodeWire[],
  rates: readonly QuickBooksTaxRateWire[],
  agencies: readonly QuickBooksAgencyWire[],
  answers: RateAnswers = new Map(),
): QuickBooksTaxRules {
  const ratesById = new Map(rates.map((rate) => [rate.Id, rate]));
  const ukAgencies = new Set(agencies.filter(isUkAgency).map(({ Id }) => Id));
  const ruleBySide = new Map<string, QuickBooksTaxRule>();
  const ruleByRate = new Map<string, QuickBooksTaxRule>();
  for (const code of codes) {
    for (const side of ['sale', 'purchase'] as const) {
      const list = side === 'sale' ? code.SalesTaxRateList : code.PurchaseTaxRateList;
      const rateIds = (list?.TaxRateDetail ?? []).map(({ TaxRateRef }) => TaxRateRef?.value ?? '');
      const ownRates = rateIds.flatMap((id) => ratesById.get(id) ?? []);
      const rule = mapCode(code, side, ownRates, ukAgencies) ?? findAnsweredRule(answers, `${side} ${code.Id}`, ownRates);
      if (!rule) continue;
      ruleBySide.set(`${side} ${code.Id}`, rule);
      for (const rateId of rateIds) if (!ruleByRate.has(`${side} ${rateId}`)) ruleByRate.set(`${side} ${rateId}`, rule);
    }
  }
  const names = new Map(codes.map(({ Id, Name }) => [Id, Name ?? Id]));
  return {
    find: (codeId, side) =>
      ruleBySide.get(`${side} ${codeId}`) ?? (NO_VAT_PATTERN.test(codeId) ? toRule(side, 'no_vat', 0, false, []) : undefined),
    findByRate: (rateId, side) => ruleByRate.get(`${side} ${rateId}`),
    nameOf: (codeId) => names.get(codeId) ?? codeId,
  };
}

function findAnsweredRule(answers: RateAnswers, code: string, rates: readonly QuickBooksTaxRateWire[]): QuickBooksTaxRule | undefined {
  const rateAnswer = answers.get(code);
  if (!rateAnswer || !isAnswerPossible(code, rateAnswer.kind)) return undefined;
  const rateBps = Math.max(0, ...rates.map(({ RateValue }) => Math.abs(readRate(RateValue))));
  const isSelfAccounted = rateAnswer.kind === 'purchase' && SELF_ACCOUNTED_TREATMENTS.has(rateAnswer.treatment);
  const rateIds = rates.map(({ Id }) => Id);
  const rule = toRule(rateAnswer.kind, rateAnswer.treatment, rateBps, isSelfAccounted, rateIds);
  return rateBps === 0 && VAT_ONLY_TREATMENTS.has(rateAnswer.treatment) ? { ...rule, isAllVat: true } : rule;
}

/** Returns the tax agency for UK VAT. Its name may be changed, so another agency counts if it is the only one. */
export function findUkAgency(agencies: readonly QuickBooksAgencyWire[]): QuickBooksAgencyWire | undefined {
  return agencies.find(isUkAgency) ?? (agencies.length === 1 ? agencies[0] : undefined);
}

function isUkAgency({ DisplayName }: QuickBooksAgencyWire): boolean {
  return /HMRC|HM Revenue|H\.M\. Revenue|Revenue (?:&|and) Customs/i.test(DisplayName ?? '');
}

function mapCode(
  code: QuickBooksTaxCodeWire,
  side: BooksKind,
  rates: readonly QuickBooksTaxRateWire[],
  ukAgencies: ReadonlySet<string>,
): QuickBooksTaxRule | undefined {
  const rateIds = rates.map(({ Id }) => Id);
  if (rates.some(({ SpecialTaxType }) => /ADJUSTMENT/i.test(SpecialTaxType ?? ''))) {
    return toRule(side, side === 'sale' ? 'adjustment_output' : 'adjustment_input', 0, false, rateIds);
  }
  // Another country's VAT isn't part of the UK return.
  const isForeign =
    ukAgencies.size > 0 && rates.length > 0 && rates.every(({ AgencyRef }) => AgencyRef && !ukAgencies.has(AgencyRef.value));
  if (isForeign) return toRule(side, 'outside_uk', 0, false, rateIds);
  if (rates.length === 0) return mapWithoutRates(code, side);
  const values = rates.map(({ RateValue }) => readRate(RateValue));
  const facts = {
    side,
    rateBps: Math.max(0, ...values.map(Math.abs)),
    isCancelling: values.some((value) => value > 0) && values.some((value) => value < 0),
    isZeroRate: rates.some(({ SpecialTaxType }) => SpecialTaxType === 'ZERO_RATE'),
  };
  const treatment = findTreatment(code.Name ?? '', describeCode(code, rates), facts);
  if (treatment === undefined) return undefined;
  const isSelfAccounted = side === 'purchase' && SELF_ACCOUNTED_TREATMENTS.has(treatment);
  const ownRate = facts.rateBps || (isSelfAccounted ? readRate(/(\d+(?:\.\d+)?)\s*%/.exec(code.Name ?? '')?.[1]) : 0);
  return toRule(side, treatment, ownRate, isSelfAccounted, rateIds);
}

/** Returns QuickBooks' details for a code, other than its name. */
function describeCode({ Description }: QuickBooksTaxCodeWire, rates: readonly QuickBooksTaxRateWire[]): string {
  const rateTexts = rates.flatMap(({ Name, Description: text, TaxReturnLineRef, SpecialTaxType }) => [
    Name,
    text,
    TaxReturnLineRef?.name,
    SpecialTaxType?.replaceAll('_', ' '),
  ]);
  return [Description, ...rateTexts].join(' ');
}

/**
 * A plain rate is treated as such, whatever its name ("20% Construction sales"), unless the name says that the VAT is self-accounted.
 * Otherwise the code's own name takes precedence, because it is the most concise description. The details decide which reverse charge a
 * plain "RC" is, and how to treat a rate of 0 or two rates that cancel out.
 */
function findTreatment(name: string, details: string, facts: Facts): Treatment | undefined {
  const isPlain = facts.rateBps > 0 && !facts.isCancelling;
  if (isPlain && !SELF_ACCOUNTED_PATTERN.test(name)) return facts.rateBps === REDUCED_BPS ? 'reduced' : 'standard';
  const specialByName = findSpecialTreatment(name, facts.side);
  if (specialByName !== undefined) return specialByName;
  if (isReverseCharge(name)) return findSpecialTreatment(details, facts.side) ?? getServicesTreatment(facts.side);
  if (isPlain) return facts.rateBps === REDUCED_BPS ? 'reduced' : 'standard';
  const plainCode = facts.isCancelling ? undefined : findPlainTreatment(name);
  if (plainCode !== undefined) return plainCode;
  const specialTreatment = findSpecialTreatment(details, facts.side);
  if (specialTreatment !== undefined) return specialTreatment;
  if (isReverseCharge(details)) return getServicesTreatment(facts.side);
  // Two rates that cancel out could be any reverse charge; a rate of 0 could be zero-rated, exempt or a margin scheme.
  if (facts.isCancelling) return undefined;
  return findPlainTreatment(details) ?? (facts.isZeroRate ? 'zero' : undefined);
}

/** The order matters: "RC CIS" and "PVAT" are also reverse charges. */
function findSpecialTreatment(text: string, side: BooksKind): Treatment | undefined {
  if (POSTPONED_PATTERN.test(text)) return side === 'purchase' ? 'postponed_import_vat' : undefined;
  if (DOMESTIC_PATTERN.test(text)) return 'domestic_reverse_charge';
  if (EU_GOODS_PATTERN.test(text)) return side === 'purchase' ? 'ni_acquisition' : 'ni_dispatch';
  return undefined;
}

function isReverseCharge(text: string): boolean {
  return EU_SERVICES_PATTERN.test(text) || REVERSE_CHARGE_PATTERN.test(text);
}

function getServicesTreatment(side: BooksKind): Treatment {
  return side === 'purchase' ? 'imported_services' : 'outside_uk';
}

function findPlainTreatment(text: string): Treatment | undefined {
  if (NO_VAT_PATTERN.test(text)) return 'no_vat';
  if (EXEMPT_PATTERN.test(text)) return 'exempt';
  return ZERO.test(text) ? 'zero' : undefined;
}

const SELF_ACCOUNTED_TREATMENTS: ReadonlySet<Treatment> = new Set<Treatment>([
  'postponed_import_vat',
  'domestic_reverse_charge',
  'ni_acquisition',
  'imported_services',
]);

function mapWithoutRates({ Name, Description, Taxable }: QuickBooksTaxCodeWire, side: BooksKind): QuickBooksTaxRule | undefined {
  const searchedText = `${Name ?? ''} ${Description ?? ''}`;
  if (NO_VAT_PATTERN.test(Name ?? '')) return toRule(side, 'no_vat', 0, false, []);
  if (EXEMPT_PATTERN.test(searchedText)) return toRule(side, 'exempt', 0, false, []);
  return Taxable === false || NO_VAT_PATTERN.test(searchedText) ? toRule(side, 'no_vat', 0, false, []) : undefined;
}

function toRule(
  kind: BooksKind,
  treatment: Treatment,
  rateBps: number,
  isSelfAccounted: boolean,
  rateIds: readonly string[],
): QuickBooksTaxRule {
  return { kind, treatment, rateBps, isSelfAccounted, rateIds };
}

function readRate(value: string | number | null | undefined): number {
  const decimal = value === null || value === undefined ? undefined : parseDecimal(value);
  return decimal === undefined ? 0 : toBasisPoints(decimal);
}
