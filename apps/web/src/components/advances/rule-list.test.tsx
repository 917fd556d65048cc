// Tests how a rule that waits for the trader differs from one that waits for us.
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { RuleList } from './rule-list.tsx';

const RULES = [
  { rule: 'identity_verified', outcome: 'review', finding: 'The owner’s identity hasn’t been verified yet.', how_to_fix: 'Verify it.' },
  { rule: 'amount_reviewed', outcome: 'review', finding: 'We manually review refunds above £10,000.00.', how_to_fix: 'We review it.' },
] as const;

afterEach(cleanup);

function listLabels(getFixLink?: (rule: string) => { label: string; to: string } | null): (string | null)[] {
  render(
    <MemoryRouter>
      <RuleList rules={RULES} {...(getFixLink ? { getFixLink } : {})} />
    </MemoryRouter>,
  );
  return screen.getAllByText(/^(?:Action needed|Manual review)$/u).map(({ textContent }) => textContent);
}

it('asks the trader to act where they can meet the rule themselves', () => {
  const getFixLink = (rule: string) => (rule === 'identity_verified' ? { label: 'Verify your identity', to: '/verify-identity' } : null);
  expect(listLabels(getFixLink)).toEqual(['Action needed', 'Manual review']);
});

it('names reviews for operators, who act on both', () => {
  expect(listLabels()).toEqual(['Manual review', 'Manual review']);
});
