/** VAT penalties as HMRC counts them (reference FACTS 3.8). */
import { parsePounds, sumPence, type Pence } from '@portal/domain/money.ts';
import { z } from 'zod';

/** `active` points are in force; amounts are what is still to be paid of penalties already charged. All zero where HMRC knows of none. */
export type VatPenalties = {
  readonly activePoints: number;
  readonly threshold?: number;
  readonly lateSubmissionOutstanding: Pence;
  readonly latePaymentOutstanding: Pence;
  /** What HMRC itself estimates of penalties that still grow. */
  readonly latePaymentAccruing: Pence;
};

const amount = z.number();

/** An account without penalties is `{}`; further members are ignored. */
export const vatPenaltiesWire = z.object({
  lateSubmissionPenalty: z
    .object({
      summary: z.object({ activePenaltyPoints: z.number().optional(), regimeThreshold: z.number().optional() }).optional(),
      details: z.array(z.object({ chargeOutstandingAmount: amount.optional() })).optional(),
    })
    .optional(),
  latePaymentPenalty: z
    .object({
      details: z.array(z.object({ penaltyAmountOutstanding: amount.optional(), penaltyAmountAccruing: amount.optional() })).optional(),
    })
    .optional(),
});

export function mapPenalties({ lateSubmissionPenalty, latePaymentPenalty }: z.infer<typeof vatPenaltiesWire>): VatPenalties {
  const threshold = lateSubmissionPenalty?.summary?.regimeThreshold;
  const payments = latePaymentPenalty?.details ?? [];
  return {
    activePoints: lateSubmissionPenalty?.summary?.activePenaltyPoints ?? 0,
    ...(threshold === undefined ? {} : { threshold }),
    lateSubmissionOutstanding: sumOf((lateSubmissionPenalty?.details ?? []).map((one) => one.chargeOutstandingAmount)),
    latePaymentOutstanding: sumOf(payments.map((one) => one.penaltyAmountOutstanding)),
    latePaymentAccruing: sumOf(payments.map((one) => one.penaltyAmountAccruing)),
  };
}

function sumOf(amounts: readonly (number | undefined)[]): Pence {
  return sumPence(amounts.map((one) => readPence(one ?? 0)));
}

function readPence(pounds: number): Pence {
  const read = parsePounds(String(pounds));
  if (read === undefined) throw new RangeError(`not an amount: ${pounds}`);
  return read;
}
