import type { RecordedObject, Recordings } from '../simulator/recordings.ts';
import { deriveGuid, deriveHex } from '../oidc/people.ts';
import { type BooksContact, listContacts } from './list-contacts.ts';
import { type BooksEntry, type BooksSettings, toPounds, type VatPosting } from './books-entry.ts';

const VAT_CODE = '820';
const TAX_RATES: readonly (readonly [code: string, name: string, report: string, rate: number, isSale: boolean])[] = [
  ['OUTPUT2', '20% (VAT on Income)', 'OUTPUT', 20, true],
  ['ZERORATEDOUTPUT', 'Zero Rated Income', 'ZERORATEDOUTPUT', 0, true],
  ['INPUT2', '20% (VAT on Expenses)', 'INPUT', 20, false],
  ['ZERORATEDINPUT', 'Zero Rated Expenses', 'ZERORATEDINPUT', 0, false],
  ['NONE', 'No VAT', 'NONE', 0, false],
  ['TAX001', 'Workshop materials', 'USER_DEFINED', 20, false],
];

/** Returns an organisation in the format of Xero's accounting API. */
export function toXeroRecordings(
  { name, vatNumber, companyNumber, scheme, isDemo, lockedUntil, vatPostings = [] }: BooksSettings,
  entries: readonly BooksEntry[],
): Recordings {
  return {
    Organisation: [
      {
        OrganisationID: deriveHex('xero', 'organisation', name),
        Name: name,
        LegalName: name,
        PaysTax: vatNumber !== null,
        Version: 'UK',
        CountryCode: 'GB',
        BaseCurrency: 'GBP',
        ...(vatNumber === null ? {} : { TaxNumber: `GB ${vatNumber}` }),
        ...(companyNumber === undefined ? {} : { RegistrationNumber: companyNumber }),
        SalesTaxBasis: vatNumber === null ? 'NONE' : scheme === 'flat_rate' ? 'FLATRATEACCRUAL' : scheme.toUpperCase(),
        SalesTaxPeriod: 'QUARTERLY1',
        ShortCode: `!${deriveHex('xero', 'short', name).slice(0, 5)}`,
        IsDemoCompany: isDemo,
        ...(lockedUntil === undefined ? {} : { PeriodLockDate: `/Date(${Date.parse(lockedUntil)}+0000)/` }),
      },
    ],
    TaxRates: TAX_RATES.map(([TaxType, Name, ReportTaxType, rate, isSale]) => ({
      TaxType,
      Name,
      ReportTaxType,
      Status: 'ACTIVE',
      CanApplyToRevenue: isSale,
      CanApplyToExpenses: !isSale,
      DisplayTaxRate: rate,
      EffectiveRate: rate,
      TaxComponents: [{ Name: 'VAT', Rate: rate, IsCompound: false, IsNonRecoverable: false }],
    })),
    Accounts: [
      { AccountID: deriveGuid('xero', 'account', '200'), Code: '200', Name: 'Sales', Type: 'REVENUE' },
      { AccountID: deriveGuid('xero', 'account', '310'), Code: '310', Name: 'Cost of goods sold', Type: 'DIRECTCOSTS' },
      { AccountID: deriveGuid('xero', 'account', VAT_CODE), Code: VAT_CODE, Name: 'VAT', Type: 'CURRLIAB', SystemAccount: 'GST' },
    ],
    Contacts: listContacts(entries).map(toContact),
    Invoices: entries.map(toInvoice),
    BankTransactions: vatPostings.filter(({ kind }) => kind === 'payment').map(toPayment),
    ManualJournals: vatPostings.filter(({ kind }) => kind === 'correction').map(toJournal),
  };
}

const toContactId = (name: string): string => deriveGuid('xero', 'contact', name);

function toContact({ name, vatNumber, changedAt }: BooksContact): RecordedObject {
  return {
    ContactID: toContactId(name),
    ContactStatus: 'ACTIVE',
    Name: name,
    TaxNumber: vatNumber ?? '',
    Addresses: [
      { AddressType: 'STREET', City: '', Country: '' },
      { AddressType: 'POBOX', City: 'Brighton', Country: 'United Kingdom' },
    ],
    UpdatedDateUTC: `/Date(${Date.parse(changedAt)}+0000)/`,
  };
}

function toPayment({ date, pence }: VatPosting, index: number): RecordedObject {
  const amount = toPounds(Math.abs(pence));
  return {
    BankTransactionID: `vat-payment-${index}`,
    Type: pence < 0 ? 'SPEND' : 'RECEIVE',
    Status: 'AUTHORISED',
    Contact: { Name: 'HMRC' },
    ...toDates(date),
    LineAmountTypes: 'NoTax',
    LineItems: [{ Description: 'VAT', AccountCode: VAT_CODE, TaxType: 'NONE', LineAmount: amount, TaxAmount: 0 }],
    SubTotal: amount,
    TotalTax: 0,
    Total: amount,
    CurrencyCode: 'GBP',
  };
}

/** A positive line is a debit. */
function toJournal({ date, pence }: VatPosting, index: number): RecordedObject {
  return {
    ManualJournalID: `vat-journal-${index}`,
    Narration: 'VAT correction',
    Status: 'POSTED',
    ...toDates(date),
    LineAmountTypes: 'NoTax',
    JournalLines: [
      { AccountCode: VAT_CODE, TaxType: 'NONE', LineAmount: toPounds(-pence), TaxAmount: 0 },
      { AccountCode: '310', TaxType: 'NONE', LineAmount: toPounds(pence), TaxAmount: 0 },
    ],
  };
}

function toDates(date: string): RecordedObject {
  return { Date: `/Date(${Date.parse(`${date}T00:00:00Z`)}+0000)/`, DateString: `${date}T00:00:00` };
}

function toInvoice(entry: BooksEntry): RecordedObject {
  const { kind, date, netPence, vatPence } = entry;
  const isSale = kind === 'sale';
  const taxType =
    entry.treatment === 'custom'
      ? 'TAX001'
      : TAX_RATES.find(([, , , rate, isSaleRate]) => isSaleRate === isSale && rate > 0 === (entry.treatment === 'standard'))?.[0];
  return {
    InvoiceID: entry.id,
    Type: isSale ? 'ACCREC' : 'ACCPAY',
    InvoiceNumber: entry.reference,
    Status: entry.isDraft ? 'DRAFT' : entry.paidOn === undefined ? 'AUTHORISED' : 'PAID',
    Contact: { ContactID: toContactId(entry.counterparty), Name: entry.counterparty },
    ...toDates(date),
    UpdatedDateUTC: `/Date(${Date.parse(entry.changedAt)}+0000)/`,
    LineAmountTypes: 'Exclusive',
    LineItems: [
      {
        Description: entry.description,
        AccountCode: isSale ? '200' : '310',
        TaxType: taxType,
        LineAmount: toPounds(netPence),
        TaxAmount: toPounds(vatPence),
      },
    ],
    SubTotal: toPounds(netPence),
    TotalTax: toPounds(vatPence),
    Total: toPounds(netPence + vatPence),
    Payments:
      entry.paidOn === undefined
        ? []
        : [{ PaymentID: `paid-${entry.id}`, ...toDates(entry.paidOn), Amount: toPounds(netPence + vatPence) }],
    CurrencyCode: 'GBP',
  };
}
