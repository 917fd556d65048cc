/** Responses of HMRC's VAT (MTD) 1.0, Check a UK VAT number 2.0 and OAuth APIs as HMRC sends them; unknown members are ignored. */
import { z } from 'zod';

/** A date such as "2017-01-25". */
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** Pounds as a JSON number with at most two decimals. */
const amount = z.number();

export const obligationWire = z.object({
  start: date,
  end: date,
  due: date,
  status: z.enum(['O', 'F']),
  periodKey: z.string().min(1),
  received: date.optional(),
});
export const obligationsWire = z.object({ obligations: z.array(obligationWire) });

export const vatReturnWire = z.object({
  periodKey: z.string().min(1),
  vatDueSales: amount,
  vatDueAcquisitions: amount,
  totalVatDue: amount,
  vatReclaimedCurrPeriod: amount,
  netVatDue: amount,
  totalValueSalesExVAT: amount,
  totalValuePurchasesExVAT: amount,
  totalValueGoodsSuppliedExVAT: amount,
  totalAcquisitionsExVAT: amount,
});

/** `processingDate` ends in "Z" in real responses and in "+0000" in HMRC's example; both are accepted. */
export const filingReceiptWire = z.object({
  processingDate: z.string().min(1),
  formBundleNumber: z.string().min(1),
  paymentIndicator: z.enum(['DD', 'BANK']).optional(),
  chargeRefNumber: z.string().optional(),
});

export const liabilityWire = z.object({
  taxPeriod: z.object({ from: date, to: date }).optional(),
  type: z.string(),
  originalAmount: amount,
  outstandingAmount: amount.optional(),
  due: date.optional(),
});
export const liabilitiesWire = z.object({ liabilities: z.array(liabilityWire) });

export const paymentWire = z.object({ amount, received: date.optional() });
export const paymentsWire = z.object({ payments: z.array(paymentWire) });

export const vatInformationWire = z.object({
  customerDetails: z.object({ effectiveRegistrationDate: date.optional() }).optional(),
  flatRateScheme: z.object({ frsCategory: z.string().optional(), startDate: date.optional() }).optional(),
});

export const vatNumberLookupWire = z.object({
  target: z.object({
    name: z.string(),
    vatNumber: z.string(),
    address: z.object({
      line1: z.string(),
      line2: z.string().optional(),
      line3: z.string().optional(),
      line4: z.string().optional(),
      line5: z.string().optional(),
      postcode: z.string().optional(),
      countryCode: z.string(),
    }),
  }),
  requester: z.string().optional(),
  consultationNumber: z.string().optional(),
  processingDate: z.string(),
});

/** HMRC's example of a refresh response has no scope; a client-credentials response has no refresh token. */
export const tokenWire = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number().int().positive(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
});

export const oauthErrorWire = z.object({ error: z.string(), error_description: z.string().optional() });

const faultWire = z.object({ code: z.string(), message: z.string().optional(), path: z.string().optional() });

/** The documented error shape. `errors` is present if there are several faults, and for submissions even if there is only one. */
export const codedErrorWire = faultWire.extend({ errors: z.array(faultWire).optional() });

/** The other error shape, sent for obligations, liabilities, payments and malformed JSON: the code is in `message`. */
export const statusErrorWire = z.object({ statusCode: z.number(), message: z.string() });

export type ObligationWire = z.infer<typeof obligationWire>;
export type VatReturnWire = z.infer<typeof vatReturnWire>;
export type FilingReceiptWire = z.infer<typeof filingReceiptWire>;
export type LiabilityWire = z.infer<typeof liabilityWire>;
export type PaymentWire = z.infer<typeof paymentWire>;
export type VatInformationWire = z.infer<typeof vatInformationWire>;
export type VatNumberLookupWire = z.infer<typeof vatNumberLookupWire>;
export type TokenWire = z.infer<typeof tokenWire>;
