import type { RecordedObject, Recordings } from '../simulator/recordings.ts';
import { type BooksContact, listContacts } from './list-contacts.ts';
import { type BooksEntry, type BooksSettings, toPounds, type VatPosting } from './books-entry.ts';

/** [code, name, sales rate, purchase rate, percent]. A custom code with a rate of 0 could mean anything. */
const CODES: readonly (readonly [code: string, name: string, sales: string, purchases: string, rate: number])[] = [
  ['2', '20.0% S', 's20', 'p20', 20],
  ['3', '0.0% Z', 's0', 'p0', 0],
  ['4', 'No VAT', 'sn', 'pn', 0],
  ['9', 'Workshop materials', 'sc', 'pc', 0],
];
const CODE_BY_TREATMENT = { standard: '2', zero: '3', custom: '9' } as const;

/** Returns a company in the format of QuickBooks Online's query endpoint. */
export function toQuickBooksRecordings(
  { name, vatNumber, scheme, filedUntil, vatPostings = [] }: BooksSettings,
  entries: readonly BooksEntry[],
): Recordings {
  const listByKind = (kind: BooksEntry['kind']) => entries.filter((entry) => entry.kind === kind && !entry.isDraft).map(toDocument);
  return {
    CompanyInfo: [
      {
        Id: '1',
        CompanyName: name,
        LegalName: name,
        Country: 'GB',
        NameValue: scheme === 'flat_rate' ? [{ Name: 'FlatRateScheme', Value: 'true' }] : [],
      },
    ],
    TaxAgency: [
      {
        Id: '1',
        DisplayName: 'HMRC VAT',
        TaxTrackedOnSales: true,
        TaxTrackedOnPurchases: true,
        ...(vatNumber === null ? {} : { TaxRegistrationNumber: vatNumber }),
        ...(filedUntil === undefined ? {} : { LastFileDate: filedUntil }),
      },
    ],
    TaxCode: CODES.map(([Id, Name, sales, purchases]) => ({
      Id,
      Name,
      Description: Name,
      Active: true,
      Taxable: true,
      TaxGroup: true,
      SalesTaxRateList: { TaxRateDetail: [{ TaxRateRef: { value: sales } }] },
      PurchaseTaxRateList: { TaxRateDetail: [{ TaxRateRef: { value: purchases } }] },
    })),
    TaxRate: CODES.flatMap(([, Name, sales, purchases, RateValue]) =>
      [sales, purchases].map((Id) => ({
        Id,
        Name: `${Name} ${Id}`,
        RateValue,
        AgencyRef: { value: '1' },
        SpecialTaxType: Name.endsWith(' Z') ? 'ZERO_RATE' : 'NONE',
        Active: true,
      })),
    ),
    Vendor: listContacts(entries.filter(({ kind }) => kind === 'purchase')).map(toVendor),
    Account: [
      { Id: '81', Name: 'VAT Control', AccountType: 'Other Current Liability', AccountSubType: 'GlobalTaxPayable', Active: true },
      { Id: '82', Name: 'VAT Suspense', AccountType: 'Other Current Liability', AccountSubType: 'GlobalTaxSuspense', Active: true },
    ],
    // Payments go to the suspense account and aren't VAT documents.
    JournalEntry: vatPostings.filter(({ kind }) => kind === 'correction').map(toJournal),
    Invoice: listByKind('sale'),
    Bill: listByKind('purchase'),
  };
}

/** QuickBooks masks tax registration numbers: its responses have the last characters only. */
function toVendor({ name, vatNumber, changedAt }: BooksContact): RecordedObject {
  return {
    Id: name,
    DisplayName: name,
    Active: true,
    ...(vatNumber === null ? {} : { TaxIdentifier: vatNumber.replaceAll(/.(?=.{4})/g, 'X') }),
    MetaData: { CreateTime: changedAt, LastUpdatedTime: changedAt },
  };
}

function toJournal({ date, pence }: VatPosting, index: number): RecordedObject {
  const toLine = (posting: 'Credit' | 'Debit', account: string) => ({
    Amount: toPounds(Math.abs(pence)),
    DetailType: 'JournalEntryLineDetail',
    JournalEntryLineDetail: { PostingType: posting, AccountRef: { value: account } },
  });
  const [vat, otherSide] = pence > 0 ? (['Credit', 'Debit'] as const) : (['Debit', 'Credit'] as const);
  return {
    Id: `9${index}`,
    DocNumber: `VAT-${index + 1}`,
    TxnDate: date,
    CurrencyRef: { value: 'GBP' },
    Line: [toLine(vat, '81'), toLine(otherSide, '60')],
  };
}

function toDocument(entry: BooksEntry): RecordedObject {
  const { kind, netPence, vatPence, treatment } = entry;
  const isSale = kind === 'sale';
  const detail = isSale ? 'SalesItemLineDetail' : 'AccountBasedExpenseLineDetail';
  const code = CODES.find(([id]) => id === CODE_BY_TREATMENT[treatment]);
  const rate = (isSale ? code?.[2] : code?.[3]) ?? '';
  const party = { value: entry.counterparty, name: entry.counterparty };
  return {
    Id: entry.id,
    DocNumber: entry.reference,
    TxnDate: entry.date,
    MetaData: { CreateTime: entry.changedAt, LastUpdatedTime: entry.changedAt },
    CurrencyRef: { value: 'GBP', name: 'British Pound Sterling' },
    GlobalTaxCalculation: 'TaxExcluded',
    TotalAmt: toPounds(netPence + vatPence),
    ...(isSale ? { CustomerRef: party } : { VendorRef: party }),
    Line: [
      {
        Amount: toPounds(netPence),
        Description: entry.description,
        DetailType: detail,
        [detail]: { TaxCodeRef: { value: CODE_BY_TREATMENT[treatment] } },
      },
    ],
    TxnTaxDetail: {
      TotalTax: toPounds(vatPence),
      TaxLine: [
        {
          Amount: toPounds(vatPence),
          DetailType: 'TaxLineDetail',
          TaxLineDetail: { TaxRateRef: { value: rate }, PercentBased: true, NetAmountTaxable: toPounds(netPence) },
        },
      ],
    },
  };
}
