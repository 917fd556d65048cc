/** Completes a source's charges by adding penalties reported separately and missing due dates. */
import type { PlainDate } from '../plain-date.ts';
import { getCorporationTaxDueDate } from '../uk-tax/corporation-tax/due-date.ts';
import { getValueOrForecast } from '../uk-tax/known.ts';
import type { Tax } from '../uk-tax/tax.ts';
import { getVatDueDate } from '../uk-tax/vat/due-date.ts';
import { isTaxCharge, type ChargeFact, type TaxFacts } from './tax-facts.ts';

/**
 * Returns the facts with all charges in one list. A penalty that is in both HMRC's penalties API and its list of charges counts once. HMRC
 * may omit a due date (docs/reference/hmrc.md section 3.7); for tax it is derived from the period.
 */
export function mergeCharges(tax: Tax, facts: TaxFacts): TaxFacts {
  const { charges, penalties } = facts;
  const listedCharges = charges?.facts ?? [];
  const source = charges ?? penalties;
  if (source === undefined) return facts;
  const reportedPenalties = penalties ? [...penalties.facts.lateSubmission, ...penalties.facts.latePayment] : [];
  const allCharges = [
    ...listedCharges.map((charge) => addDueDate(tax, charge, facts)),
    ...findUnlistedPenalties(reportedPenalties, listedCharges),
  ];
  if (charges === undefined && allCharges.length === 0) return facts;
  return { ...facts, charges: { source: source.source, asOf: source.asOf, facts: allCharges } };
}

/**
 * Returns the penalties missing from the charges. Penalties don't have references, so one with the same amount and the same due date or
 * period is the same penalty.
 */
function findUnlistedPenalties(penalties: readonly ChargeFact[], charges: readonly ChargeFact[]): readonly ChargeFact[] {
  const unmatchedCharges = new Set(charges.filter(({ kind }) => kind === 'penalty'));
  return penalties.filter((penalty) => {
    const samePenalty = [...unmatchedCharges].find((charge) => isSamePenalty(penalty, charge));
    if (samePenalty) unmatchedCharges.delete(samePenalty);
    return samePenalty === undefined;
  });
}

function isSamePenalty(a: ChargeFact, b: ChargeFact): boolean {
  if (a.original !== b.original) return false;
  return (a.due !== undefined && a.due === b.due) || (a.period !== undefined && a.period.end === b.period?.end);
}

function addDueDate(tax: Tax, charge: ChargeFact, facts: TaxFacts): ChargeFact {
  if (charge.due !== undefined || charge.original <= 0 || charge.period === undefined || !isTaxCharge(charge)) return charge;
  const due = getStatutoryDueDate(tax, charge.period.end, facts);
  return due === undefined ? charge : { ...charge, due };
}

/**
 * Returns the statutory due date. VAT is payable when its return is due (VAT Regulations 1995 reg 40(2)), and corporation tax nine months
 * and a day after the end of the period.
 */
function getStatutoryDueDate(tax: Tax, end: PlainDate, { obligations }: TaxFacts): PlainDate | undefined {
  if (tax === 'ct') return getCorporationTaxDueDate(end);
  if (tax !== 'vat') return undefined;
  return obligations?.facts.find((obligation) => obligation.end === end)?.due ?? getValueOrForecast(getVatDueDate(end));
}
