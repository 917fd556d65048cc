import { toDayNumber } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { pence, sumShares, ZERO } from '../../money.ts';
import type { Pence } from '../../money.ts';
import { createUnknown, known } from '../known.ts';
import type { Known } from '../known.ts';
import { sortPaymentsByDate } from '../interest/late-payment-interest.ts';
import type { Payment } from '../interest/late-payment-interest.ts';

/** Late payment penalty rates in basis points: on the amount unpaid after day 15, after day 30, and per year from day 31. */
export type PenaltyRates = { readonly after_day_15_bps: number; readonly after_day_30_bps: number; readonly yearly_bps: number };

/** A time-to-pay plan agreed by HMRC, with the day it was proposed. Omit it if the plan was broken, because that revives the penalties. */
export type TimeToPay = { readonly proposed_on: PlainDate };

/** A late payment, and the day up to which penalties are calculated. */
export type LatePayment = {
  readonly due: PlainDate;
  readonly amount: Pence;
  readonly payments: readonly Payment[];
  readonly time_to_pay?: TimeToPay;
  /** Calculate up to the end of this day. If omitted, all payments count and the debt must be paid in full. */
  readonly as_of?: PlainDate;
};

/** The first penalty (both parts, rounded once), the second (rounded once) and their sum, in pence. */
export type LatePaymentPenalty = { readonly first: Pence; readonly second: Known<Pence>; readonly total: Known<Pence> };

/**
 * Calculates late payment penalties. Day 1 is the day after the due date. First penalty: a rate on the amount unpaid at the end of day 15
 * plus a rate on the amount still unpaid at the end of day 30. Second: a yearly rate over 365 on the amount unpaid from day 31 up to and
 * including the day it is paid. Source: FA 2021 Sch 26 paras 4-10; CH193140. Time to pay: Sch 26 paras 6-9.
 */
export function calculateLatePaymentPenalty(facts: LatePayment, rates: PenaltyRates): LatePaymentPenalty {
  const dueDay = toDayNumber(facts.due);
  const lastDay = facts.as_of === undefined ? Number.POSITIVE_INFINITY : toDayNumber(facts.as_of) - dueDay;
  const proposedDay = facts.time_to_pay === undefined ? Number.POSITIVE_INFINITY : toDayNumber(facts.time_to_pay.proposed_on) - dueDay;
  const parts = listParts(facts, dueDay, lastDay);
  const getUnpaidAfter = (day: number): number =>
    lastDay < day ? 0 : parts.reduce((sum, part) => (part.day > day ? sum + part.amount : sum), 0);
  const unpaidAfter15 = proposedDay <= 15 ? 0 : getUnpaidAfter(15);
  const unpaidAfter30 = proposedDay <= 30 ? 0 : getUnpaidAfter(30);
  const first = sumShares(
    [
      [unpaidAfter15, rates.after_day_15_bps],
      [unpaidAfter30, rates.after_day_30_bps],
    ],
    10_000,
    'half-away',
  );
  const second = calculateSecondPenalty(parts, proposedDay, lastDay, rates);
  return { first, second, total: second.known ? known(pence(first + second.value)) : toUnknownTotal(first, second) };
}

/**
 * Returns the penalty that HMRC adds for one day: the yearly rate on the unpaid amount, over 365, rounded. Source: hmrc/penalties-frontend
 * messages calculation.lpp2.
 */
export function calculateDailyPenalty(unpaidAmount: Pence, rates: PenaltyRates): Pence {
  return sumShares([[unpaidAmount, rates.yearly_bps]], 365 * 10_000, 'half-away');
}

/** A part of the debt and the day it was paid, counted from the due date; Infinity while unpaid. */
type Part = { readonly amount: number; readonly day: number };

function listParts(facts: LatePayment, dueDay: number, lastDay: number): readonly Part[] {
  const parts: Part[] = [];
  let remaining: number = facts.amount > 0 ? facts.amount : 0;
  for (const payment of sortPaymentsByDate(facts.payments)) {
    const day = toDayNumber(payment.date) - dueDay;
    if (day > lastDay) break;
    const amount = payment.amount < remaining ? payment.amount : remaining;
    if (amount <= 0) continue;
    parts.push({ amount, day });
    remaining -= amount;
  }
  if (remaining > 0) parts.push({ amount: remaining, day: Number.POSITIVE_INFINITY });
  return parts;
}

function calculateSecondPenalty(parts: readonly Part[], proposedDay: number, lastDay: number, rates: PenaltyRates): Known<Pence> {
  // A plan proposed within 30 days prevents the second penalty; a later one stops it on the day of the proposal.
  if (proposedDay <= 30) return known(ZERO);
  const lastPaidDay = parts.reduce((latest, part) => (Number.isFinite(part.day) && part.day > latest ? part.day : latest), 0);
  const isOpen = parts.some((part) => !Number.isFinite(part.day));
  const end = proposedDay < lastDay ? proposedDay - 1 : lastDay;
  const isOpenEnded = isOpen && !Number.isFinite(end);
  const stopDay = isOpenEnded ? lastPaidDay : end;
  const terms = parts.map((part): [number, number] => [
    part.amount,
    countDaysFrom31(part.day < stopDay ? part.day : stopDay) * rates.yearly_bps,
  ]);
  const penalty = sumShares(terms, 365 * 10_000, 'half-away');
  return isOpenEnded ? createUnknown('the second penalty: the debt is not paid in full, so it still grows', penalty) : known(penalty);
}

function countDaysFrom31(day: number): number {
  return day > 30 && Number.isFinite(day) ? day - 30 : 0;
}

function toUnknownTotal(first: Pence, second: Known<Pence>): Known<Pence> {
  if (second.known) return known(pence(first + second.value));
  return second.forecast === undefined ? createUnknown(second.notKnown) : createUnknown(second.notKnown, pence(first + second.forecast));
}
