import type { RateAnswers } from '@portal/providers/connected-books/connected-books.ts';
import { UnreadableDocumentsError } from '@portal/providers/connected-books/unreadable-documents.ts';
import { createFreeAgentBooksProvider } from '@portal/providers/freeagent/freeagent-books-provider.ts';
import { createQuickBooksBooksProvider } from '@portal/providers/intuit/quickbooks-books-provider.ts';
import { createXeroBooksProvider } from '@portal/providers/xero/xero-books-provider.ts';
import type { RecordedObject } from '@portal/sandbox/simulator/recordings.ts';
import { describe, expect, it } from 'vitest';
import { createExplanation, createFreeAgentBill, createTaxableFields, FREEAGENT_SETTINGS } from './testing/freeagent-company.ts';
import { describeLines, mapCopiedBooks } from './testing/map-copy.ts';
import { createQuickBooksCode, createQuickBooksDocument, createQuickBooksRate, QUICKBOOKS_SETTINGS } from './testing/quickbooks-company.ts';
import { createInvoice, createXeroOrganisation, createXeroRate, type Line, XERO_ACCOUNTS, XERO_TAX_RATES } from './testing/xero-company.ts';

const XERO_RECORDINGS = { Organisation: [createXeroOrganisation()], TaxRates: XERO_TAX_RATES, Accounts: XERO_ACCOUNTS };
const CUSTOM_TAX_RATES = [
  ...XERO_TAX_RATES,
  createXeroRate('TAX001', 'Import at 0%', 'GOODSIMPORT', 'purchase', 0),
  createXeroRate('TAX002', 'Import at 20%', 'GOODSIMPORT', 'purchase', 20),
  createXeroRate('TAX003', 'Reverse charge', 'REVERSECHARGES', 'purchase', 0),
  createXeroRate('TAX004', 'Acquisitions 0%', 'ECACQUISITIONS', 'purchase', 0),
  createXeroRate('TAX005', 'Domestic reverse charge', 'DRCHARGESUPPLY', 'purchase', 0),
];
const createBill = (...lines: Line[]) => createInvoice('ACCPAY', '2026-07-01', lines);

