import { describe, expect, it } from 'vitest';
import { computeRecordings } from './testing/compute-recordings.ts';
import { createQuickBooksDocument, QUICKBOOKS_SETTINGS } from './testing/quickbooks-company.ts';

const createPurchase = (DocNumber: string, fields: object) =>
  createQuickBooksDocument('purchase', '2026-07-06', [['S', 100]], [['p1', 20, 100]], { DocNumber, ...fields });
const createBill = (DocNumber: string, value: string) => createPurchase(DocNumber, { VendorRef: { value } });

const documents = {
  ...QUICKBOOKS_SETTINGS,
  Bill: [createBill('NONE', '1'), createBill('NUMBER', '2'), createBill('ABROAD', '3'), createBill('UNKNOWN', '9')],
  Purchase: [
    createPurchase('INACTIVE', { EntityRef: { value: '4', type: 'Vendor' } }),
    createPurchase('EMPLOYEE', { EntityRef: { value: '1', type: 'Employee' } }),
  ],
};
const NONE = [
  { Id: '1', BillAddr: { Country: 'United Kingdom' } },
  { Id: '3', BillAddr: { Country: 'France' } },
  { Id: '4', Active: false, TaxIdentifier: 'n/a' },
];

describe('suppliers without a tax registration number in QuickBooks', () => {
  it.each(['XXXXXXX4567', '*****', '987654321'])(
    'are flagged if another one has a number, which responses mask: %s',
    async (TaxIdentifier) => {
      const Vendor = [...NONE, { Id: '2', TaxIdentifier }];
      expect(await computeRecordings('quickbooks', { ...documents, Vendor }, 'accrual')).toMatchObject({
        rows: 6,
        flagged: ['NONE: supplier_vat_number', 'INACTIVE: supplier_vat_number'],
      });
    },
  );

  it('aren’t flagged if the company records none, or the recordings have no suppliers', async () => {
    const Vendor = [...NONE, { Id: '2' }];
    expect(await computeRecordings('quickbooks', { ...documents, Vendor }, 'accrual')).toMatchObject({ rows: 6, flagged: [] });
    expect(await computeRecordings('quickbooks', documents, 'accrual')).toMatchObject({ rows: 6, flagged: [] });
  });
});
