import type { BooksConnection } from '@portal/contract/books-connection.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { describeFlags } from '../vat-returns/describe-flags.ts';
import { BooksFacts } from './books-facts.tsx';

const CONNECTION = {
  program: 'xero',
  is_by_practice: false,
  organisation_name: 'Tess Exports Ltd',
  vat_number: null,
  basis: null,
  last_read_at: null,
  locked_until: null,
  not_permitted: [],
  has_no_supplier_numbers: false,
} as unknown as BooksConnection;

afterEach(cleanup);

it.each([
  [false, 'To add it, connect Xero again.'],
  [true, 'To add it, connect Xero again for all clients.'],
])('the details of books say how suppliers’ VAT numbers are read (by a practice: %s)', (isByPractice, advice) => {
  const label = 'Suppliers’ VAT numbers';
  const { rerender } = render(<BooksFacts connection={CONNECTION} />);
  expect(screen.queryByText(label)).toBeNull();
  rerender(<BooksFacts connection={{ ...CONNECTION, is_by_practice: isByPractice, not_permitted: ['supplier_vat_numbers'] }} />);
  expect(screen.getByText(label)).toBeTruthy();
  expect(screen.getByText(/doesn’t include contacts/).textContent).toContain(advice);
});

it('the details of QuickBooks’ books say that suppliers’ numbers aren’t recorded there', () => {
  render(<BooksFacts connection={{ ...CONNECTION, program: 'quickbooks', has_no_supplier_numbers: true }} />);
  expect(screen.getByText(/^Not recorded in QuickBooks: no supplier/)).toBeTruthy();
});

it('a transaction says what is unusual about it', () => {
  expect(describeFlags({ flagged: true, document_flags: ['supplier_vat_number'] })).toBe(
    'Repeats an earlier row. The supplier has no VAT number in the bookkeeping software',
  );
});
