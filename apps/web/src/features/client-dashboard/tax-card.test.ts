import { pence } from '@portal/domain/money.ts';
import { expect, it } from 'vitest';
import { describeOwed } from './client-head.tsx';
import { getHeadline } from './tax-card.tsx';

it.each([
  [100, 0, '£1.00', 'Owed to HMRC'],
  [100, 500, '£1.00', 'Owed to HMRC'],
  [0, 0, '£0.00', 'Owed to HMRC'],
  [0, 5_595_321, '£55,953.21', 'Refund due from HMRC, nothing owed'],
])('with %i pence owed and %i to be repaid, the card shows %s %s', (owed, refund, figure, label) => {
  expect(getHeadline({ owed_pence: pence(owed), refund_pence: pence(refund) })).toEqual({ figure, label });
});

it.each([
  [13_850_716, 11_515_857, 0, '£138,507.16 owed to HMRC, £115,158.57 of it overdue. No refunds due.'],
  [5_110_772, 0, 16_451, '£51,107.72 owed to HMRC, none of it overdue. £164.51 in refunds due.'],
  [0, 0, 5_595_321, 'Nothing owed to HMRC. £55,953.21 in refunds due.'],
  [0, 0, 0, 'Nothing owed to HMRC. No refunds due.'],
])('%i pence owed, %i overdue, %i to be repaid: %s', (owed, overdue, refund, text) => {
  expect(describeOwed({ owed: pence(owed), overdue: pence(overdue), refund: pence(refund), isIncomplete: false })).toBe(text);
});

it('says nothing about taxes that were never read', () => {
  expect(describeOwed({ owed: pence(0), overdue: pence(0), refund: pence(0), isIncomplete: true })).toBe('No amounts known so far.');
  expect(describeOwed({ owed: pence(500), overdue: pence(0), refund: pence(0), isIncomplete: true })).toBe('At least £5.00 owed to HMRC.');
});
