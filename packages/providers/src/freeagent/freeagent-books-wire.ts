/**
 * FreeAgent's documents, limited to what VAT needs (docs/reference/providers.md section 3; dev.freeagent.com/docs). Amounts are decimal
 * strings.
 */
import { z } from 'zod';

const amount = z.union([z.string(), z.number()]).nullish();
const text = z.string().nullish();

const taxedFields = {
  sales_tax_rate: amount,
  sales_tax_value: amount,
  sales_tax_status: text,
  second_sales_tax_rate: amount,
  second_sales_tax_value: amount,
  second_sales_tax_status: text,
  manual_sales_tax_amount: amount,
};

const invoiceItemWire = z.object({
  ...taxedFields,
  item_type: text,
  quantity: amount,
  price: amount,
  category: text,
});
export type FreeAgentInvoiceItemWire = z.infer<typeof invoiceItemWire>;

const header = {
  url: z.string(),
  status: text,
  contact: text,
  contact_name: text,
  reference: text,
  dated_on: text,
  currency: text,
  exchange_rate: amount,
  net_value: amount,
  sales_tax_value: amount,
  second_sales_tax_value: amount,
  total_value: amount,
  ec_status: text,
  paid_on: text,
  cis_deduction: amount,
};

export const freeAgentInvoiceWire = z.object({
  ...header,
  discount_percent: amount,
  involves_sales_tax: z.boolean().nullish(),
  invoice_items: z.array(invoiceItemWire).nullish(),
  credit_note_items: z.array(invoiceItemWire).nullish(),
});
export type FreeAgentInvoiceWire = z.infer<typeof freeAgentInvoiceWire>;

/** Only the fields that show whether a supplier is registered for VAT: names and addresses aren't copied. */
export const freeAgentContactWire = z.object({ url: z.string(), country: text, sales_tax_registration_number: text });

const billItemWire = z.object({
  ...taxedFields,
  total_value: amount,
  total_value_ex_tax: amount,
  category: text,
  capital_asset: text,
});
export type FreeAgentBillItemWire = z.infer<typeof billItemWire>;

export const freeAgentBillWire = z.object({
  ...header,
  category: text,
  is_paid_by_hire_purchase: z.boolean().nullish(),
  bill_items: z.array(billItemWire).nullish(),
});
export type FreeAgentBillWire = z.infer<typeof freeAgentBillWire>;

export const freeAgentExpenseWire = z.object({
  ...taxedFields,
  url: z.string(),
  user: text,
  category: text,
  dated_on: text,
  currency: text,
  gross_value: amount,
  native_gross_value: amount,
  native_sales_tax_value: amount,
  ec_status: text,
  description: text,
  receipt_reference: text,
  capital_asset: text,
});
export type FreeAgentExpenseWire = z.infer<typeof freeAgentExpenseWire>;

export const freeAgentExplanationWire = z.object({
  ...taxedFields,
  url: z.string(),
  type: text,
  ec_status: text,
  dated_on: text,
  gross_value: amount,
  foreign_currency_value: amount,
  description: text,
  receipt_reference: text,
  category: text,
  marked_for_review: z.boolean().nullish(),
  paid_invoice: text,
  paid_bill: text,
  paid_user: text,
  transfer_bank_account: text,
  capital_asset: text,
  disposed_asset: text,
});
/** Includes the currency of the entry's bank account, which its amounts are in; the API states it only for the account. */
export type FreeAgentExplanationWire = z.infer<typeof freeAgentExplanationWire> & { readonly account_currency?: string | null | undefined };

export const freeAgentCompanyWire = z.object({
  name: text,
  currency: text,
  sales_tax_registration_status: text,
  sales_tax_registration_number: text,
  company_registration_number: text,
  initially_on_frs: z.boolean().nullish(),
  subdomain: text,
});
export type FreeAgentCompanyWire = z.infer<typeof freeAgentCompanyWire>;

/** A client in a practice's list: a company as above, plus its contact details. */
export const freeAgentPracticeClientWire = z.object({
  name: text,
  subdomain: text,
  type: text,
  company_registration_number: text,
  sales_tax_registration_number: text,
  first_accounting_year_end: text,
  annual_accounting_periods: z.array(z.object({ ends_on: text })).nullish(),
  postcode: text,
  contact_email: text,
  contact_phone: text,
});
export type FreeAgentPracticeClientWire = z.infer<typeof freeAgentPracticeClientWire>;

const categoryWire = z.object({
  url: z.string(),
  description: text,
  nominal_code: text,
  auto_sales_tax_rate: text,
  tax_reporting_name: text,
});
export type FreeAgentCategoryWire = z.infer<typeof categoryWire>;

export const freeAgentCategoriesWire = z.object({
  admin_expenses_categories: z.array(categoryWire).nullish(),
  cost_of_sales_categories: z.array(categoryWire).nullish(),
  income_categories: z.array(categoryWire).nullish(),
  general_categories: z.array(categoryWire).nullish(),
});
export type FreeAgentCategoriesWire = z.infer<typeof freeAgentCategoriesWire>;

export const freeAgentBankAccountWire = z.object({ url: z.string(), currency: text });

/** Only a return's net payment, because the API has no boxes. A negative amount is repaid. */
export const freeAgentVatReturnWire = z.object({
  period_starts_on: text,
  period_ends_on: text,
  payments: z.array(z.object({ amount_due: amount })).nullish(),
});
