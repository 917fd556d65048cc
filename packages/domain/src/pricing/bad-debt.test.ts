import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { calculateBadDebt } from './bad-debt.ts';

const invoice = { totalPence: pence(87_60), vatPence: pence(14_60), unpaidPence: pence(87_60) };
const createInvoiceDue = (dueOn: string, suppliedOn = dueOn) => ({
  ...invoice,
  dueOn: plainDate(dueOn),
  suppliedOn: plainDate(suppliedOn),
});

describe('bad debt relief', () => {
  // VAT Notice 700/18: six months after the later of the due date and the supply, and at most four years and six months after it.
  it.each([
    ['2026-11-10', '2026-11-10', '2027-05-10', '2031-05-09'],
    ['2026-11-10', '2026-12-01', '2027-06-01', '2031-05-31'],
    ['2026-12-01', '2026-11-10', '2027-06-01', '2031-05-31'],
    ['2026-08-31', '2026-08-31', '2027-03-01', '2031-02-28'],
    ['2027-08-29', '2027-08-29', '2028-02-29', '2032-02-28'],
    ['2028-02-29', '2028-02-29', '2028-08-29', '2032-08-28'],
  ])('of an invoice due on %s and supplied on %s is from %s to %s', (dueOn, suppliedOn, reliefFrom, reliefUntil) => {
    expect(calculateBadDebt(createInvoiceDue(dueOn, suppliedOn))).toMatchObject({ reliefFrom, reliefUntil });
  });

  it('is all of the VAT of an unpaid invoice, and of a part in proportion, rounded down', () => {
    expect(calculateBadDebt(createInvoiceDue('2026-11-10'))).toMatchObject({ amountPence: 87_60, vatPence: 14_60 });
    expect(calculateBadDebt({ ...createInvoiceDue('2026-11-10'), unpaidPence: pence(10_01) })).toMatchObject({
      amountPence: 10_01,
      vatPence: 1_66,
    });
  });
});
