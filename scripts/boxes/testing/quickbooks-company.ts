/** QuickBooks Online API objects for test recordings. */
import type { RecordedObject } from '@portal/sandbox/simulator/recordings.ts';

/** [id, code, rates on sales, rates on purchases]; a rate is [id, name, value, special type]. Reverse charges have two that cancel out. */
type TestTaxRate = readonly [id: string, name: string, value: number, special?: string];
type TestTaxCode = readonly [
  id: string,
  name: string,
  sales: readonly TestTaxRate[],
  purchases: readonly TestTaxRate[],
  description?: string,
];

const ZERO = 'ZERO_RATE';
const UK_CODES: readonly TestTaxCode[] = [
  ['S', '20.0% S', [['s1', 'SS-20.0', 20]], [['p1', 'SP-20.0', 20]]],
  ['R', '5.0% R', [['s2', 'RS-5.0', 5]], [['p2', 'RP-5.0', 5]]],
  ['Z', '0.0% Z', [['s3', 'ZS', 0, ZERO]], [['p3', 'ZP', 0, ZERO]]],
  ['E', 'Exempt', [['s4', 'ES', 0]], [['p4', 'EP', 0]], 'Exempt from VAT'],
  ['N', 'No VAT', [['s5', 'NS', 0]], [['p5', 'NP', 0]]],
  [
    'RCSG',
    '20.0% RC SG',
    [['s6', 'RC SG Sales', 0]],
    [
      ['p6', 'RC SG Purchases', 20],
      ['p7', 'RC SG Purchases offset', -20],
    ],
  ],
  [
    'RCM',
    '20.0% RC MPCCs',
    [['s8', 'RC MPCC Sales', 0]],
    [
      ['p8', 'RC MPCC Purchases', 20],
      ['p9', 'RC MPCC offset', -20],
    ],
  ],
  [
    'RC20',
    '20.0% RC CIS',
    [['s10', 'RC CIS 20 Sales', 0]],
    [
      ['p10', 'RC CIS 20 Purchases', 20],
      ['p11', 'RC CIS 20 offset', -20],
    ],
  ],
  [
    'RC5',
    '5.0% RC CIS',
    [['s12', 'RC CIS 5 Sales', 0]],
    [
      ['p12', 'RC CIS 5 Purchases', 5],
      ['p13', 'RC CIS 5 offset', -5],
    ],
  ],
  [
    'ECG20',
    '20.0% ECG',
    [],
    [
      ['p14', 'ECG Purchases', 20],
      ['p15', 'ECG offset', -20],
    ],
  ],
  ['ECG0', '0.0% ECG', [['s16', 'ECG Sales', 0, ZERO]], [['p16', 'ECG Purchases zero', 0, ZERO]]],
  [
    'ECS20',
    '20.0% ECS',
    [],
    [
      ['p17', 'ECS Purchases', 20],
      ['p18', 'ECS offset', -20],
    ],
  ],
  ['ECS0', '0.0% ECS', [['s19', 'ECS Sales', 0, ZERO]], [['p19', 'ECS Purchases zero', 0, ZERO]]],
  [
    'PVAT',
    '20.0% PVAT',
    [],
    [
      ['p20', 'PVAT Purchases', 20],
      ['p21', 'PVAT offset', -20],
    ],
  ],
  ['PVAT0', '0.0% PVAT Z', [], [['p22', 'PVAT Purchases zero', 0, ZERO]]],
];

const AGENCY_ID = '1';

export const QUICKBOOKS_SETTINGS = {
  CompanyInfo: [{ Id: '1', CompanyName: 'Rowan Interiors Ltd', Country: 'GB' }],
  TaxAgency: [
    { Id: AGENCY_ID, DisplayName: 'HMRC VAT', TaxTrackedOnSales: true, TaxTrackedOnPurchases: true, TaxRegistrationNumber: '123456782' },
  ],
  TaxCode: UK_CODES.map((code) => createQuickBooksCode(code)),
  TaxRate: UK_CODES.flatMap(([, , sales, purchases]) => [...sales, ...purchases]).map((rate) => createQuickBooksRate(rate)),
};

export function createQuickBooksCode([Id, Name, sales, purchases, Description = Name]: TestTaxCode, Active = true): RecordedObject {
  const toList = (rates: readonly TestTaxRate[]) => ({
    TaxRateDetail: rates.map(([value, name]) => ({ TaxRateRef: { value, name }, TaxTypeApplicable: 'TaxOnAmount', TaxOrder: 0 })),
  });
  return {
    Id,
    Name,
    Description,
    Active,
    Taxable: true,
    TaxGroup: true,
    SalesTaxRateList: toList(sales),
    PurchaseTaxRateList: toList(purchases),
  };
}

export function createQuickBooksRate([Id, Name, RateValue, SpecialTaxType = 'NONE']: TestTaxRate, agency = AGENCY_ID): RecordedObject {
  return { Id, Name, Description: Name, RateValue, AgencyRef: { value: agency }, SpecialTaxType, DisplayType: 'ReadOnly', Active: true };
}

let number = 0;

/** Creates a document. `lines`: [code, net amount]; `taxes`: [rate, VAT, net amount], as in TxnTaxDetail. */
export function createQuickBooksDocument(
  side: 'sale' | 'purchase',
  TxnDate: string,
  lines: readonly (readonly [code: string, amount: number])[],
  taxes: readonly (readonly [rate: string, vat: number, net: number])[],
  fields: RecordedObject = {},
): RecordedObject {
  number += 1;
  const detail = side === 'sale' ? 'SalesItemLineDetail' : 'AccountBasedExpenseLineDetail';
  return {
    Id: String(number),
    DocNumber: `D-${number}`,
    TxnDate,
    CurrencyRef: { value: 'GBP', name: 'British Pound Sterling' },
    GlobalTaxCalculation: 'TaxExcluded',
    TotalAmt: lines.reduce((sum, [, amount]) => sum + amount, 0),
    Line: [
      ...lines.map(([value, Amount]) => ({ Amount, DetailType: detail, [detail]: { TaxCodeRef: { value } } })),
      { Amount: 1, DetailType: 'SubTotalLineDetail', SubTotalLineDetail: {} },
    ],
    TxnTaxDetail: { TotalTax: taxes.reduce((sum, [, vat]) => sum + vat, 0), TaxLine: taxes.map(toTaxLine) },
    ...fields,
  };
}

export function toTaxLine([value, Amount, NetAmountTaxable]: readonly [rate: string, vat: number, net: number]): RecordedObject {
  return {
    Amount,
    DetailType: 'TaxLineDetail',
    TaxLineDetail: { TaxRateRef: { value }, PercentBased: true, NetAmountTaxable },
  };
}

/** Creates a journal line. */
export function createJournalLine(PostingType: 'Debit' | 'Credit', Amount: number, detail: RecordedObject = {}): RecordedObject {
  return { Amount, DetailType: 'JournalEntryLineDetail', JournalEntryLineDetail: { PostingType, AccountRef: { value: '1' }, ...detail } };
}
