import { describe, expect, it } from 'vitest';
import { toInstant } from '../clock.ts';
import { pence, ZERO } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { TAXES } from '../uk-tax/tax.ts';
import { summariseClient, type ClientTaxStatus } from './summarise-client.ts';

const TODAY = plainDate('2026-11-10');
const upToDateTax: ClientTaxStatus = {
  tax: 'vat',
  owed: ZERO,
  overdue: ZERO,
  refund: ZERO,
  overdueReturns: 0,
  overdueUpdates: 0,
  nextDueOn: null,
  nextDueWhat: null,
  nextDuePence: null,
  source: 'hmrc',
  asOf: toInstant(Date.parse('2026-11-09T10:00:00Z')),
  hasReadingFailed: false,
  isUnauthorised: false,
  isReadingRefused: false,
  isRequestPending: false,
};

describe('the client summary over all taxes', () => {
  it('sums the amounts and takes the earliest due date', () => {
    const vat: ClientTaxStatus = {
      ...upToDateTax,
      owed: pence(500),
      refund: pence(70),
      nextDueOn: plainDate('2027-02-07'),
      nextDueWhat: 'return',
    };
    const ct: ClientTaxStatus = { ...upToDateTax, tax: 'ct', owed: pence(300), nextDueOn: plainDate('2027-01-01'), nextDueWhat: 'payment' };
    expect(summariseClient(['vat', 'ct'], [vat, ct], TODAY)).toMatchObject({
      owed: 800,
      refund: 70,
      nextDueOn: '2027-01-01',
      nextDueTax: 'ct',
      nextDueWhat: 'payment',
    });
  });

  it('needs figures of a tax without any position, and knows which were read and when they become stale', () => {
    const summary = summariseClient(['vat', 'paye'], [upToDateTax], TODAY);
    expect(summary).toMatchObject({ attention: 'no_data', readTaxes: ['vat'], staleOn: '2026-11-17', hasFailed: false });
  });

  it('sorts last without a due date', () => {
    expect(summariseClient(['vat'], [], TODAY)).toMatchObject({ nextDueOn: '9999-12-31', nextDueTax: null, attention: 'no_data' });
  });

  it.each([
    ['overdue_payment', [{ overdue: pence(1), overdueReturns: 1, hasReadingFailed: true }, {}]],
    ['overdue_return', [{ overdueReturns: 1, overdueUpdates: 1, hasReadingFailed: true }, {}]],
    ['overdue_update', [{ overdueUpdates: 1, hasReadingFailed: true }, {}]],
    ['sync_failed', [{ hasReadingFailed: true }, {}]],
    ['not_authorised', [{ hasReadingFailed: true, isUnauthorised: true }, {}]],
    ['authorisation_pending', [{ hasReadingFailed: true, isReadingRefused: true, isRequestPending: true }, {}]],
    ['authorisation_pending', [{ isRequestPending: true, nextDueOn: plainDate('2026-11-17') }, {}]],
    ['due_soon', [{ nextDueOn: plainDate('2026-11-17') }, {}]],
    ['none', [{ nextDueOn: plainDate('2026-11-18') }, {}]],
    // A tax that has never been read may hide a debt, so "none" would be a guess, even if the other tax or a calculated date is known.
    ['no_data', [{ asOf: null }, {}]],
    ['no_data', [{ asOf: null, nextDueOn: plainDate('2027-02-07') }]],
  ] as const)('needs %s when its taxes are %j', (attention, taxes) => {
    expect(
      summariseClient(
        TAXES.slice(0, taxes.length),
        taxes.map((facts, index) => ({ ...upToDateTax, tax: TAXES[index] ?? 'vat', ...facts })),
        TODAY,
      ),
    ).toMatchObject({ attention });
  });
});
