import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import type { BooksDocument, DocumentLine, Supplier } from './books-document.ts';
import { computeDocumentBoxes } from './compute-document-boxes.ts';
import { checkSupplierClaims } from './supplier-claims.ts';
import { toBooksRows } from './to-books-rows.ts';

const NONE: Supplier = { hasVatNumber: false, isInUk: true };

function createLine(net: number, vat: number, fields: Partial<DocumentLine> = {}): DocumentLine {
  return { kind: 'purchase', treatment: 'standard', net_pence: pence(net), vat_pence: pence(vat), ...fields };
}

function createBill(lines: readonly DocumentLine[], supplier?: Supplier): BooksDocument {
  const date = plainDate('2026-08-01');
  const head = {
    id: 'b1',
    type: 'Bill',
    reference: 'B-1',
    counterparty: 'Oak Ltd',
    date,
    status: 'final',
    settlementRule: 'on_date',
  } as const;
  return { ...head, lines, supplier, flags: [] };
}

describe('VAT claimed on a purchase', () => {
  it.each<readonly [string, Supplier | undefined, readonly DocumentLine[], boolean]>([
    ['at the standard rate, from a supplier without a VAT number', NONE, [createLine(10_000, 2_000)], true],
    ['at the reduced rate', NONE, [createLine(10_000, 500, { treatment: 'reduced' })], true],
    ['on a capital asset', NONE, [createLine(10_000, 2_000, { treatment: 'capital' })], true],
    ['by a simplified invoice up to £250, which shows the number too', NONE, [createLine(10_000, 2_000)], true],
    ['from a supplier with a VAT number', { hasVatNumber: true, isInUk: true }, [createLine(10_000, 2_000)], false],
    ['from a supplier abroad', { hasVatNumber: false, isInUk: false }, [createLine(10_000, 2_000)], false],
    ['from a supplier about whom nothing is known', undefined, [createLine(10_000, 2_000)], false],
    ['of £25.00 in all, which may need no VAT invoice', NONE, [createLine(2_083, 417)], false],
    ['of a penny more', NONE, [createLine(2_084, 417)], true],
    [
      'on a zero-rated and a small standard-rated line, above £25',
      NONE,
      [createLine(90_000, 0, { treatment: 'zero' }), createLine(500, 100)],
      true,
    ],
    ['of nothing', NONE, [createLine(10_000, 0, { treatment: 'zero' })], false],
    [
      'as import VAT or under a reverse charge',
      NONE,
      [createLine(0, 9_000, { treatment: 'import_vat_paid' }), createLine(10_000, 2_000, { treatment: 'imported_services' })],
      false,
    ],
    ['that a credit note takes back', NONE, [createLine(-10_000, -2_000)], false],
    ['that is charged to a customer', NONE, [createLine(10_000, 2_000, { kind: 'sale' })], false],
  ])('%s', (_case, supplier, lines, isFlagged) => {
    const flags = isFlagged ? ['supplier_vat_number'] : [];
    const document = createBill(lines, supplier);
    expect(toBooksRows([document], 'accrual').rows[0]?.flags ?? []).toEqual(flags);
    const period = { from: plainDate('2026-07-01'), to: plainDate('2026-09-30') };
    expect(computeDocumentBoxes([document], period, 'accrual').flagged.flatMap((flagged) => flagged.flags)).toEqual(flags);
  });
});

describe('the findings about suppliers', () => {
  const createClaim = (supplier: string, documents: number, vat: number) => ({ supplier, documents, vatPence: pence(vat) });

  it('are hints, one for each supplier with its number of documents and their VAT', () => {
    expect(checkSupplierClaims([createClaim('Oak Ltd', 40, 123_456), createClaim('Elm Ltd', 1, 500_000)], 'xero')).toEqual([
      {
        code: 'supplier_vat_number',
        severity: 'info',
        sentence: 'Check Elm Ltd: £5,000.00 of VAT is claimed on 1 document, but its contact in Xero has no VAT number.',
      },
      {
        code: 'supplier_vat_number',
        severity: 'info',
        sentence: 'Check Oak Ltd: £1,234.56 of VAT is claimed on 40 documents, but its contact in Xero has no VAT number.',
      },
    ]);
  });

  it('name the five with the most VAT, and sum up the others', () => {
    const claims = [1, 2, 3, 4, 5, 6, 7].map((index) => createClaim(`Supplier ${index}`, index, index * 100));
    const sentences = checkSupplierClaims(claims, 'freeagent').map(({ sentence }) => sentence);
    expect(sentences).toHaveLength(6);
    expect(sentences[4]).toContain('Check Supplier 3:');
    expect(sentences[5]).toBe(
      'Check 2 more suppliers without a VAT number in FreeAgent: £3.00 of VAT is claimed on 3 documents. Each is flagged in box 4.',
    );
  });
});
