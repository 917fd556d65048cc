import { plainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { createUnknown, known, mapKnown } from '../known.ts';
import type { Known } from '../known.ts';
import { calculateLatePaymentPenalty } from '../penalties/late-payment-penalty.ts';
import type { LatePayment, LatePaymentPenalty, PenaltyRates } from '../penalties/late-payment-penalty.ts';

/** Rates for periods that began on or after `period_from` with returns due on or after `due_from`. */
export type VatPenaltyRow = PenaltyRates & { readonly period_from: PlainDate; readonly due_from: PlainDate; readonly source: string };

/**
 * VAT late payment penalty rates; add new rates at the end. Both dates must be reached: a March to May 2025 quarter that is due on 7 July
 * keeps the old rates.
 */
export const VAT_PENALTY_RATES: readonly VatPenaltyRow[] = [
  createRow('2023-01-01', '2023-01-01', [200, 200, 400], 'FA 2021 Sch 26; SI 2022/1278'),
  createRow('2025-04-01', '2025-05-31', [300, 300, 1000], 'SI 2025/589 reg 1(3); CH193140'),
];

/**
 * Returns the rates for a period, by its first day and due date. Unknown before 2023, when the default surcharge applied. Source: SI
 * 2025/589 reg 1(3).
 */
export function getVatPenaltyRates(periodStart: PlainDate, due: PlainDate): Known<PenaltyRates> {
  const foundRate = VAT_PENALTY_RATES.findLast((row) => periodStart >= row.period_from && due >= row.due_from);
  return foundRate === undefined
    ? createUnknown('late payment penalties for VAT periods that began before 2023 (default surcharge)')
    : known(foundRate);
}

/** Calculates late payment penalties for a VAT period. Source: FA 2021 Sch 26 paras 4-10; SI 2025/589; CH193140. */
export function calculateVatLatePaymentPenalty(periodStart: PlainDate, facts: LatePayment): Known<LatePaymentPenalty> {
  return mapKnown(getVatPenaltyRates(periodStart, facts.due), (rates) => calculateLatePaymentPenalty(facts, rates));
}

function createRow(
  periodFrom: string,
  dueFrom: string,
  [afterDay15, afterDay30, yearly]: readonly [number, number, number],
  source: string,
): VatPenaltyRow {
  return {
    period_from: plainDate(periodFrom),
    due_from: plainDate(dueFrom),
    after_day_15_bps: afterDay15,
    after_day_30_bps: afterDay30,
    yearly_bps: yearly,
    source,
  };
}
