/** Maps HMRC's VAT responses to the facts used to calculate a position. Pure. */
import type { ChargeFact, ChargeKind, ObligationFact, PenaltyFact } from '@portal/domain/positions/tax-facts.ts';
import { keepOnePerPeriod } from '@portal/domain/positions/one-per-period.ts';
import type { VatPenalties } from '../hmrc-agent/vat-penalties-client.ts';
import type { Liability, Obligation } from './hmrc-types.ts';

/** Returns the VAT returns that HMRC expects. A VAT number can have two keys for one period, in which case the filed one counts. */
export function toVatObligations(obligations: readonly Obligation[]): readonly ObligationFact[] {
  const facts = obligations.map(({ start, end, due, status, received }): ObligationFact => ({
    kind: 'return',
    start,
    end,
    due,
    status,
    ...(received === undefined ? {} : { received }),
  }));
  return keepOnePerPeriod(facts, 'fulfilled');
}

/** For example "VAT Return LPI", "VAT Return 1st LPP LPI", "VAT Failure to Notify RPI", "VAT Statutory Interest Charge". */
const INTEREST_PATTERN = /interest|\b(?:LPI|RPI)\b/i;
/**
 * For example "VAT Late Submission Pen", "VAT Return 1st LPP", "VAT Debit Default Surcharge", "VAT BNP of Reg Post 2010"
 * (hmrc/vat-summary-frontend, ChargeType).
 */
const PENALTY_PATTERN = /\bpen(?:s|alt\w*)?\b|surcharge|\bLPP\b|\bLSP\b|\bBNP\b|\bFTN\b|failure to|evasion|wrong ?doing/i;

/** HMRC's charge types are free text (docs/reference/hmrc.md section 3.7), so interest and penalties are recognised by their wording. */
export function toVatCharge({ type, original, outstanding, due, period }: Liability): ChargeFact {
  const kind: ChargeKind = INTEREST_PATTERN.test(type) ? 'interest' : PENALTY_PATTERN.test(type) ? 'penalty' : 'tax';
  return {
    title: type,
    kind,
    original,
    outstanding,
    ...(due === undefined ? {} : { due }),
    ...(period === undefined ? {} : { period }),
  };
}

/** Returns the points in force and the penalties that HMRC has charged. An accruing penalty hasn't been charged yet. */
export function toVatPenalties({ activePoints, pointsThreshold, lateReturns, latePayments }: VatPenalties): PenaltyFact {
  return {
    points: activePoints,
    ...(pointsThreshold > 0 ? { threshold: pointsThreshold } : {}),
    pointPeriods: lateReturns.flatMap(({ isActive, isPoint, period }) =>
      isActive && isPoint !== false && period !== undefined ? [{ start: period.start, end: period.end }] : [],
    ),
    lateSubmission: lateReturns.flatMap(({ charge, period }): ChargeFact[] =>
      charge === undefined
        ? []
        : [toPenaltyCharge('Late submission penalty', { ...charge, original: charge.amount, ...(period ? { period } : {}) })],
    ),
    latePayment: latePayments.flatMap(({ status, penaltyNumber, amount, outstanding, due, reference, period }): ChargeFact[] => {
      if (status !== 'posted') return [];
      const title = `${penaltyNumber === 'first' ? 'First' : 'Second'} late payment penalty`;
      return [
        toPenaltyCharge(title, { original: amount, outstanding, period, ...(due ? { due } : {}), ...(reference ? { reference } : {}) }),
      ];
    }),
  };
}

type PenaltyAmounts = Pick<ChargeFact, 'original' | 'outstanding' | 'due' | 'period' | 'reference'>;

function toPenaltyCharge(title: string, { original, outstanding, due, period, reference }: PenaltyAmounts): ChargeFact {
  return {
    title,
    kind: 'penalty',
    original,
    outstanding,
    ...(due === undefined ? {} : { due }),
    ...(period === undefined ? {} : { period: { start: period.start, end: period.end } }),
    ...(reference === undefined ? {} : { reference }),
  };
}
