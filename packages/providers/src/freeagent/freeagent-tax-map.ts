/** Maps FreeAgent's VAT status, rate and category to a treatment (decision 54; dev.freeagent.com, "Sales Tax and VAT"). */
import type { BooksKind, Treatment } from '@portal/domain/books/books-row.ts';
import { canBeZeroRated } from '@portal/domain/connected-books/rate-answers.ts';
import { type Decimal, parseDecimal, parseMinorUnits, toBasisPoints, ZERO_DECIMAL } from '@portal/domain/connected-books/decimal-amount.ts';
import { type Pence, pence } from '@portal/domain/money.ts';
import type { RateAnswers, UnmappedRate } from '../connected-books/connected-books.ts';
import type { FreeAgentCategory } from './freeagent-categories.ts';

export type AmountInput = string | number | null | undefined;

export type FreeAgentTaxFacts = {
  readonly kind: BooksKind;
  readonly ecStatus: string | null | undefined;
  readonly status: string | null | undefined;
  readonly rate: AmountInput;
  readonly hasVat: boolean;
  readonly category: FreeAgentCategory;
  readonly isCapital: boolean;
};

/** `rateBps` is undefined if FreeAgent states only an amount. */
export type FreeAgentTax = {
  readonly kind: BooksKind;
  readonly treatment: Treatment;
  readonly rateBps: number | undefined;
  readonly isSelfAccounted: boolean;
  /** The VAT stated is another country's. */
  readonly isForeignVat: boolean;
  /** Set if a user must say what the purchase is. The treatment is then only likely. */
  readonly question?: UnmappedRate;
};

const STANDARD_BPS = 2_000;
const REDUCED_BPS = 500;

export function findFreeAgentTax(facts: FreeAgentTaxFacts, answers: RateAnswers): FreeAgentTax {
  const { kind, ecStatus, status } = facts;
  const rateBps = readRate(facts.rate);
  const toTax = (treatment: Treatment, extra: Partial<FreeAgentTax> = {}): FreeAgentTax => ({
    kind,
    treatment,
    rateBps,
    isSelfAccounted: false,
    isForeignVat: false,
    ...extra,
  });
  // FreeAgent calculates the VAT on these itself, at the standard rate if the document doesn't state one.
  const selfAccounted = { isSelfAccounted: true, rateBps: rateBps || STANDARD_BPS };
  const specialTax = findSpecialTax(ecStatus);
  if (specialTax !== undefined && status === 'EXEMPT') return toTax('exempt');
  if (specialTax === 'goods')
    return kind === 'sale' ? toTax('ni_dispatch') : askIfUncertain(toTax('ni_acquisition', selfAccounted), facts, answers);
  if (specialTax === 'moss') return toTax('outside_uk', { isForeignVat: true });
  if (specialTax !== undefined) {
    if (kind === 'sale') return toTax(facts.category.isConstruction ? 'domestic_reverse_charge' : 'outside_uk');
    const isDomestic = specialTax === 'reverse_charge' && facts.category.isConstruction;
    return askIfUncertain(toTax(isDomestic ? 'domestic_reverse_charge' : 'imported_services', selfAccounted), facts, answers);
  }
  return toTax(findDomesticTreatment(facts, rateBps));
}

/**
 * A purchase can be marked both as self-accounted and as outside the scope of VAT, and no source says which FreeAgent follows (decision 88).
 * If it states a rate or an amount of VAT, that decides.
 */
function askIfUncertain(tax: FreeAgentTax, facts: FreeAgentTaxFacts, answers: RateAnswers): FreeAgentTax {
  if (facts.status !== 'OUT_OF_SCOPE' || facts.hasVat || (readRate(facts.rate) ?? 0) > 0) return tax;
  const code = `purchase ${facts.ecStatus ?? ''} OUT_OF_SCOPE`;
  const answer = answers.get(code);
  if (answer?.kind === 'purchase') {
    const { treatment } = answer;
    return canBeZeroRated('purchase', treatment) ? { ...tax, treatment } : { ...tax, treatment, isSelfAccounted: false, rateBps: 0 };
  }
  const subject = `${facts.ecStatus ?? ''}, out of scope of VAT`;
  const reason = `Purchases are marked in FreeAgent both as “${facts.ecStatus ?? ''}” and as out of scope of VAT, so we can’t tell whether VAT is due on them. Correct them in FreeAgent: out of scope is for what isn’t subject to VAT at all.`;
  return { ...tax, question: { code, subject, reason, isLikely: true } };
}

function findDomesticTreatment({ status, hasVat, category, isCapital }: FreeAgentTaxFacts, rateBps: number | undefined): Treatment {
  if (status === 'OUT_OF_SCOPE') return 'no_vat';
  if (status === 'EXEMPT') return 'exempt';
  if (hasVat || (rateBps ?? 0) > 0) {
    if (isCapital) return 'capital';
    return rateBps === REDUCED_BPS ? 'reduced' : 'standard';
  }
  if (status === 'TAXABLE' || rateBps === 0) return 'zero';
  // Without a status or rate, uses FreeAgent's suggestion for the category.
  if (/^exempt/i.test(category.autoRate)) return 'exempt';
  return /^zero/i.test(category.autoRate) ? 'zero' : 'no_vat';
}

/** "UK/Non-EC" and a missing status mean ordinary supplies. */
function findSpecialTax(ecStatus: string | null | undefined): 'goods' | 'services' | 'reverse_charge' | 'moss' | undefined {
  if (ecStatus === 'EC Goods') return 'goods';
  if (ecStatus === 'EC Services') return 'services';
  if (ecStatus === 'Reverse Charge') return 'reverse_charge';
  return ecStatus === 'EC VAT MOSS' ? 'moss' : undefined;
}

export function readDecimal(value: AmountInput): Decimal {
  if (value === null || value === undefined) return ZERO_DECIMAL;
  return parseDecimal(value) ?? ZERO_DECIMAL;
}

/** Returns an amount in hundredths of its own currency; 0 if it isn't stated. */
export function readMinorUnits(value: AmountInput): Pence {
  return pence(value === null || value === undefined ? 0 : (parseMinorUnits(value) ?? 0));
}

export function readRate(value: AmountInput): number | undefined {
  const decimal = value === null || value === undefined ? undefined : parseDecimal(value);
  return decimal === undefined ? undefined : toBasisPoints(decimal);
}
