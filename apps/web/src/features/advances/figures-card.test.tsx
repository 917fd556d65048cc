import type { AdvanceOutput } from '@portal/contract/advances.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { pence } from '@portal/domain/money.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { ADVANCE_SAMPLE } from '../../testing/advance-sample.ts';
import { FiguresCard } from './figures-card.tsx';

const ADVANCE: AdvanceOutput = {
  ...ADVANCE_SAMPLE,
  refund_pence: pence(3_000_000),
  fee_pence: pence(30_000),
  net_pence: pence(2_970_000),
  netted_pence: pence(0),
  repayment_expected_on: null,
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
