import { describe, expect, it } from 'vitest';
import { computeRecordings } from './testing/compute-recordings.ts';
import {
  createJournalLine,
  createQuickBooksCode,
  createQuickBooksDocument,
  createQuickBooksRate,
  QUICKBOOKS_SETTINGS,
  toTaxLine,
} from './testing/quickbooks-company.ts';

const compute = (documents: Parameters<typeof computeRecordings>[1]) =>
  computeRecordings('quickbooks', { ...QUICKBOOKS_SETTINGS, ...documents }, 'accrual');

describe('boxes from QuickBooks', () => {
  it('are correct for a company that uses every UK code', async () => {
    const sales = createQuickBooksDocument(
      'sale',
      '2026-07-01',
      [
        ['S', 1000],
        ['R', 200],
        ['Z', 30],
        ['E', 4],
        ['N', 9999],
        ['RCSG', 50],
        ['RCM', 60],
        ['RC20', 70],
        ['RC5', 80],
        ['ECG0', 90],
        ['ECS0', 15],
      ],
      [
        ['s1', 200, 1000],
        ['s2', 10, 200],
        ['s3', 0, 30],
        ['s4', 0, 4],
        ['s6', 0, 50],
        ['s8', 0, 60],
        ['s10', 0, 70],
        ['s12', 0, 80],
        ['s16', 0, 90],
        ['s19', 0, 15],
      ],
    );
    const bill = createQuickBooksDocument(
      'purchase',
      '2026-09-30',
      [
        ['S', 100],
        ['R', 100],
        ['Z', 12],
        ['E', 3],
        ['N', 5000],
        ['RCSG', 200],
        ['RCM', 300],
        ['RC20', 400],
        ['RC5', 500],
        ['ECG20', 600],
        ['ECG0', 70],
        ['ECS20', 800],
        ['ECS0', 90],
        ['PVAT', 1000],
        ['PVAT0', 11],
      ],
      [
        ['p1', 20, 100],
        ['p2', 5, 100],
        ['p3', 0, 12],
        ['p4', 0, 3],
        ['p6', 40, 200],
        ['p7', -40, 200],
        ['p8', 60, 300],
        ['p9', -60, 300],
        ['p10', 80, 400],
        ['p11', -80, 400],
        ['p12', 25, 500],
        ['p13', -25, 500],
        ['p14', 120, 600],
        ['p15', -120, 600],
        ['p16', 0, 70],
        ['p17', 160, 800],
        ['p18', -160, 800],
        ['p19', 0, 90],
        ['p20', 200, 1000],
        ['p21', -200, 1000],
        ['p22', 0, 11],
      ],
    );
    // Box 1: sales 210; services 40 + 160; domestic 60 + 80 + 25; postponed 200: 775. Box 2: 120.
    // Box 4: 25 + 40 + 160 + 60 + 80 + 25 + 200 + 120 = 710.
    // Box 6: sales 1,000 + 200 + 30 + 4 + 50 + 60 + 70 + 80 + 90 + 15 = 1,599; services 200 + 800 + 90 = 1,090: 2,689.
    // Box 7: 100 + 100 + 12 + 3 + 200 + 300 + 400 + 500 + 600 + 70 + 800 + 90 + 1,000 + 11 = 4,186. Box 8: 90. Box 9: 670.
    expect(await compute({ Invoice: [sales], Bill: [bill] })).toEqual({
      boxes: ['775.00', '120.00', '895.00', '710.00', '185.00', 2689, 4186, 90, 670],
      direction: 'payment',
      rows: 2,
      outsidePeriod: 0,
      flagged: [],
    });
  });

  it('are correct for a company with every type of document, refunds, and what doesn’t count', async () => {
    const createSale = (fields = {}) => createQuickBooksDocument('sale', '2026-08-01', [['S', 100]], [['s1', 20, 100]], fields);
    const createPurchase = (fields = {}) => createQuickBooksDocument('purchase', '2026-08-01', [['S', 10]], [['p1', 2, 10]], fields);
    const voidedSale = createSale({ PrivateNote: 'Voided - entered twice', TotalAmt: 0, Line: [], TxnTaxDetail: {} });
    const laterDocument = createQuickBooksDocument('sale', '2026-10-01', [['S', 100]], [['s1', 20, 100]]);
    const untaxedPurchase = createPurchase({ GlobalTaxCalculation: 'NotApplicable' });
    const wrongDocument = createQuickBooksDocument('purchase', '2026-08-02', [['S', 10]], [['p1', 3, 10]], { DocNumber: 'WRONG' });
    const [first, second] = [0, 1].map(() => createSale({ DocNumber: 'TWICE', CustomerRef: { value: '5', name: 'Ash' } }));
    const journal = {
      Id: '900',
      TxnDate: '2026-09-01',
      Line: [
        createJournalLine('Credit', 300, { TaxCodeRef: { value: 'S' }, TaxApplicableOn: 'Sales', TaxAmount: 60 }),
        createJournalLine('Debit', 50, { TaxCodeRef: { value: 'S' }, TaxApplicableOn: 'Purchase' }),
        createJournalLine('Debit', 40, { TaxCodeRef: { value: 'S' }, TaxApplicableOn: 'Sales', TaxAmount: 8 }),
        createJournalLine('Debit', 320),
      ],
      TxnTaxDetail: { TaxLine: [toTaxLine(['p1', 10, 50])] },
    };
    const depreciationJournal = { Id: '901', TxnDate: '2026-09-01', Line: [createJournalLine('Debit', 9), createJournalLine('Credit', 9)] };
    const taxedDeposit = {
      Id: '902',
      TxnDate: '2026-09-02',
      Line: [
        { Amount: 70, DepositLineDetail: { TaxCodeRef: { value: 'Z' }, TaxApplicableOn: 'Sales' } },
        { Amount: 5, DepositLineDetail: { TaxCodeRef: { value: 'S' }, TaxApplicableOn: 'Purchase' } },
        { Amount: 120, LinkedTxn: [{ TxnId: '1', TxnType: 'Payment' }] },
      ],
    };
    const untaxedDeposit = { Id: '903', TxnDate: '2026-09-02', Line: [{ Amount: 120, LinkedTxn: [{ TxnId: '1', TxnType: 'Payment' }] }] };
    // Sales of 100 and 20: 1 + 2 invoices, receipt, less credit memo and refund: 2 x 100 and 20. Journal: 300 - 40 and 60 - 8. Deposit 70.
    // Purchases of 10 and 2: bill, expense, less credit and card refund: 0. Wrong: 10 and 3. Journal 50 and 10. Deposit: -5 and -1.
    // Box 1: 40 + 52 = 92. Box 4: 3 + 10 - 1 = 12. Box 6: 200 + 260 + 70 = 530. Box 7: 10 + 50 - 5 = 55.
    expect(
      await compute({
        Invoice: [createSale(), first ?? {}, second ?? {}, voidedSale, laterDocument],
        SalesReceipt: [createSale()],
        CreditMemo: [createSale()],
        RefundReceipt: [createSale()],
        Bill: [createPurchase(), untaxedPurchase, wrongDocument],
        Purchase: [createPurchase(), createPurchase({ Credit: true })],
        VendorCredit: [createPurchase()],
        JournalEntry: [journal, depreciationJournal],
        Deposit: [taxedDeposit, untaxedDeposit],
      }),
    ).toMatchObject({
      boxes: ['92.00', '0.00', '92.00', '12.00', '80.00', 530, 55, 0, 0],
      rows: 14,
      outsidePeriod: 1,
      flagged: ['TWICE: repeated', 'WRONG: rate_mismatch'],
    });
  });

  it('are correct for a company with foreign currency, tax-inclusive lines, and codes without tax lines', async () => {
    const dollarInvoice = createQuickBooksDocument('sale', '2026-07-02', [['S', 100]], [['s1', 20, 100]], {
      CurrencyRef: { value: 'USD' },
      ExchangeRate: 0.76543,
    });
    const inclusivePurchase = createQuickBooksDocument('purchase', '2026-07-03', [['S', 120]], [['p1', 20, 100]], {
      GlobalTaxCalculation: 'TaxInclusive',
    });
    const billWithoutTaxLines = createQuickBooksDocument(
      'purchase',
      '2026-07-04',
      [
        ['RCSG', 33.33],
        ['E', 8],
        ['S', 12],
      ],
      [],
      { TxnTaxDetail: { TotalTax: 0 }, GlobalTaxCalculation: 'TaxInclusive' },
    );
    const credit = createQuickBooksDocument(
      'purchase',
      '2026-07-05',
      [['PVAT', 100]],
      [
        ['p20', 20, 100],
        ['p21', -20, 100],
      ],
    );
    // dollars: 76.54 and 15.31. inclusive: 100 and 20. noTaxLines: 33.33 and 6.67; 8; 12 with VAT in it: 10 and 2. credit: -100 and -20.
    // Box 1: 15.31 + 6.67 - 20 = 1.98. Box 4: 20 + 6.67 + 2 - 20 = 8.67. Box 6: 76.54 + 33.33 = 109.87. Box 7: 100 + 33.33 + 8 + 10 - 100 = 51.33.
    expect(
      await compute({ Invoice: [dollarInvoice], Bill: [inclusivePurchase, billWithoutTaxLines], VendorCredit: [credit] }),
    ).toMatchObject({
      boxes: ['1.98', '0.00', '1.98', '8.67', '6.69', 110, 51, 0, 0],
      direction: 'repayment',
    });
  });

  it('are correct for a company with codes of its own, by their rates', async () => {
    const ownEntries = {
      TaxAgency: [...QUICKBOOKS_SETTINGS.TaxAgency, { Id: '2', DisplayName: 'Irish Revenue', TaxRegistrationNumber: 'IE1' }],
      TaxCode: [
        ...QUICKBOOKS_SETTINGS.TaxCode,
        createQuickBooksCode(['H', 'Hospitality', [['h1', 'Hospitality 12.5', 12.5]], []], false),
        createQuickBooksCode(
          [
            'X',
            'Foreign services',
            [],
            [
              ['x1', 'FS in', 20],
              ['x2', 'FS out', -20],
            ],
          ],
          true,
        ),
        createQuickBooksCode(['I', 'Irish', [['i1', 'Irish standard', 23]], []]),
        createQuickBooksCode(['P', '20.0% RC', [], [['r1', 'RC', 20]], 'Domestic reverse charge: mobile phones']),
        createQuickBooksCode(['M', 'Margin', [['m1', 'Margin', 0]], []]),
      ],
      TaxRate: [
        ...QUICKBOOKS_SETTINGS.TaxRate,
        createQuickBooksRate(['h1', 'Hospitality 12.5', 12.5]),
        { ...createQuickBooksRate(['x1', 'FS in', 20]), TaxReturnLineRef: { value: '6', name: 'Reverse charge: services' } },
        createQuickBooksRate(['x2', 'FS out', -20]),
        createQuickBooksRate(['i1', 'Irish standard', 23], '2'),
        createQuickBooksRate(['m1', 'Margin', 0]),
        createQuickBooksRate(['r1', 'RC', 20]),
      ],
    };
    const sale = createQuickBooksDocument(
      'sale',
      '2026-07-01',
      [
        ['H', 80],
        ['I', 100],
      ],
      [
        ['h1', 10, 80],
        ['i1', 23, 100],
      ],
    );
    const bill = createQuickBooksDocument(
      'purchase',
      '2026-07-01',
      [
        ['X', 500],
        ['P', 50],
      ],
      [
        ['x1', 100, 500],
        ['x2', -100, 500],
        ['r1', 10, 50],
      ],
    );
    // Box 1: 10 + 100 + 10. Box 4: 100 + 10. Box 6: 80 + 100 (supplied in Ireland, with Irish VAT) + 500. Box 7: 500 + 50.
    expect(await compute({ ...ownEntries, Invoice: [sale], Bill: [bill] })).toMatchObject({
      boxes: ['120.00', '0.00', '120.00', '110.00', '10.00', 680, 550, 0, 0],
    });
    const marginSale = createQuickBooksDocument('sale', '2026-07-01', [['M', 80]], [['m1', 0, 80]]);
    expect(await compute({ ...ownEntries, Invoice: [marginSale] })).toEqual({
      errors: [{ line: 0, column: 'Margin', reason: expect.stringContaining('which boxes') }],
    });
  });

  it('are correct for a company whose codes with a plain rate have names of special ones', async () => {
    const namedTaxCodes = [
      ['20% Construction sales', 20],
      ['5% Domestic fuel', 5],
      ['20% NI sales', 20],
    ] as const;
    const codes = namedTaxCodes.map(([name, rate], index) => [`n${index}`, name, [[`r${index}`, name, rate]], []] as const);
    const Invoice = namedTaxCodes.map(([, rate], index) =>
      createQuickBooksDocument('sale', '2026-07-01', [[`n${index}`, 100]], [[`r${index}`, rate, 100]]),
    );
    const ownEntries = {
      TaxCode: [...QUICKBOOKS_SETTINGS.TaxCode, ...codes.map((code) => createQuickBooksCode(code))],
      TaxRate: [...QUICKBOOKS_SETTINGS.TaxRate, ...codes.map(([, , [rate]]) => createQuickBooksRate(rate))],
    };
    // Box 1: 20 + 5 + 20. Box 6: 3 x 100. Nothing is sent to the EU.
    expect(await compute({ ...ownEntries, Invoice })).toMatchObject({
      boxes: ['45.00', '0.00', '45.00', '0.00', '45.00', 300, 0, 0, 0],
      flagged: [],
    });
  });

  it('aren’t calculated if the period needs a document without a rate or date, which is named', async () => {
    const usdFields = { CurrencyRef: { value: 'USD' }, CustomerRef: { value: '1', name: 'Ash' } };
    const createSale = (fields: object) =>
      createQuickBooksDocument('sale', '2026-07-01', [['S', 100]], [['s1', 20, 100]], { ...usdFields, ...fields });
    const Invoice = [createSale({ DocNumber: 'USD-1' }), createSale({ DocNumber: 'UNDATED', TxnDate: undefined, ExchangeRate: 0.8 })];
    expect(await compute({ Invoice })).toEqual({
      errors: [
        { line: 0, column: 'USD-1, Ash, 1 July 2026', reason: expect.stringContaining('USD') },
        { line: 0, column: 'UNDATED, Ash', reason: expect.stringContaining('no date') },
      ],
    });
  });

  it('aren’t calculated for companies without a VAT registration or on the flat-rate scheme', async () => {
    expect(await compute({ TaxAgency: [] })).toEqual({ errors: [{ line: 0, column: 'TaxAgency', reason: expect.any(String) }] });
    const flatRateCode = createQuickBooksCode(['F', '20.0% FRS', [['s1', 'SS-20.0', 20]], []], true);
    expect(await compute({ TaxCode: [flatRateCode] })).toEqual({
      errors: [{ line: 0, column: 'TaxCode', reason: expect.stringContaining('flat rate') }],
    });
  });
});
