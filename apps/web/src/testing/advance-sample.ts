/** An approved advance for tests of screens, as the API returns it. */
import type { AdvanceOutput } from '@portal/contract/advances.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';

const AT = toInstant(Date.UTC(2026, 10, 20));

export const ADVANCE_SAMPLE: AdvanceOutput = {
  advance_id: '01890000-0000-7000-8000-000000000002',
  obligation_id: '01890000-0000-7000-8000-000000000004',
  period_start: plainDate('2026-07-01'),
  period_end: plainDate('2026-09-30'),
  found_on: null,
  state: 'approved',
  version: 3,
  refund_pence: pence(1_260_000),
  fee_pence: pence(12_600),
  fee_rate_bps: 100,
  net_pence: pence(1_247_400),
  netted_pence: pence(160_100),
  quoted_at: AT,
  valid_until: AT,
  pay_by: AT,
  eligible: true,
  rules: [],
  agreement: { text: '', hash: '', version: 1, accepted_at: AT, accepted_by: 'Tess Trader' },
  collection_account: null,
  payout_account: { account_holder: 'Tess Exports Ltd', sort_code: '200000', account_number_end: '9911' },
  payout_reference: null,
  received_pence: pence(0),
  has_hmrc_money: false,
  mandate: null,
  repayment_expected_on: plainDate('2026-12-20'),
  repayment_late: false,
  identity_needed: false,
  facts: { read_at: AT, is_stale: false },
  waiting_for: null,
  timeline: [],
  hours_to_payout: null,
  working_days_ahead_of_hmrc: null,
};
