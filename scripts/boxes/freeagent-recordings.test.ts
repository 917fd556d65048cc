import type { VatBasis } from '@portal/domain/connected-books/books-document.ts';
import { describe, expect, it } from 'vitest';
import { computeRecordings } from './testing/compute-recordings.ts';
import {
  createExplanation,
  createFreeAgentBill,
  createFreeAgentInvoice,
  createTaxableFields,
  FREEAGENT_SETTINGS,
  getCategoryUrl,
} from './testing/freeagent-company.ts';

const compute = (documents: Parameters<typeof computeRecordings>[1], basis: VatBasis = 'accrual') =>
  computeRecordings('freeagent', { ...FREEAGENT_SETTINGS, ...documents }, basis);

describe('boxes from FreeAgent', () => {
  it('are correct for a company that uses every VAT status', async () => {
    const invoices = [
      createFreeAgentInvoice('invoices', '2026-07-01', [
        [1000, 20],
        [200, 5],
        [30, 0],
        [4, 'EXEMPT'],
        [9999, 'OUT_OF_SCOPE'],
      ]),
      createFreeAgentInvoice('invoices', '2026-07-02', [[500, 0]], { ec_status: 'Reverse Charge' }),
      createFreeAgentInvoice('invoices', '2026-07-02', [[60, 0]], { ec_status: 'EC Services' }),
      createFreeAgentInvoice('invoices', '2026-07-02', [[700, 0]], { ec_status: 'EC Goods' }),
      createFreeAgentInvoice('invoices', '2026-07-02', [[100, 20]], { ec_status: 'EC Goods' }),
      createFreeAgentInvoice('invoices', '2026-07-02', [[10, 20]], { ec_status: 'EC Goods', sales_tax_value: '0.0', total_value: '10.0' }),
      createFreeAgentInvoice('invoices', '2026-07-02', [[50, 22]], { ec_status: 'EC VAT MOSS', place_of_supply: 'Italy' }),
    ];
    const credit_notes = [createFreeAgentInvoice('credit_notes', '2026-07-03', [[-100, 20]])];
    const bills = [
      createFreeAgentBill('2026-08-01', 120, 20),
      createFreeAgentBill('2026-08-01', 105, 5),
      createFreeAgentBill('2026-08-01', 12, 0),
      createFreeAgentBill('2026-08-01', 3, 'EXEMPT'),
      createFreeAgentBill('2026-08-01', 5000, 'OUT_OF_SCOPE'),
      createFreeAgentBill('2026-08-01', 600, 20, {}, { category: getCategoryUrl('602-1') }),
      createFreeAgentBill('2026-08-01', 250, 0, { ec_status: 'Reverse Charge' }),
      createFreeAgentBill('2026-08-01', 350, 20, { ec_status: 'Reverse Charge' }, { sales_tax_value: '0.0' }),
      createFreeAgentBill('2026-08-01', 400, 20, { ec_status: 'Reverse Charge' }, { category: getCategoryUrl('096') }),
      createFreeAgentBill('2026-08-01', 12, 20, { ec_status: 'Reverse Charge' }, { total_value_ex_tax: '10.0' }),
      createFreeAgentBill('2026-08-01', 800, 0, { ec_status: 'EC Goods' }),
      createFreeAgentBill('2026-08-01', 90, 0, { ec_status: 'EC Services' }),
      createFreeAgentBill('2026-08-02', -24, 20),
    ];
    const expenses = [
      { url: 'e1', dated_on: '2026-08-03', gross_value: '-60.0', ...createTaxableFields(20, 10, '285'), description: 'Hotel' },
      { url: 'e2', dated_on: '2026-08-03', gross_value: '-20.0', category: 'Mileage', description: 'Mileage' },
    ];
    const bank_transaction_explanations = [
      createExplanation('2026-08-04', -36, createTaxableFields(20, -6, '285')),
      createExplanation('2026-08-04', 12, createTaxableFields(20, 2, '285')),
      createExplanation('2026-08-04', 240, createTaxableFields(20, 40, '001'), 2),
      createExplanation('2026-08-05', 7, { category: getCategoryUrl('051'), sales_tax_status: 'EXEMPT' }, 2),
      createExplanation('2026-08-05', -999, { category: getCategoryUrl('817'), sales_tax_status: 'OUT_OF_SCOPE' }),
      createExplanation('2026-08-05', -100, { ...createTaxableFields(0, 0, '285'), ec_status: 'Reverse Charge' }),
    ];
    // Box 1: 200 + 10 + 20 (goods to the EU with VAT) - 20 + 40 = 250; services 50 + 70 + 18 + 20 + 2 = 160; domestic 80: 490. Box 2: 160.
    // Box 4: 20 + 5 + 100 - 4 + 10 + 6 - 2 = 135; services 160; domestic 80; EU goods 160: 535.
    // Box 6: 1,000 + 200 + 30 + 4 + 500 + 60 + 700 + 100 + 10 + 50 - 100 + 200 + 7 = 2,761; services 250 + 350 + 90 + 100 + 10 = 800: 3,561.
    // Box 7: 100 + 100 + 12 + 3 + 500 + 800 + 400 + 800 - 20 + 50 + 30 - 10 = 2,765. Box 8: 810. Box 9: 800.
    expect(await compute({ invoices, credit_notes, bills, expenses, bank_transaction_explanations })).toEqual({
      boxes: ['490.00', '160.00', '650.00', '535.00', '115.00', 3561, 2765, 810, 800],
      direction: 'payment',
      rows: 29,
      outsidePeriod: 0,
      flagged: [],
    });
  });

  it('are correct for a company on cash accounting, with part payments and refunds', async () => {
    const [earlyInvoice, thirdsInvoice, unpaidInvoice, cisInvoice, creditedInvoice] = [
      createFreeAgentInvoice('invoices', '2026-05-01', [[1000, 20]]),
      createFreeAgentInvoice('invoices', '2026-07-10', [[100, 20]]),
      createFreeAgentInvoice('invoices', '2026-08-01', [[5000, 20]]),
      createFreeAgentInvoice('invoices', '2026-07-15', [[1000, 20]], { cis_deduction: '200.0' }),
      createFreeAgentInvoice('invoices', '2026-07-20', [[500, 20]], { status: 'Paid', paid_on: '2026-09-30' }),
    ] as const;
    const creditNote = createFreeAgentInvoice('credit_notes', '2026-06-01', [[-50, 20]]);
    const bill = createFreeAgentBill('2026-06-20', 240, 20);
    const services = createFreeAgentBill('2026-09-01', 300, 0, { ec_status: 'Reverse Charge' });
    const createPaidExplanation = (date: string, gross: number, { url }: Record<string, unknown>) =>
      createExplanation(date, gross, { paid_invoice: url });
    const bank_transaction_explanations = [
      createPaidExplanation('2026-06-30', 600, earlyInvoice),
      createPaidExplanation('2026-07-01', 300, earlyInvoice),
      createPaidExplanation('2026-07-12', 40, thirdsInvoice),
      createPaidExplanation('2026-08-12', 40, thirdsInvoice),
      createPaidExplanation('2026-10-12', 40, thirdsInvoice),
      { ...createPaidExplanation('2026-08-13', 6000, unpaidInvoice), marked_for_review: true },
      createPaidExplanation('2026-07-30', 1000, cisInvoice),
      createPaidExplanation('2026-08-01', 540, creditedInvoice),
      createPaidExplanation('2026-08-02', -60, creditNote),
      createExplanation('2026-07-02', -60, { paid_bill: bill['url'] }, 2),
      createExplanation('2026-07-03', -12, createTaxableFields(20, -2, '285'), 2),
      createExplanation('2026-07-04', -500, { transfer_bank_account: 'https://api.freeagent.com/v2/bank_accounts/2' }),
      createExplanation('2026-07-05', -70, { paid_user: 'https://api.freeagent.com/v2/users/1' }),
    ];
    const recordings = {
      invoices: [earlyInvoice, thirdsInvoice, unpaidInvoice, cisInvoice, creditedInvoice],
      credit_notes: [creditNote],
      bills: [bill, services],
      bank_transaction_explanations,
    };
    // early: a quarter: 250 and 50. thirds: two of three: 66.67 and 13.33. cis: all: 1,000 and 200. credited: 540, and the rest on 30 September:
    // 500 and 100. refunded: -50 and -10. bill: 60 of 240: 50 and 10. services on their date: 300 and 60. Bank entry: 10 and 2.
    // Box 1: 50 + 13.33 + 200 + 100 - 10 + 60 = 413.33. Box 4: 10 + 60 + 2 = 72. Box 6: 250 + 66.67 + 1,000 + 500 - 50 + 300 = 2,066.67.
    // Box 7: 50 + 300 + 10 = 360.
    expect(await compute(recordings, 'cash')).toEqual({
      boxes: ['413.33', '0.00', '413.33', '72.00', '341.33', 2067, 360, 0, 0],
      direction: 'payment',
      rows: 8,
      outsidePeriod: 1,
      flagged: [],
    });
    // Accrual: sales 100 + 5,000 + 1,000 + 500, services 300, bank entry 10.
    expect(await compute(recordings, 'accrual')).toMatchObject({
      boxes: ['1380.00', '0.00', '1380.00', '62.00', '1318.00', 6900, 310, 0, 0],
      rows: 6,
      outsidePeriod: 3,
    });
  });

  it('are correct for a company with foreign currency, discounts, typed VAT and a second sales tax', async () => {
    const dollarInvoice = createFreeAgentInvoice('invoices', '2026-07-01', [[100, 20]], { currency: 'USD', exchange_rate: '0.76543' });
    const discountedInvoice = createFreeAgentInvoice('invoices', '2026-07-02', [[200, 20]], {
      discount_percent: '10.0',
      net_value: '180.0',
      sales_tax_value: '36.0',
      total_value: '216.0',
    });
    const euros = createFreeAgentBill('2026-07-03', 120, 20, { currency: 'EUR', exchange_rate: '0.85' });
    const manualVatBill = createFreeAgentBill('2026-07-04', 100, 20, {}, { sales_tax_rate: undefined, manual_sales_tax_amount: '9.99' });
    const second = createExplanation('2026-07-05', -130, {
      ...createTaxableFields(20, -20, '285'),
      second_sales_tax_status: 'TAXABLE',
      second_sales_tax_rate: '10.0',
      second_sales_tax_value: '-10.0',
    });
    const expense = {
      url: 'e9',
      dated_on: '2026-07-06',
      currency: 'USD',
      gross_value: '-24.0',
      native_gross_value: '-18.0',
      native_sales_tax_value: '-3.0',
      category: getCategoryUrl('285'),
      sales_tax_status: 'TAXABLE',
      sales_tax_rate: '20.0',
    };
    // dollars: 76.543: 76.54, and 15.3086: 15.31. discounted: 180, 36. euros: 85 and 17. typed: 90.01 and 9.99. second: 130 - 20 - 10 = 100 and 20.
    // expense: 15 and 3. Box 1: 51.31. Box 4: 17 + 9.99 + 20 + 3 = 49.99. Box 6: 256.54. Box 7: 85 + 90.01 + 100 + 15 = 290.01.
    expect(
      await compute({
        invoices: [dollarInvoice, discountedInvoice],
        bills: [euros, manualVatBill],
        bank_transaction_explanations: [second],
        expenses: [expense],
      }),
    ).toMatchObject({ boxes: ['51.31', '0.00', '51.31', '49.99', '1.32', 257, 290, 0, 0], flagged: [] });
  });

  it('are correct for a company with drafts, entertainment and repeats', async () => {
    const draft = createFreeAgentInvoice('invoices', '2026-07-01', [[100, 20]], { status: 'Draft', reference: 'DRAFT' });
    const laterInvoice = createFreeAgentInvoice('invoices', '2026-10-01', [[100, 20]]);
    const guess = createExplanation('2026-07-02', -12, {
      ...createTaxableFields(20, -2, '285'),
      marked_for_review: true,
      description: 'GUESS',
    });
    const dinnerExplanation = createExplanation('2026-07-03', -24, { ...createTaxableFields(20, -4, '365'), description: 'DINNER' });
    const duplicateBills = [0, 1].map(() => createFreeAgentBill('2026-07-04', 60, 20, { reference: 'TWICE', contact: 'c' }));
    const wrongExplanation = createExplanation('2026-07-05', -120, { ...createTaxableFields(20, -30, '285'), description: 'WRONG' });
    // Box 4: 4 + 10 + 10 + 30. Box 7: 20 + 50 + 50 + 90.
    expect(
      await compute({
        invoices: [draft, laterInvoice],
        bills: duplicateBills,
        bank_transaction_explanations: [guess, dinnerExplanation, wrongExplanation],
      }),
    ).toEqual({
      boxes: ['0.00', '0.00', '0.00', '54.00', '54.00', 0, 210, 0, 0],
      direction: 'repayment',
      rows: 4,
      outsidePeriod: 1,
      flagged: ['GUESS: draft', 'DINNER: entertainment', 'WRONG: rate_mismatch', 'DRAFT: draft', 'TWICE: repeated'],
    });
  });

  it('aren’t calculated if the period needs bank entries of foreign accounts, or documents without a rate or date, which are named', async () => {
    const bank_accounts = [{ url: 'https://api.freeagent.com/v2/bank_accounts/2', name: 'Euros', currency: 'EUR' }];
    const createEntry = (date: string, fields: object) => createExplanation(date, -120, { description: 'Hotel in Rome', ...fields }, 2);
    const taxableExplanation = createEntry('2026-07-01', createTaxableFields(20, -20, '285'));
    const transfer = createEntry('2026-07-01', { transfer_bank_account: 'https://api.freeagent.com/v2/bank_accounts/1' });
    const billWithoutRate = createFreeAgentBill('2026-07-02', 120, 20, { currency: 'USD', exchange_rate: undefined, reference: 'USD-1' });
    const undatedInvoice = createFreeAgentInvoice('invoices', '2026-07-02', [[100, 20]], { dated_on: undefined, reference: 'UNDATED' });
    const expectColumnProblem = (text: string, reason: string) => ({ line: 0, column: text, reason: expect.stringContaining(reason) });
    const payment = createEntry('2026-07-01', { description: 'Payment', paid_bill: billWithoutRate['url'], dated_on: undefined });
    const bank_transaction_explanations = [taxableExplanation, transfer, payment];
    expect(await compute({ bank_accounts, bank_transaction_explanations, bills: [billWithoutRate], invoices: [undatedInvoice] })).toEqual({
      errors: [
        expectColumnProblem('Hotel in Rome, 1 July 2026', 'EUR'),
        expectColumnProblem('Payment', 'no date'),
        expectColumnProblem('UNDATED', 'no date'),
        expectColumnProblem('USD-1, 2 July 2026', 'no exchange rate'),
      ],
    });
    // They don't matter if they are in another period, outside VAT, or drafts.
    const drafts = { bills: [{ ...billWithoutRate, status: 'Draft' }], invoices: [{ ...undatedInvoice, status: 'Draft' }] };
    const otherObjects = [
      createEntry('2026-10-01', createTaxableFields(20, -20, '285')),
      createEntry('2026-07-01', { sales_tax_status: 'OUT_OF_SCOPE' }),
      transfer,
    ];
    expect(await compute({ ...drafts, bank_accounts, bank_transaction_explanations: otherObjects })).toMatchObject({
      boxes: ['0.00', '0.00', '0.00', '0.00', '0.00', 0, 0, 0, 0],
      rows: 1,
      flagged: ['USD-1: draft'],
    });
  });

  it('are correct for a company with suppliers whose contacts have no VAT number', async () => {
    const createBill = (reference: string, contact: string, rate = 20) =>
      createFreeAgentBill('2026-07-06', 120, rate, { reference, contact });
    const contacts = [
      { url: 'none', country: 'United Kingdom', status: 'Hidden' },
      { url: 'number', country: 'United Kingdom', sales_tax_registration_number: '987654321' },
      { url: 'abroad', country: 'France' },
    ];
    const bills = [
      createBill('NONE', 'none'),
      createBill('NUMBER', 'number'),
      createBill('ABROAD', 'abroad'),
      createBill('UNKNOWN', 'unread'),
      createBill('ZERO', 'none', 0),
    ];
    // Expenses and bank entries don't have a contact.
    const bank_transaction_explanations = [createExplanation('2026-08-04', -36, createTaxableFields(20, -6, '285'))];
    const documents = { bills, bank_transaction_explanations };
    expect(await compute({ ...documents, contacts })).toMatchObject({ rows: 6, flagged: ['NONE: supplier_vat_number'] });
    expect(await compute(documents)).toMatchObject({ rows: 6, flagged: [] });
  });

  it.each([
    [{ sales_tax_registration_status: 'Not Registered' }, 'sales_tax_registration_status'],
    [{ initially_on_frs: true }, 'initially_on_frs'],
  ])('aren’t calculated for a company with %j', async (settings, column) => {
    const company = [{ ...FREEAGENT_SETTINGS.company[0], ...settings }];
    expect(await compute({ company })).toEqual({ errors: [{ line: 0, column, reason: expect.any(String) }] });
  });

  it('counts a purchase marked for the reverse charge and as out of scope as self-accounted, because a command can’t ask', async () => {
    const bills = [createFreeAgentBill('2026-07-01', 200, 'OUT_OF_SCOPE', { ec_status: 'Reverse Charge' })];
    expect(await compute({ bills })).toMatchObject({ boxes: ['40.00', '0.00', '40.00', '40.00', '0.00', 200, 200, 0, 0] });
  });
});
