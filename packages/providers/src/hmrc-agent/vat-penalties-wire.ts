/**
 * GET /organisations/vat/{vrn}/penalties as HMRC sends it (docs/reference/hmrc.md section 3.8); the object is empty if there are no
 * penalties. Unknown members are ignored.
 */
import { z } from 'zod';

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const amount = z.number();

export const vatPenaltiesWire = z.object({
  totalisations: z
    .object({
      lateSubmissionPenaltyTotalValue: amount.optional(),
      penalisedPrincipalTotal: amount.optional(),
      latePaymentPenaltyPostedTotal: amount.optional(),
      latePaymentPenaltyEstimateTotal: amount.optional(),
    })
    .optional(),
  lateSubmissionPenalty: z
    .object({
      summary: z.object({
        activePenaltyPoints: z.number().int(),
        inactivePenaltyPoints: z.number().int(),
        /** 9999-12-31 if no points are active. */
        periodOfComplianceAchievement: date,
        regimeThreshold: z.number().int(),
        penaltyChargeAmount: amount,
      }),
      details: z.array(
        z.object({
          penaltyNumber: z.string(),
          penaltyOrder: z.string(),
          penaltyCategory: z.enum(['point', 'charge', 'threshold']),
          penaltyStatus: z.enum(['active', 'inactive']),
          penaltyCreationDate: date,
          penaltyExpiryDate: date,
          lateSubmissions: z
            .array(
              z.object({
                lateSubmissionID: z.string(),
                taxReturnStatus: z.enum(['Open', 'Fulfilled', 'Reversed']),
                taxPeriodStartDate: date.optional(),
                taxPeriodEndDate: date.optional(),
                taxPeriodDueDate: date.optional(),
                returnReceiptDate: date.optional(),
              }),
            )
            .optional(),
          chargeReference: z.string().optional(),
          chargeAmount: amount.optional(),
          chargeOutstandingAmount: amount.optional(),
          chargeDueDate: date.optional(),
        }),
      ),
    })
    .optional(),
  latePaymentPenalty: z
    .object({
      details: z
        .array(
          z.object({
            principalChargeReference: z.string(),
            penaltyCategory: z.string(),
            penaltyStatus: z.enum(['accruing', 'posted']),
            penaltyAmountAccruing: amount,
            penaltyAmountPosted: amount,
            penaltyAmountPaid: amount.optional(),
            penaltyAmountOutstanding: amount.optional(),
            /** Absent while the penalty accrues. */
            penaltyChargeReference: z.string().optional(),
            penaltyChargeDueDate: date.optional(),
            principalChargeDocNumber: z.string(),
            principalChargeBillingFrom: date,
            principalChargeBillingTo: date,
            principalChargeDueDate: date,
          }),
        )
        .optional(),
    })
    .optional(),
});

export type VatPenaltiesWire = z.infer<typeof vatPenaltiesWire>;