describe('a copy of Xero’s books', () => {
  it.each<[string, Line, RateAnswers, string]>([
    [
      'a deleted rate',
      ['TAX009', 100, 20],
      new Map([['TAX009', { kind: 'purchase', treatment: 'standard' }]]),
      'standard: net 10000, VAT 2000',
    ],
    [
      'import VAT at 0%',
      ['TAX001', 200],
      new Map([['TAX001', { kind: 'purchase', treatment: 'import_vat_paid' }]]),
      'import_vat_paid: net 0, VAT 20000',
    ],
    [
      'import VAT at 20%',
      ['TAX002', 200, 40],
      new Map([['TAX002', { kind: 'purchase', treatment: 'import_vat_paid' }]]),
      'import_vat_paid: net 20000, VAT 4000',
    ],
    [
      'an adjustment',
      ['TAX001', 30],
      new Map([['TAX001', { kind: 'purchase', treatment: 'adjustment_input' }]]),
      'adjustment_input: net 0, VAT 3000',
    ],
    [
      'a reverse charge at 0% that means 20%',
      ['TAX003', 100],
      new Map([['TAX003', { kind: 'purchase', treatment: 'imported_services' }]]),
      'imported_services: net 10000, VAT 2000',
    ],
    [
      'a reverse charge on zero-rated services',
      ['TAX003', 100],
      new Map([['TAX003', { kind: 'purchase', treatment: 'imported_services', isZeroRated: true }]]),
      'imported_services: net 10000, VAT 0',
    ],
    [
      'zero-rated acquisitions',
      ['TAX004', 100],
      new Map([['TAX004', { kind: 'purchase', treatment: 'ni_acquisition', isZeroRated: true }]]),
      'ni_acquisition: net 10000, VAT 0',
    ],
    [
      'a domestic reverse charge at 0%',
      ['TAX005', 100],
      new Map([['TAX005', { kind: 'purchase', treatment: 'domestic_reverse_charge' }]]),
      'domestic_reverse_charge: net 10000, VAT 2000',
    ],
  ])('asks once, and then counts %s as it was answered', async (_case, line, answers, expected) => {
    const copiedRecordings = { ...XERO_RECORDINGS, TaxRates: CUSTOM_TAX_RATES, Invoices: [createBill(line)] };
    expect((await mapCopiedBooks(createXeroBooksProvider, copiedRecordings)).unmapped.size).toBe(1);
    const { documents, unmapped } = await mapCopiedBooks(createXeroBooksProvider, copiedRecordings, answers);
    expect(unmapped.size).toBe(0);
    expect(documents.map(({ lines, flags }) => [describeLines(lines), flags])).toEqual([[[`purchase ${expected}`], []]]);
  });

  it('asks nothing about drafts', async () => {
    const draft = { ...createBill(['TAX009', 100, 20]), Status: 'DRAFT' };
    const { documents, unmapped } = await mapCopiedBooks(createXeroBooksProvider, { ...XERO_RECORDINGS, Invoices: [draft] });
    expect([documents.length, unmapped.size]).toEqual([1, 0]);
  });

  it('is rejected with the names of documents that can’t be used, unless they are drafts', async () => {
    const usdFields = { CurrencyCode: 'USD', CurrencyRate: undefined };
    const invoiceWithoutRate = createInvoice('ACCREC', '2026-07-02', [['OUTPUT2', 100, 20]], { ...usdFields, InvoiceNumber: 'USD-1' });
    const draft = { ...invoiceWithoutRate, InvoiceID: 'draft', Status: 'DRAFT' };
    const undatedDocument = { ...draft, InvoiceID: 'undated', Date: null, DateString: null };
    const { documents } = await mapCopiedBooks(createXeroBooksProvider, { ...XERO_RECORDINGS, Invoices: [draft, undatedDocument] });
    expect(documents.map(({ id, status, lines }) => [id, status, lines])).toEqual([['draft', 'draft', []]]);
    const refusedCopy = mapCopiedBooks(createXeroBooksProvider, {
      ...XERO_RECORDINGS,
      Invoices: [draft, invoiceWithoutRate, createBill(['INPUT2', 10, 2])],
    });
    await expect(refusedCopy).rejects.toThrow(UnreadableDocumentsError);
    await expect(refusedCopy).rejects.toMatchObject({
      failure: 'unavailable',
      facts: { detail: `documents without a date or exchange rate (1): ${String(invoiceWithoutRate['InvoiceID'])}` },
      books: {
        documents: [{ status: 'draft' }, { status: 'final' }],
        unreadable: [{ subject: expect.stringMatching(/^USD-1, Contact of .*, 2 July 2026$/), reason: expect.stringContaining('USD') }],
      },
    });
  });
});

describe('a copy of QuickBooks’ books', () => {
  const ownBooks = {
    ...QUICKBOOKS_SETTINGS,
    TaxCode: [...QUICKBOOKS_SETTINGS.TaxCode, createQuickBooksCode(['12', 'Customs', [], [['c1', 'Customs', 0]]])],
    TaxRate: [...QUICKBOOKS_SETTINGS.TaxRate, createQuickBooksRate(['c1', 'Customs', 0])],
    Bill: [createQuickBooksDocument('purchase', '2026-07-01', [['12', 200]], [['c1', 0, 200]])],
  };
  const createRateAnswer = (kind: 'sale' | 'purchase', treatment: 'standard' | 'import_vat_paid'): RateAnswers =>
    new Map([['purchase 12', { kind, treatment }]]);

  it('counts import VAT at 0% as VAT', async () => {
    const { documents } = await mapCopiedBooks(createQuickBooksBooksProvider, ownBooks, createRateAnswer('purchase', 'import_vat_paid'));
    expect(documents.flatMap(({ lines }) => describeLines(lines))).toEqual(['purchase import_vat_paid: net 0, VAT 20000']);
  });

  it('ignores an answer that makes a purchase code a sale, and asks again', async () => {
    const { documents, unmapped } = await mapCopiedBooks(createQuickBooksBooksProvider, ownBooks, createRateAnswer('sale', 'standard'));
    expect(documents.flatMap(({ lines }) => lines)).toEqual([]);
    expect([...unmapped.values()].map(({ code }) => code)).toEqual(['purchase 12']);
  });
});

