/** Responses of Self Assessment Accounts 4.0 and Obligations (income tax) 3.0 as HMRC sends them; unknown members are ignored. */
import { z } from 'zod';

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const amount = z.number();
const taxYear = z.string().regex(/^\d{4}-\d{2}$/);

export const documentWire = z.object({
  taxYear: taxYear.optional(),
  documentId: z.string().min(1),
  documentDate: date,
  documentDueDate: date.optional(),
  documentDescription: z.string().optional(),
  documentText: z.string().optional(),
  originalAmount: amount,
  outstandingAmount: amount,
  lastClearing: z
    .object({ lastClearingDate: date.optional(), lastClearingReason: z.string().optional(), lastClearedAmount: amount.optional() })
    .optional(),
  latePaymentInterest: z
    .object({
      latePaymentInterestId: z.string().optional(),
      accruingInterestAmount: amount.optional(),
      interestRate: z.number().optional(),
      interestStartDate: date.optional(),
      interestEndDate: date.optional(),
      interestAmount: amount.optional(),
      interestOutstandingAmount: amount.optional(),
    })
    .optional(),
  isChargeEstimate: z.boolean(),
  isCodedOut: z.boolean(),
});

export const balanceWire = z.object({
  balanceDetails: z.object({
    /** Due within 30 days. */
    payableAmount: amount,
    payableDueDate: date.optional(),
    /** Due in more than 30 days. */
    pendingChargeDueAmount: amount,
    pendingChargeDueDate: date.optional(),
    overdueAmount: amount,
    earliestPaymentDateOverdue: date.optional(),
    bcdBalancePerYear: z.array(z.object({ taxYear, bcdAmount: amount })),
    totalBcdBalance: amount.optional(),
    totalBalance: amount,
    unallocatedCredit: amount.optional(),
    allocatedCredit: amount.optional(),
    totalCredit: amount.optional(),
    availableCredit: amount.optional(),
  }),
  documentDetails: z.array(documentWire).optional(),
});

export const saPaymentsWire = z.object({
  payments: z.array(
    z.object({
      paymentLot: z.string().optional(),
      paymentLotItem: z.string().optional(),
      paymentReference: z.string().optional(),
      paymentAmount: amount.optional(),
      paymentMethod: z.string().optional(),
      transactionDate: date.optional(),
      allocations: z.array(
        z.object({
          chargeReference: z.string(),
          periodKey: z.string().optional(),
          startDate: date.optional(),
          endDate: date.optional(),
          dueDate: date.optional(),
          chargeDetail: z.object({ documentId: z.string().optional() }).optional(),
          amount: amount.optional(),
          clearedAmount: amount.optional(),
        }),
      ),
    }),
  ),
});

/** Income tax statuses are words ("open", "fulfilled"); VAT uses letters. */
const obligationStatus = z.enum(['open', 'fulfilled']);
const obligationDetail = z.object({
  periodStartDate: date,
  periodEndDate: date,
  dueDate: date,
  receivedDate: date.optional(),
  status: obligationStatus,
});

export const updatesWire = z.object({
  obligations: z.array(z.object({ typeOfBusiness: z.string(), businessId: z.string(), obligationDetails: z.array(obligationDetail) })),
});
export const declarationsWire = z.object({ obligations: z.array(obligationDetail) });

export type DocumentWire = z.infer<typeof documentWire>;
export type BalanceWire = z.infer<typeof balanceWire>;
export type SaPaymentsWire = z.infer<typeof saPaymentsWire>;
export type UpdatesWire = z.infer<typeof updatesWire>;
export type DeclarationsWire = z.infer<typeof declarationsWire>;
