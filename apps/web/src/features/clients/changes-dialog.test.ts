import { expect, it } from 'vitest';
import { describeChange } from './changes-dialog.tsx';

const OF = { status: null, colleague: null, duty: null, client_name: null } as const;

it.each([
  [{ ...OF, kind: 'status', status: 'inactive', changed: 10_000 }, '10,000 clients set to inactive'],
  [{ ...OF, kind: 'status', status: 'lead', changed: 1, client_name: 'Harlow Joinery Ltd' }, 'Harlow Joinery Ltd set to lead'],
  // The client has since been deleted, so the text doesn't name it.
  [{ ...OF, kind: 'status', status: 'lead', changed: 1 }, '1 client set to lead'],
  [{ ...OF, kind: 'assign', colleague: 'Tom Reed', duty: 'vat', changed: 2 }, '2 clients assigned to Tom Reed (VAT)'],
  [{ ...OF, kind: 'unassign', colleague: 'Tom Reed', duty: 'manager', changed: 300 }, '300 clients unassigned from Tom Reed (Manager)'],
] as const)('%o: %s', (change, text) => {
  expect(describeChange(change)).toBe(text);
});
