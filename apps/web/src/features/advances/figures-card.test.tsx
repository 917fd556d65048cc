import type { AdvanceOutput } from '@portal/contract/advances.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { FiguresCard } from './figures-card.tsx';

const AT = toInstant(Date.UTC(2026, 10, 20));
const ADVANCE: AdvanceOutput = {
  advance_id: '01890000-0000-7000-8000-000000000002',
  obligation_id: '01890000-0000-7000-8000-000000000004',
  period_start: plainDate('2026-07-01'),
  period_end: plainDate('2026-09-30'),
  found_on: null,
  state: 'in_review',
  version: 1,
  refund_pence: pence(3_000_000),
  fee_pence: pence(30_000),
  fee_rate_bps: 100,
  net_pence: pence(2_970_000),
  netted_pence: pence(0),
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
  mandate: null,
  repayment_expected_on: null,
  repayment_late: false,
  identity_needed: false,
  facts: { read_at: AT, is_stale: false },
  waiting_for: null,
  timeline: [],
  hours_to_payout: null,
  working_days_ahead_of_hmrc: null,
};

afterEach(cleanup);

function renderText(state: AdvanceState, changes: Partial<AdvanceOutput> = {}): string {
  render(<FiguresCard advance={{ ...ADVANCE, state, ...changes }} companyId="01890000-0000-7000-8000-000000000001" />);
  return screen.getByRole('region', { name: 'Amounts' }).textContent;
}

describe('the amounts of an early refund', () => {
  it('promise the payout while it is still to come', () => {
    const text = renderText('in_review');
    expect(text).toContain('You receive');
    expect(text).toContain('We pay by');
    expect(text).toContain('account ending 9911');
  });

  it('name the payment’s reference once it is paid, so that a bank can find it', () => {
    expect(renderText('awaiting_hmrc', { hours_to_payout: 2, payout_reference: 'VAT 123456789 2609' })).toContain(
      'Reference on your statementVAT 123456789 2609',
    );
  });

  it.each(['declined', 'withdrawn', 'expired'] as const)('promise nothing once it is %s', (state) => {
    const text = renderText(state);
    expect(text).toContain('We offered you');
    expect(text).not.toMatch(/You receive|We pay by|account ending/);
  });
});
