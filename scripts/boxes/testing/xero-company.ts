/** Xero API objects for test recordings. */
import type { RecordedObject } from '@portal/sandbox/simulator/recordings.ts';

/** [TaxType, name, ReportTaxType, side, effective rate]: Xero's UK rates, with the rates in real responses. */
const UK_RATES: readonly (readonly [string, string, string, 'sale' | 'purchase' | 'both', number])[] = [
  ['OUTPUT2', '20% (VAT on Income)', 'OUTPUT', 'sale', 20],
  ['INPUT2', '20% (VAT on Expenses)', 'INPUT', 'purchase', 20],
  ['OUTPUT', '17.5% (VAT on Income)', 'OUTPUT', 'sale', 17.5],
  ['INPUT', '17.5% (VAT on Expenses)', 'INPUT', 'purchase', 17.5],
  ['SROUTPUT', '15% (VAT on Income)', 'OUTPUT', 'sale', 15],
  ['SRINPUT', '15% (VAT on Expenses)', 'INPUT', 'purchase', 15],
  ['RROUTPUT', '5% (VAT on Income)', 'OUTPUT', 'sale', 5],
  ['RRINPUT', '5% (VAT on Expenses)', 'INPUT', 'purchase', 5],
  ['ZERORATEDOUTPUT', 'Zero Rated Income', 'OUTPUT', 'sale', 0],
  ['ZERORATEDINPUT', 'Zero Rated Expenses', 'INPUT', 'purchase', 0],
  ['EXEMPTOUTPUT', 'Exempt Income', 'EXEMPTOUTPUT', 'sale', 0],
  ['EXEMPTINPUT', 'Exempt Expenses', 'EXEMPTINPUT', 'purchase', 0],
  ['CAPEXOUTPUT2', '20% (VAT on Capital Sales)', 'CAPITALSALESOUTPUT', 'both', 20],
  ['CAPEXINPUT2', '20% (VAT on Capital Purchases)', 'CAPITALEXPENSESINPUT', 'both', 20],
  ['CAPEXOUTPUT', '17.5% (VAT on Capital Sales)', 'CAPITALSALESOUTPUT', 'both', 17.5],
  ['CAPEXINPUT', '17.5% (VAT on Capital Purchases)', 'CAPITALEXPENSESINPUT', 'both', 17.5],
  ['CAPEXSROUTPUT', '15% (VAT on Capital Sales)', 'CAPITALSALESOUTPUT', 'both', 15],
  ['CAPEXSRINPUT', '15% (VAT on Capital Purchases)', 'CAPITALEXPENSESINPUT', 'both', 15],
  ['ECZROUTPUT', 'Zero Rated EC Goods Income', 'ECOUTPUT', 'sale', 0],
  ['ECZROUTPUTSERVICES', 'Zero Rated EC Services', 'ECOUTPUTSERVICES', 'sale', 0],
  ['ECACQUISITIONS', 'EC Acquisitions (20%)', 'ECACQUISITIONS', 'purchase', 0],
  ['ECZRACQUISITIONS', 'EC Acquisitions (Zero Rated)', 'ECACQUISITIONS', 'purchase', 0],
  ['REVERSECHARGES', 'Reverse Charge Expenses (20%)', 'REVERSECHARGES', 'purchase', 0],
  ['GSTONIMPORTS', 'VAT on Imports', 'GSTONIMPORTS', 'both', 0],
  ['DRCHARGE20', 'Domestic Reverse Charge @ 20% (VAT on Income)', 'DRCHARGE', 'sale', 0],
  ['DRCHARGE5', 'Domestic Reverse Charge @ 5% (VAT on Income)', 'DRCHARGE', 'sale', 0],
  ['DRCHARGESUPPLY20', 'Domestic Reverse Charge @ 20% (VAT on Expenses)', 'DRCHARGESUPPLY', 'purchase', 20],
  ['DRCHARGESUPPLY5', 'Domestic Reverse Charge @ 5% (VAT on Expenses)', 'DRCHARGESUPPLY', 'purchase', 5],
  ['NONE', 'No VAT', 'NONE', 'both', 0],
];

