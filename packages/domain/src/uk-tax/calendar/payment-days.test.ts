import { describe, expect, it } from 'vitest';
import { plainDate } from '../../plain-date.ts';
import { getPaymentDays } from './payment-days.ts';

const createKnown = (value: string) => ({ known: true, value });

describe('last payment dates', () => {
  // Sources: GOV.UK payment pages; VAT-calc.
  it.each([
    ['2026-03-07', '2026-03-06', '2026-03-04', 'a Saturday'],
    ['2023-04-07', '2023-04-06', '2023-04-04', 'Good Friday'],
    ['2024-12-22', '2024-12-20', '2024-12-18', 'PAYE month 8 of 2024-25, a Sunday'],
    ['2021-01-31', '2021-01-29', '2021-01-27', 'self assessment 2019-20, a Sunday'],
    ['2026-01-01', '2025-12-31', '2025-12-29', 'corporation tax due on a bank holiday'],
    ['2025-05-07', '2025-05-07', '2025-05-02', 'sent before the early May bank holiday'],
  ])('for tax due on %s: Bacs cleared by %s, sent by %s (%s)', (due, cleared, sent) => {
    expect(getPaymentDays(plainDate(due))).toEqual({
      due,
      faster_payment_by: due,
      chaps_by: createKnown(cleared),
      bacs_cleared_by: createKnown(cleared),
      bacs_send_by: createKnown(sent),
      card_by: createKnown(sent),
    });
  });

  it('by card for Self Assessment include the due date itself (GOV.UK "Pay your Self Assessment tax bill")', () => {
    expect(getPaymentDays(plainDate('2027-01-31'), 'on_the_day').card_by).toEqual(createKnown('2027-01-31'));
  });
});
