/**
 * Xero's accounting resources, limited to what VAT needs (docs/reference/providers.md section 1; XeroAPI/Xero-OpenAPI,
 * xero_accounting.yaml). Amounts are JSON numbers, dates "/Date(1552404447003+0000)/".
 */
import { z } from 'zod';

const amount = z.union([z.number(), z.string()]).nullish();
const text = z.string().nullish();

const embeddedContactWire = z.object({ ContactID: text, Name: text }).nullish();

export const xeroLineWire = z.object({
  AccountCode: text,
  TaxType: text,
  TaxAmount: amount,
  LineAmount: amount,
  UnitAmount: amount,
  Quantity: amount,
});
export type XeroLineWire = z.infer<typeof xeroLineWire>;

const xeroEmbeddedPaymentWire = z.object({ PaymentID: text, Date: text, Amount: amount, Status: text });
const xeroAppliedWire = z.object({
  CreditNoteID: text,
  PrepaymentID: text,
  OverpaymentID: text,
  AppliedAmount: amount,
  Date: text,
});
const xeroAllocationWire = z.object({
  AllocationID: text,
  Amount: amount,
  Date: text,
  IsDeleted: z.boolean().nullish(),
  Invoice: z.object({ InvoiceID: text }).nullish(),
});
export type XeroAllocationWire = z.infer<typeof xeroAllocationWire>;

const document = {
  Type: z.string(),
  Status: text,
  Contact: embeddedContactWire,
  Date: text,
  DateString: text,
  LineAmountTypes: text,
  LineItems: z.array(xeroLineWire).nullish(),
  SubTotal: amount,
  Total: amount,
  CurrencyCode: text,
  CurrencyRate: amount,
  Reference: text,
};

export const xeroInvoiceWire = z.object({
  ...document,
  InvoiceID: z.string(),
  InvoiceNumber: text,
  CISDeduction: amount,
  FullyPaidOnDate: text,
  Payments: z.array(xeroEmbeddedPaymentWire).nullish(),
  CreditNotes: z.array(xeroAppliedWire).nullish(),
  Prepayments: z.array(xeroAppliedWire).nullish(),
  Overpayments: z.array(xeroAppliedWire).nullish(),
});
export type XeroInvoiceWire = z.infer<typeof xeroInvoiceWire>;

export const xeroCreditNoteWire = z.object({
  ...document,
  CreditNoteID: z.string(),
  CreditNoteNumber: text,
  CISDeduction: amount,
  FullyPaidOnDate: text,
  Payments: z.array(xeroEmbeddedPaymentWire).nullish(),
  Allocations: z.array(xeroAllocationWire).nullish(),
});
export type XeroCreditNoteWire = z.infer<typeof xeroCreditNoteWire>;

export const xeroBankTransactionWire = z.object({
  ...document,
  BankTransactionID: z.string(),
  PrepaymentID: text,
  OverpaymentID: text,
});
export type XeroBankTransactionWire = z.infer<typeof xeroBankTransactionWire>;

export const xeroPrepaymentWire = z.object({
  ...document,
  PrepaymentID: z.string(),
  InvoiceNumber: text,
  Payments: z.array(xeroEmbeddedPaymentWire).nullish(),
  Allocations: z.array(xeroAllocationWire).nullish(),
});
export type XeroPrepaymentWire = z.infer<typeof xeroPrepaymentWire>;

export const xeroOverpaymentWire = z.object({
  ...document,
  OverpaymentID: z.string(),
  Payments: z.array(xeroEmbeddedPaymentWire).nullish(),
  Allocations: z.array(xeroAllocationWire).nullish(),
});
export type XeroOverpaymentWire = z.infer<typeof xeroOverpaymentWire>;

/** Only the fields that show whether a supplier is registered for VAT: a contact's name and addresses aren't copied. */
export const xeroContactWire = z.object({
  ContactID: z.string(),
  TaxNumber: text,
  Addresses: z.array(z.object({ Country: text })).nullish(),
});

export const xeroPaymentWire = z.object({
  PaymentID: z.string(),
  Date: text,
  Amount: amount,
  Status: text,
  PaymentType: text,
  Invoice: z.object({ InvoiceID: text }).nullish(),
  CreditNote: z.object({ CreditNoteID: text }).nullish(),
  Prepayment: z.object({ PrepaymentID: text }).nullish(),
  Overpayment: z.object({ OverpaymentID: text }).nullish(),
});
export type XeroPaymentWire = z.infer<typeof xeroPaymentWire>;

export const xeroManualJournalWire = z.object({
  ManualJournalID: z.string(),
  Narration: text,
  Date: text,
  DateString: text,
  Status: text,
  LineAmountTypes: text,
  ShowOnCashBasisReports: z.boolean().nullish(),
  JournalLines: z.array(z.object({ LineAmount: amount, TaxAmount: amount, TaxType: text, AccountCode: text })).nullish(),
});
export type XeroManualJournalWire = z.infer<typeof xeroManualJournalWire>;

export const xeroOrganisationWire = z.object({
  Name: text,
  LegalName: text,
  PaysTax: z.boolean().nullish(),
  BaseCurrency: text,
  /** The company number. */
  RegistrationNumber: text,
  TaxNumber: text,
  SalesTaxBasis: text,
  ShortCode: text,
  IsDemoCompany: z.boolean().nullish(),
  PeriodLockDate: text,
  EndOfYearLockDate: text,
});
export type XeroOrganisationWire = z.infer<typeof xeroOrganisationWire>;

export const xeroTaxRateWire = z.object({
  Name: text,
  TaxType: z.string(),
  ReportTaxType: text,
  CanApplyToRevenue: z.boolean().nullish(),
  CanApplyToExpenses: z.boolean().nullish(),
  DisplayTaxRate: amount,
  EffectiveRate: amount,
  TaxComponents: z.array(z.object({ Name: text, Rate: amount })).nullish(),
});
export type XeroTaxRateWire = z.infer<typeof xeroTaxRateWire>;

export const xeroAccountWire = z.object({ AccountID: text, Code: text, Name: text, Type: text, SystemAccount: text });
export type XeroAccountWire = z.infer<typeof xeroAccountWire>;
