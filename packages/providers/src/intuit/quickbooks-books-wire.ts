/**
 * QuickBooks Online's documents and tax tables, limited to what VAT needs (docs/reference/providers.md section 2). Amounts are JSON
 * numbers.
 */
import { z } from 'zod';

const amount = z.union([z.number(), z.string()]).nullish();
const text = z.string().nullish();
const reference = z.object({ value: z.string(), name: text }).nullish();

const taxedDetail = z.object({ TaxCodeRef: reference, TaxInclusiveAmt: amount, AccountRef: reference, TaxApplicableOn: text }).nullish();

const lineFields = {
  Amount: amount,
  SalesItemLineDetail: taxedDetail,
  AccountBasedExpenseLineDetail: taxedDetail,
  ItemBasedExpenseLineDetail: taxedDetail,
  DiscountLineDetail: taxedDetail,
  DepositLineDetail: taxedDetail,
  JournalEntryLineDetail: z
    .object({ PostingType: text, AccountRef: reference, TaxCodeRef: reference, TaxApplicableOn: text, TaxAmount: amount })
    .nullish(),
};
const lineWire = z.object({ ...lineFields, GroupLineDetail: z.object({ Line: z.array(z.object(lineFields)).nullish() }).nullish() });
export type QuickBooksLineWire = z.infer<typeof lineWire>;

const taxLineWire = z.object({
  Amount: amount,
  TaxLineDetail: z.object({ TaxRateRef: reference, NetAmountTaxable: amount }).nullish(),
});
export type QuickBooksTaxLineWire = z.infer<typeof taxLineWire>;

export const quickBooksDocumentWire = z.object({
  Id: z.string(),
  TxnDate: text,
  DocNumber: text,
  PrivateNote: text,
  status: text,
  CurrencyRef: z.object({ value: z.string() }).nullish(),
  ExchangeRate: amount,
  GlobalTaxCalculation: text,
  TotalAmt: amount,
  CustomerRef: reference,
  VendorRef: reference,
  /** For a Purchase: a supplier, customer or employee. */
  EntityRef: z.object({ value: z.string(), name: text, type: text }).nullish(),
  /** For a Purchase: a refund to the credit card. */
  Credit: z.boolean().nullish(),
  Line: z.array(lineWire).nullish(),
  TxnTaxDetail: z.object({ TaxLine: z.array(taxLineWire).nullish() }).nullish(),
});
export type QuickBooksDocumentWire = z.infer<typeof quickBooksDocumentWire>;

/** Responses state only the last characters of a tax registration number; notes such as "n/a" have neither digits nor a mask. */
const TAX_NUMBER = /[\dX*]/;

/** A supplier. Only the fields that show whether it is registered for VAT are copied, and whether it has a number instead of the number. */
export const quickBooksVendorWire = z
  .object({ Id: z.string(), TaxIdentifier: text, BillAddr: z.object({ Country: text }).nullish() })
  .transform(({ Id, TaxIdentifier, BillAddr }) => ({
    Id,
    Country: BillAddr?.Country ?? null,
    hasTaxNumber: TAX_NUMBER.test(TaxIdentifier ?? ''),
  }));
export type QuickBooksVendor = z.output<typeof quickBooksVendorWire>;

export const quickBooksCompanyWire = z.object({
  CompanyName: text,
  NameValue: z.array(z.object({ Name: text, Value: text })).nullish(),
});
export type QuickBooksCompanyWire = z.infer<typeof quickBooksCompanyWire>;

export const quickBooksAgencyWire = z.object({ Id: z.string(), DisplayName: text, TaxRegistrationNumber: text, LastFileDate: text });
export type QuickBooksAgencyWire = z.infer<typeof quickBooksAgencyWire>;

const rateListWire = z.object({ TaxRateDetail: z.array(z.object({ TaxRateRef: reference })).nullish() }).nullish();

export const quickBooksTaxCodeWire = z.object({
  Id: z.string(),
  Name: text,
  Description: text,
  Active: z.boolean().nullish(),
  Taxable: z.boolean().nullish(),
  SalesTaxRateList: rateListWire,
  PurchaseTaxRateList: rateListWire,
});
export type QuickBooksTaxCodeWire = z.infer<typeof quickBooksTaxCodeWire>;

export const quickBooksTaxRateWire = z.object({
  Id: z.string(),
  Name: text,
  Description: text,
  RateValue: amount,
  AgencyRef: reference,
  SpecialTaxType: text,
  TaxReturnLineRef: reference,
});
export type QuickBooksTaxRateWire = z.infer<typeof quickBooksTaxRateWire>;
