import { expect, it } from 'vitest';
import { describeChange } from './changes-dialog.tsx';

const NO_DETAILS = { status: null, colleague: null, duty: null, client_name: null } as const;

it.each([
  [{ ...NO_DETAILS, kind: 'status', status: 'inactive', changed: 10_000 }, '10,000 clients set to inactive'],
  [{ ...NO_DETAILS, kind: 'status', status: 'lead', changed: 1, client_name: 'Harlow Joinery Ltd' }, 'Harlow Joinery Ltd set to lead'],
  // The client has since been deleted, so the text doesn't name it.
  [{ ...NO_DETAILS, kind: 'status', status: 'lead', changed: 1 }, '1 client set to lead'],
  [{ ...NO_DETAILS, kind: 'assign', colleague: 'Tom Reed', duty: 'vat', changed: 2 }, '2 clients assigned to Tom Reed (VAT)'],
  [
    { ...NO_DETAILS, kind: 'unassign', colleague: 'Tom Reed', duty: 'manager', changed: 300 },
    '300 clients unassigned from Tom Reed (Manager)',
  ],
] as const)('the change %o is described as “%s”', (change, text) => {
  expect(describeChange(change)).toBe(text);
});
