import { describe, expect, it } from 'vitest';
import { computeRecordings } from './testing/compute-recordings.ts';
import {
  createInvoice,
  createPayment,
  createXeroDocument,
  createXeroOrganisation,
  createXeroRate,
  toXeroDate,
  XERO_ACCOUNTS,
  XERO_TAX_RATES,
} from './testing/xero-company.ts';

const SETTINGS = { Organisation: [createXeroOrganisation()], TaxRates: XERO_TAX_RATES, Accounts: XERO_ACCOUNTS };
const CASH_BASIS_SETTINGS = { ...SETTINGS, Organisation: [createXeroOrganisation('CASH')] };

describe('boxes from Xero', () => {
  it('are correct for a company that uses every UK rate', async () => {
    const sales = createInvoice('ACCREC', '2026-07-01', [
      ['OUTPUT2', 1000, 200],
      ['OUTPUT', 1000, 175],
      ['SROUTPUT', 1000, 150],
      ['RROUTPUT', 1000, 50],
      ['ZERORATEDOUTPUT', 300],
      ['EXEMPTOUTPUT', 40],
      ['CAPEXOUTPUT2', 500, 100],
      ['CAPEXOUTPUT', 500, 87.5],
      ['CAPEXSROUTPUT', 500, 75],
      ['ECZROUTPUT', 700],
      ['ECZROUTPUTSERVICES', 60],
      ['DRCHARGE20', 2000],
      ['DRCHARGE5', 1000],
      ['NONE', 9999],
    ]);
    const purchases = createInvoice('ACCPAY', '2026-09-30', [
      ['INPUT2', 100, 20],
      ['INPUT', 100, 17.5],
      ['SRINPUT', 100, 15],
      ['RRINPUT', 100, 5],
      ['ZERORATEDINPUT', 11],
      ['EXEMPTINPUT', 7],
      ['CAPEXINPUT2', 800, 160],
      ['CAPEXINPUT', 200, 35],
      ['CAPEXSRINPUT', 100, 15],
      ['ECACQUISITIONS', 400],
      ['ECZRACQUISITIONS', 90],
      ['REVERSECHARGES', 250],
      ['GSTONIMPORTS', 333.33],
      ['DRCHARGESUPPLY20', 600],
      ['DRCHARGESUPPLY5', 100],
      ['NONE', 5000],
    ]);
    // Box 1: sales 200 + 175 + 150 + 50 + 100 + 87.50 + 75 = 837.50; reverse charge 50, domestic 120 + 5: 1,012.50. Box 2: 80.
    // Box 4: 20 + 17.50 + 15 + 5 + 160 + 35 + 15 = 267.50; 80 + 50 + 120 + 5 = 255; import VAT 333.33: 855.83.
    // Box 6: 4 x 1,000 + 300 + 40 + 3 x 500 + 700 + 60 + 3,000 = 9,600; reverse charge 250: 9,850.
    // Box 7: 400 + 11 + 7 + 1,100 + 400 + 90 + 250 + 700 = 2,958. Box 8: 700. Box 9: 490.
    expect(await computeRecordings('xero', { ...SETTINGS, Invoices: [sales, purchases] })).toEqual({
      boxes: ['1012.50', '80.00', '1092.50', '855.83', '236.67', 9850, 2958, 700, 490],
      direction: 'payment',
      rows: 2,
      outsidePeriod: 0,
      flagged: [],
    });
  });

  it('are correct for a company on cash accounting, with part payments and allocations', async () => {
    const earlyInvoice = createInvoice('ACCREC', '2026-05-20', [['OUTPUT2', 1000, 200]], { Status: 'AUTHORISED' });
    const thirdsInvoice = createInvoice('ACCREC', '2026-07-10', [['OUTPUT2', 100, 20]]);
    const unpaidInvoice = createInvoice('ACCREC', '2026-08-01', [['OUTPUT2', 5000, 1000]]);
    const cisInvoice = createInvoice('ACCREC', '2026-07-15', [['OUTPUT2', 1000, 200]], { CISDeduction: 200 });
    const creditedInvoice = createInvoice('ACCREC', '2026-07-20', [['OUTPUT2', 500, 100]]);
    const note = createXeroDocument('CreditNoteID', 'ACCRECCREDIT', '2026-08-02', [['OUTPUT2', 50, 10]], {
      Allocations: [
        { AllocationID: 'a1', Amount: 60, Date: toXeroDate('2026-08-03'), Invoice: { InvoiceID: creditedInvoice['InvoiceID'] } },
      ],
    });
    const services = createInvoice('ACCPAY', '2026-09-01', [
      ['REVERSECHARGES', 300],
      ['INPUT2', 100, 20],
    ]);
    const toInvoiceLink = ({ InvoiceID }: Record<string, unknown>) => ({ Invoice: { InvoiceID } });
    const Payments = [
      createPayment('2026-06-30', 600, toInvoiceLink(earlyInvoice)),
      createPayment('2026-07-01', 300, toInvoiceLink(earlyInvoice)),
      createPayment('2026-07-12', 40, toInvoiceLink(thirdsInvoice)),
      createPayment('2026-08-12', 40, toInvoiceLink(thirdsInvoice)),
      createPayment('2026-10-12', 40, toInvoiceLink(thirdsInvoice)),
      createPayment('2026-07-30', 1000, toInvoiceLink(cisInvoice)),
      createPayment('2026-08-04', 540, toInvoiceLink(creditedInvoice)),
      createPayment('2026-08-05', 999, toInvoiceLink(unpaidInvoice), { Status: 'DELETED' }),
      createPayment('2026-09-02', 210, toInvoiceLink(services)),
    ];
    const BankTransactions = [createXeroDocument('BankTransactionID', 'SPEND', '2026-07-05', [['INPUT2', 60, 12]])];
    const Invoices = [earlyInvoice, thirdsInvoice, unpaidInvoice, cisInvoice, creditedInvoice, services];
    // early: 300 of 1,200 = a quarter: net 250, VAT 50. thirds: two of three: 66.67 and 13.33. cis: 1,000 of 1,200 less 200 = all: 1,000, 200.
    // credited: 60 + 540 = all: 500, 100; the credit note all: -50, -10.
    // services: the reverse charge on its date: 300 and 60; 210 of 420 paid: half of 100 and 20. Bank entry: 60, 12.
    // Box 1: 50 + 13.33 + 200 + 100 - 10 + 60 = 413.33. Box 4: 60 + 10 + 12 = 82. Box 6: 250 + 66.67 + 1,000 + 500 - 50 + 300 = 2,066.67.
    // Box 7: 300 + 50 + 60 = 410.
    expect(await computeRecordings('xero', { ...CASH_BASIS_SETTINGS, Invoices, CreditNotes: [note], Payments, BankTransactions })).toEqual({
      boxes: ['413.33', '0.00', '413.33', '82.00', '331.33', 2067, 410, 0, 0],
      direction: 'payment',
      rows: 7,
      outsidePeriod: 1,
      flagged: [],
    });
    // --basis overrides Xero's setting. Accrual leaves out only `earlyInvoice`: sales 100 + 5,000 + 1,000 + 500 - 50, VAT a fifth of it.
    const accrualTotals = await computeRecordings(
      'xero',
      { ...CASH_BASIS_SETTINGS, Invoices, CreditNotes: [note], Payments, BankTransactions },
      'accrual',
    );
    // Box 1: 1,310 + 60. Box 4: 60 + 20 + 12. Box 6: 6,550 + 300. Box 7: 300 + 100 + 60.
    expect(accrualTotals).toMatchObject({
      boxes: ['1370.00', '0.00', '1370.00', '92.00', '1278.00', 6850, 460, 0, 0],
      rows: 7,
      outsidePeriod: 1,
    });
  });

  it('are correct for a company with foreign currency, tax-inclusive lines, prepayments, journals, and documents that don’t count', async () => {
    const dollarInvoice = createInvoice('ACCREC', '2026-07-02', [['OUTPUT2', 100, 20]], { CurrencyCode: 'USD', CurrencyRate: 1.3 });
    const inclusiveInvoice = createInvoice('ACCPAY', '2026-07-03', [['INPUT2', 120, 20]], { LineAmountTypes: 'Inclusive' });
    const noTaxBill = createInvoice('ACCPAY', '2026-07-03', [['INPUT2', 75, 0]], { LineAmountTypes: 'NoTax' });
    const draft = createInvoice('ACCREC', '2026-07-04', [['OUTPUT2', 9000, 1800]], { Status: 'DRAFT', InvoiceNumber: 'DRAFT-1' });
    const voidedInvoices = ['VOIDED', 'DELETED'].map((Status) =>
      createInvoice('ACCREC', '2026-07-04', [['OUTPUT2', 9000, 1800]], { Status }),
    );
    const dinnerBill = createInvoice('ACCPAY', '2026-07-05', [['INPUT2', 50, 10, '420']], { InvoiceNumber: 'DINNER' });
    const wrongInvoice = createInvoice('ACCPAY', '2026-07-05', [['INPUT2', 100, 25]], { InvoiceNumber: 'WRONG' });
    const [first, second] = [0, 1].map(() =>
      createInvoice('ACCPAY', '2026-07-06', [['INPUT2', 10, 2]], { InvoiceNumber: 'TWICE', Contact: { Name: 'Oak' } }),
    );
    const lateInvoice = createInvoice('ACCREC', '2026-10-01', [['OUTPUT2', 9000, 1800]]);
    const standardSale = createInvoice('ACCREC', '2026-09-01', [['OUTPUT2', 1000, 200]]);
    const prepayment = createXeroDocument('PrepaymentID', 'RECEIVE-PREPAYMENT', '2026-08-01', [['OUTPUT2', 400, 80]], {
      Allocations: [{ Amount: 120, Date: toXeroDate('2026-09-01'), Invoice: { InvoiceID: standardSale['InvoiceID'] } }],
    });
    const prepaymentBankEntry = createXeroDocument('BankTransactionID', 'RECEIVE-PREPAYMENT', '2026-08-01', [['OUTPUT2', 400, 80]], {
      PrepaymentID: prepayment['PrepaymentID'],
    });
    const overpayment = createXeroDocument('OverpaymentID', 'RECEIVE-OVERPAYMENT', '2026-08-01', [['NONE', 30]]);
    const refund = createXeroDocument('BankTransactionID', 'RECEIVE', '2026-08-09', [['INPUT2', 20, 4]]);
    const transfer = createXeroDocument('BankTransactionID', 'SPEND-TRANSFER', '2026-08-09', []);
    const journal = {
      ManualJournalID: 'j1',
      Narration: 'Correction',
      Date: toXeroDate('2026-09-29'),
      Status: 'POSTED',
      LineAmountTypes: 'Exclusive',
      JournalLines: [
        { LineAmount: -500, TaxAmount: -100, TaxType: 'OUTPUT2' },
        { LineAmount: 200, TaxAmount: 40, TaxType: 'INPUT2' },
        { LineAmount: 300, TaxAmount: 0, TaxType: 'NONE' },
      ],
    };
    const Invoices = [
      dollarInvoice,
      inclusiveInvoice,
      noTaxBill,
      draft,
      ...voidedInvoices,
      dinnerBill,
      wrongInvoice,
      first ?? {},
      second ?? {},
      lateInvoice,
      standardSale,
    ];
    // dollars: 100 / 1.3 = 76.923: 76.92; 20 / 1.3 = 15.385: 15.38. inclusive: 120 - 20 = 100, 20.
    // prepayment 400 and 80, of which 120 of 480 = a quarter is taken back: 300 and 60. useful 1,000 and 200. refund: -20 and -4.
    // Box 1: 15.38 + 200 + 60 + 100 = 375.38. Box 4: 20 + 10 + 25 + 2 + 2 - 4 + 40 = 95. Box 6: 76.92 + 1,000 + 300 + 500 = 1,876.92.
    // Box 7: 100 + 50 + 100 + 10 + 10 - 20 + 200 = 450.
    const recordings = {
      ...SETTINGS,
      Invoices,
      Prepayments: [prepayment],
      Overpayments: [overpayment],
      BankTransactions: [prepaymentBankEntry, refund, transfer],
      ManualJournals: [journal, { ...journal, ManualJournalID: 'j2', Status: 'VOIDED' }],
    };
    expect(await computeRecordings('xero', recordings)).toEqual({
      boxes: ['375.38', '0.00', '375.38', '95.00', '280.38', 1877, 450, 0, 0],
      direction: 'payment',
      rows: 12,
      outsidePeriod: 1,
      flagged: ['DRAFT-1: draft', 'DINNER: entertainment', 'WRONG: rate_mismatch', 'TWICE: repeated'],
    });
  });

  it('are correct for a company with rates of its own, by their report type and side', async () => {
    const TaxRates = [
      // In this organisation, the codes of the domestic reverse charge are swapped compared with the published table.
      ...XERO_TAX_RATES.filter(({ TaxType }) => !String(TaxType).startsWith('DRCHARGE')),
      createXeroRate('DRCHARGESUPPLY20', 'Domestic Reverse Charge @ 20% (VAT on Income)', 'DRCHARGESUPPLY', 'sale', 0),
      createXeroRate('DRCHARGE20', 'Domestic Reverse Charge @ 20% (VAT on Expenses)', 'DRCHARGE', 'purchase', 20),
      createXeroRate('TAX001', 'Postponed import VAT', 'REVERSECHARGES', 'purchase', 20),
      createXeroRate('TAX007', 'PVA 20%', 'GOODSIMPORT', 'purchase', 0),
      createXeroRate('TAX002', 'Reverse charge 5%', 'REVERSECHARGES', 'purchase', 5),
      createXeroRate('TAX003', 'Reverse charge of services', 'REVERSECHARGES', 'purchase', 0),
      createXeroRate('TAX004', 'MOSS Austria', 'MOSSSALES', 'sale', 20),
      createXeroRate('TAX005', 'Hospitality 12.5%', 'OUTPUT', 'sale', 12.5),
      createXeroRate('TAX006', 'Mystery', 'UNDEFINED', 'purchase', 20),
    ];
    const bill = createInvoice('ACCPAY', '2026-07-01', [
      ['DRCHARGE20', 100],
      ['TAX001', 1000, 200],
      ['TAX002', 200],
      ['TAX007', 40],
    ]);
    const sale = createInvoice('ACCREC', '2026-07-01', [
      ['DRCHARGESUPPLY20', 400],
      ['TAX004', 50, 10],
      ['TAX005', 80, 10],
    ]);
    const unknownCodeBill = createInvoice('ACCPAY', '2026-10-01', [['TAX006', 100, 20]]);
    // Box 1: 20 + 200 + 8 (20% of 40) + 10 (5% of 200) + 10 (12.5% of 80) = 248. Box 4: 20 + 200 + 8 + 10 = 238.
    // Box 6: reverse charges 200, sales 400 + 50 + 80 = 730. Box 7: 100 + 1,000 + 200 + 40 = 1,340.
    const recordings = { ...SETTINGS, TaxRates, Invoices: [bill, sale, unknownCodeBill] };
    expect(await computeRecordings('xero', recordings)).toMatchObject({
      boxes: ['248.00', '0.00', '248.00', '238.00', '10.00', 730, 1340, 0, 0],
      outsidePeriod: 1,
    });
    const insideContributions = { ...unknownCodeBill, Date: toXeroDate('2026-09-30') };
    expect(await computeRecordings('xero', { ...recordings, Invoices: [bill, insideContributions] })).toEqual({
      errors: [{ line: 0, column: 'Mystery', reason: expect.stringContaining('which boxes') }],
    });
    // A reverse charge at 0% can stand for 20%, as Xero’s own one does, or for a zero-rated supply.
    const zeroRateBill = createInvoice('ACCPAY', '2026-07-01', [['TAX003', 30]]);
    expect(await computeRecordings('xero', { ...recordings, Invoices: [bill, zeroRateBill] })).toEqual({
      errors: [{ line: 0, column: 'Reverse charge of services', reason: expect.stringContaining('which boxes') }],
    });
  });

  it('aren’t calculated if the period needs a document without a rate, which on cash accounting depends on its payments', async () => {
    const usdFields = { CurrencyCode: 'USD', InvoiceNumber: 'USD-1', Contact: { Name: 'Oak' } };
    const invoiceWithoutRate = createInvoice('ACCREC', '2026-06-01', [['OUTPUT2', 100, 20]], usdFields);
    const Payments = [createPayment('2026-07-02', 60, { Invoice: { InvoiceID: invoiceWithoutRate['InvoiceID'] } })];
    expect(await computeRecordings('xero', { ...CASH_BASIS_SETTINGS, Invoices: [invoiceWithoutRate], Payments })).toEqual({
      errors: [{ line: 0, column: 'USD-1, Oak, 1 June 2026', reason: expect.stringContaining('Enter the rate in Xero') }],
    });
    expect(await computeRecordings('xero', { ...CASH_BASIS_SETTINGS, Invoices: [invoiceWithoutRate] })).toMatchObject({ rows: 0 });
  });

  it('include an amount without listed payments on the day the document was paid in full', async () => {
    const paidInvoice = createInvoice('ACCREC', '2026-06-01', [['OUTPUT2', 100, 20]], {
      Status: 'PAID',
      FullyPaidOnDate: toXeroDate('2026-07-31'),
    });
    const Payments = [createPayment('2026-06-02', 60, { Invoice: { InvoiceID: paidInvoice['InvoiceID'] } })];
    // Half of 100 and 20 in June, the other half on 31 July.
    expect(await computeRecordings('xero', { ...CASH_BASIS_SETTINGS, Invoices: [paidInvoice], Payments })).toMatchObject({
      boxes: ['10.00', '0.00', '10.00', '0.00', '10.00', 50, 0, 0, 0],
    });
  });

  it('are correct for a company with suppliers whose contacts have no VAT number', async () => {
    const bill = (
      InvoiceNumber: string,
      ContactID: string | undefined,
      lines: Parameters<typeof createInvoice>[2] = [['INPUT2', 100, 20]],
    ) => createInvoice('ACCPAY', '2026-07-06', lines, { InvoiceNumber, Contact: { ContactID, Name: 'Supplier' } });
    const createContact = (ContactID: string, TaxNumber: string, ...countries: string[]) => ({
      ContactID,
      TaxNumber,
      Addresses: countries.map((Country) => ({ Country })),
    });
    const spendTransaction = createXeroDocument('BankTransactionID', 'SPEND', '2026-07-07', [['RRINPUT', 100, 5]], {
      Reference: 'SPENT',
      Contact: { ContactID: 'none', Name: 'Supplier' },
    });
    const documents = {
      ...SETTINGS,
      Invoices: [
        bill('NONE', 'none'),
        bill('ARCHIVED', 'archived'),
        bill('NUMBER', 'number'),
        bill('ABROAD', 'abroad'),
        bill('UNKNOWN', 'unread'),
        bill('NO-CONTACT', undefined),
        bill('ZERO', 'none', [['ZERORATEDINPUT', 100]]),
        bill('IMPORT', 'none', [['GSTONIMPORTS', 100]]),
        bill('SMALL', 'none', [['INPUT2', 20, 4]]),
      ],
      BankTransactions: [spendTransaction],
    };
    const Contacts = [
      createContact('none', '', '', 'England'),
      { ...createContact('archived', 'n/a'), ContactStatus: 'ARCHIVED' },
      createContact('number', 'GB 987 6543 21', 'United Kingdom'),
      createContact('abroad', '', 'Ireland'),
    ];
    const flaggedNames = ['NONE', 'ARCHIVED', 'SPENT'].map((name) => `${name}: supplier_vat_number`);
    expect(await computeRecordings('xero', { ...documents, Contacts })).toMatchObject({ rows: 10, flagged: flaggedNames });
    // Recordings without contacts contain no information about suppliers.
    expect(await computeRecordings('xero', documents)).toMatchObject({ rows: 10, flagged: [] });
  });

  it.each(['FLATRATECASH', 'FLATRATEACCRUAL', 'NONE'])('aren’t calculated for an organisation with the VAT scheme %s', async (basis) => {
    expect(await computeRecordings('xero', { ...SETTINGS, Organisation: [createXeroOrganisation(basis)] })).toEqual({
      errors: [{ line: 0, column: 'SalesTaxBasis', reason: expect.any(String) }],
    });
  });
});