describe('a copy of FreeAgent’s books', () => {
  it('is rejected with the name of a bank entry of a foreign account, unless it is outside VAT', async () => {
    const createEntry = (fields: object): RecordedObject => ({
      ...createExplanation('2026-07-01', -120, { description: 'Hotel in Rome', ...fields }),
      account_currency: 'EUR',
    });
    const outOfScopeEntry = createEntry({ sales_tax_status: 'OUT_OF_SCOPE' });
    const copiedRecordings = { ...FREEAGENT_SETTINGS, bank_transaction_explanations: [outOfScopeEntry] };
    expect((await mapCopiedBooks(createFreeAgentBooksProvider, copiedRecordings)).documents).toHaveLength(1);
    const taxableEntry = createEntry(createTaxableFields(20, -20, '285'));
    await expect(
      mapCopiedBooks(createFreeAgentBooksProvider, { ...copiedRecordings, bank_transaction_explanations: [outOfScopeEntry, taxableEntry] }),
    ).rejects.toMatchObject({
      books: {
        documents: [{ id: outOfScopeEntry['url'] }],
        unreadable: [{ subject: 'Hotel in Rome, 1 July 2026', reason: expect.stringContaining('EUR') }],
      },
    });
  });

  const MARKED = { ec_status: 'Reverse Charge' };
  const createBills = (item: RecordedObject, fields: RecordedObject = {}) => ({
    ...FREEAGENT_SETTINGS,
    bills: [createFreeAgentBill('2026-07-01', 200, 'OUT_OF_SCOPE', { ...MARKED, ...fields }, item)],
  });
  const QUESTION = { code: 'purchase Reverse Charge OUT_OF_SCOPE', subject: 'Reverse Charge, out of scope of VAT' };

  it('asks what a purchase is that is marked for the reverse charge and as out of scope, unless it is a draft or states VAT', async () => {
    const ask = async (item: RecordedObject, fields?: RecordedObject) =>
      [...(await mapCopiedBooks(createFreeAgentBooksProvider, createBills(item, fields))).unmapped.values()].map(({ code, subject }) => ({
        code,
        subject,
      }));
    expect(await ask({})).toEqual([QUESTION]);
    expect(await ask({ sales_tax_rate: '0.0', sales_tax_value: '0.0' })).toEqual([QUESTION]);
    expect(await ask({}, { ec_status: 'EC Goods' })).toMatchObject([{ code: 'purchase EC Goods OUT_OF_SCOPE' }]);
    expect(await ask({}, { status: 'Draft' })).toEqual([]);
    expect(await ask({ sales_tax_rate: '20.0' })).toEqual([]);
    expect(await ask({ sales_tax_value: '40.0' })).toEqual([]);
    expect(await ask({}, { ec_status: 'UK/Non-EC' })).toEqual([]);
    const entries = [createExplanation('2026-07-02', -50, { ...MARKED, sales_tax_status: 'OUT_OF_SCOPE' })];
    const copiedRecordings = { ...FREEAGENT_SETTINGS, bank_transaction_explanations: entries };
    expect((await mapCopiedBooks(createFreeAgentBooksProvider, copiedRecordings)).unmapped.size).toBe(1);
  });

  it.each([
    ['imported_services', 'purchase imported_services: net 20000, VAT 4000'],
    ['domestic_reverse_charge', 'purchase domestic_reverse_charge: net 20000, VAT 4000'],
    ['no_vat', 'purchase no_vat: net 20000, VAT 0'],
    ['exempt', 'purchase exempt: net 20000, VAT 0'],
  ] as const)('counts such a purchase as what a user has said it is: %s', async (treatment, expected) => {
    const answers: RateAnswers = new Map([[QUESTION.code, { kind: 'purchase', treatment }]]);
    const { documents, unmapped } = await mapCopiedBooks(createFreeAgentBooksProvider, createBills({}), answers);
    expect([unmapped.size, documents.flatMap(({ lines }) => describeLines(lines))]).toEqual([0, [expected]]);
  });
});
