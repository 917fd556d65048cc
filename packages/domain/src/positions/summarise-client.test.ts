import { describe, expect, it } from 'vitest';
import { pence, ZERO } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { summariseClient, type ClientTaxStatus } from './summarise-client.ts';

const TODAY = plainDate('2026-11-10');
const upToDateTax: ClientTaxStatus = {
  tax: 'vat',
  owed: ZERO,
  overdue: ZERO,
  refund: ZERO,
  overdueReturns: 0,
  nextDueOn: null,
  nextDueWhat: null,
  nextDuePence: null,
  asOf: null,
  hasData: true,
  hasReadingFailed: false,
  isUnauthorised: false,
  isRequestPending: false,
};

describe('client summary over all taxes', () => {
  it('sums the amounts and takes the earliest due date', () => {
    const vat: ClientTaxStatus = {
      ...upToDateTax,
      owed: pence(500),
      refund: pence(70),
      nextDueOn: plainDate('2027-02-07'),
      nextDueWhat: 'return',
    };
    const ct: ClientTaxStatus = { ...upToDateTax, tax: 'ct', owed: pence(300), nextDueOn: plainDate('2027-01-01'), nextDueWhat: 'payment' };
    expect(summariseClient([vat, ct], TODAY)).toMatchObject({
      owed: 800,
      refund: 70,
      nextDueOn: '2027-01-01',
      nextDueTax: 'ct',
      nextDueWhat: 'payment',
    });
  });

  it('sorts last without a due date', () => {
    expect(summariseClient([], TODAY)).toMatchObject({ nextDueOn: '9999-12-31', nextDueTax: null, attention: 'no_data' });
  });

  it.each([
    ['overdue_payment', [{ overdue: pence(1), overdueReturns: 1, hasReadingFailed: true }, {}]],
    ['overdue_return', [{ overdueReturns: 1, hasReadingFailed: true }, {}]],
    ['sync_failed', [{ hasReadingFailed: true }, {}]],
    ['not_authorised', [{ hasReadingFailed: true, isUnauthorised: true }, {}]],
    ['authorisation_pending', [{ isRequestPending: true, nextDueOn: plainDate('2026-11-17') }, {}]],
    ['due_soon', [{ nextDueOn: plainDate('2026-11-17') }, {}]],
    ['none', [{ nextDueOn: plainDate('2026-11-18') }, {}]],
    ['none', [{ hasData: false }, {}]],
    ['no_data', [{ hasData: false }]],
  ] as const)('needs %s when its taxes are %j', (attention, taxes) => {
    expect(
      summariseClient(
        taxes.map((facts) => ({ ...upToDateTax, ...facts })),
        TODAY,
      ),
    ).toMatchObject({ attention });
  });
});
