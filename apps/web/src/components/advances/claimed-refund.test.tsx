// Finds a refund claimed with other software, for which the trader can ask for an offer.
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { expect, it } from 'vitest';
import { findClaimedRefund } from './claimed-refund.tsx';

type Obligation = DashboardOutput['obligations'][number];

const CLAIMED: Obligation = {
  obligation_id: '00000000-0000-4000-8000-000000000001',
  period_start: plainDate('2026-08-01'),
  period_end: plainDate('2026-10-31'),
  due_on: plainDate('2026-12-07'),
  status: 'fulfilled',
  received_on: plainDate('2026-11-28'),
  state: 'filed_elsewhere',
  overdue: false,
  amount: { box5_pence: pence(1_200_000), direction: 'repayment', source: 'hmrc' },
  paid_on: null,
  settled: false,
};
const EARLIER: Obligation = { ...CLAIMED, period_start: plainDate('2026-05-01'), period_end: plainDate('2026-07-31') };

it.each<[string, Obligation[], boolean]>([
  ['the newest filed return', [EARLIER, CLAIMED], true],
  ['none if it is repaid', [{ ...CLAIMED, settled: true }, EARLIER], false],
  ['none if it was filed here', [{ ...CLAIMED, state: 'filed' }], false],
  ['none if it is a payment', [{ ...CLAIMED, amount: { box5_pence: pence(1), direction: 'payment', source: 'hmrc' } }], false],
  ['none without filed returns', [{ ...CLAIMED, status: 'open', state: 'ready' }], false],
])('finds %s', (_case, obligations, isFound) => {
  expect(findClaimedRefund({ obligations, advance: null })).toBe(isFound ? CLAIMED : undefined);
});

it('finds none if the newest advance is on it, but finds it beside the advance on an earlier refund', () => {
  const getAdvance = ({ obligation_id }: Obligation) => ({ obligation_id }) as NonNullable<DashboardOutput['advance']>;
  expect(findClaimedRefund({ obligations: [CLAIMED], advance: getAdvance(CLAIMED) })).toBeUndefined();
  const earlier = { ...EARLIER, obligation_id: '00000000-0000-4000-8000-000000000002' };
  expect(findClaimedRefund({ obligations: [CLAIMED, earlier], advance: getAdvance(earlier) })).toBe(CLAIMED);
});