export const XERO_TAX_RATES: readonly RecordedObject[] = UK_RATES.map(([TaxType, name, report, side, rate]) =>
  createXeroRate(TaxType, name, report, side, rate),
);

export function createXeroRate(
  TaxType: string,
  Name: string,
  ReportTaxType: string,
  side: 'sale' | 'purchase' | 'both',
  rate: number,
): RecordedObject {
  return {
    Name,
    TaxType,
    ReportTaxType,
    Status: 'ACTIVE',
    CanApplyToRevenue: side === 'sale' || TaxType === 'NONE',
    CanApplyToExpenses: side === 'purchase' || TaxType === 'NONE',
    DisplayTaxRate: rate,
    EffectiveRate: rate,
    TaxComponents: [{ Name: 'VAT', Rate: rate, IsCompound: false }],
  };
}

export function createXeroOrganisation(SalesTaxBasis = 'ACCRUAL'): RecordedObject {
  return {
    Name: 'Alder Joinery Ltd',
    PaysTax: SalesTaxBasis !== 'NONE',
    BaseCurrency: 'GBP',
    CountryCode: 'GB',
    TaxNumber: 'GB 123 4567 82',
    SalesTaxBasis,
  };
}

export const XERO_ACCOUNTS: readonly RecordedObject[] = [
  { Code: '200', Name: 'Sales', Type: 'REVENUE' },
  { Code: '420', Name: 'Entertainment', Type: 'EXPENSE' },
  { Code: '429', Name: 'General Expenses', Type: 'EXPENSE' },
];

/** A line: tax type, line amount, tax amount, account. */
export type Line = readonly [taxType: string, amount: number, tax?: number, account?: string];

/** Formats a date as Xero does, in UTC. */
export function toXeroDate(date: string): string {
  return `/Date(${Date.parse(`${date}T00:00:00Z`)}+0000)/`;
}

let number = 0;

/** Creates a document for any resource. Totals follow from the lines; `fields` overrides any property. */
export function createXeroDocument(
  idName: string,
  Type: string,
  date: string,
  lines: readonly Line[],
  fields: RecordedObject = {},
): RecordedObject {
  number += 1;
  const id = `${idName}-${number}`;
  const isInclusive = fields['LineAmountTypes'] === 'Inclusive';
  const sum = (index: 1 | 2) => lines.reduce((total, line) => total + (line[index] ?? 0) * 100, 0);
  const [amounts, tax] = [Math.round(sum(1)), Math.round(sum(2))];
  return {
    [idName]: id,
    Type,
    Status: 'AUTHORISED',
    Contact: { ContactID: 'c1', Name: `Contact of ${id}` },
    Date: toXeroDate(date),
    DateString: `${date}T00:00:00`,
    LineAmountTypes: 'Exclusive',
    LineItems: lines.map(([TaxType, LineAmount, TaxAmount = 0, AccountCode = '429']) => ({ TaxType, LineAmount, TaxAmount, AccountCode })),
    SubTotal: (isInclusive ? amounts - tax : amounts) / 100,
    TotalTax: tax / 100,
    Total: (isInclusive ? amounts : amounts + tax) / 100,
    CurrencyCode: 'GBP',
    InvoiceNumber: `N-${number}`,
    CreditNoteNumber: `N-${number}`,
    ...fields,
  };
}

export const createInvoice = (Type: 'ACCREC' | 'ACCPAY', date: string, lines: readonly Line[], fields?: RecordedObject) =>
  createXeroDocument('InvoiceID', Type, date, lines, fields);

export function createPayment(date: string, amount: number, paidDocument: RecordedObject, fields: RecordedObject = {}): RecordedObject {
  number += 1;
  return { PaymentID: `p-${number}`, Date: toXeroDate(date), Amount: amount, Status: 'AUTHORISED', ...paidDocument, ...fields };
}
