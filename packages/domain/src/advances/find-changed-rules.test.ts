import { describe, expect, it } from 'vitest';
import type { EvaluatedRule } from './evaluate-eligibility.ts';
import { findChangedRules } from './find-changed-rules.ts';
import { NO_EARLIER_REFUNDS } from './no-earlier-refunds.ts';

const createRule = (finding: string, outcome: EvaluatedRule['outcome'] = 'review'): EvaluatedRule[] => [
  { rule: 'refund_within_history', outcome, finding, how_to_fix: '' },
];
const isReviewedAgain = (approved: EvaluatedRule[], current: EvaluatedRule[]) =>
  findChangedRules(approved, current).unreviewedRule !== undefined;

describe('what earlier refunds say about an approved one', () => {
  const large = createRule('More than 2 times the largest earlier refund (£10,000.00).');
  const none = createRule(NO_EARLIER_REFUNDS);

  it('is reviewed again if it gets worse, also after an operator has approved a large refund', () => {
    expect(isReviewedAgain(large, none)).toBe(true);
    expect(isReviewedAgain(large, createRule('More than 2 times the largest earlier refund (£1.00).'))).toBe(true);
    expect(isReviewedAgain(createRule('In line with earlier refunds.', 'pass'), large)).toBe(true);
  });

  it('isn’t reviewed again if it is the same or gets better', () => {
    expect(isReviewedAgain(large, large)).toBe(false);
    expect(isReviewedAgain(none, large)).toBe(false);
    expect(isReviewedAgain(large, createRule('In line with earlier refunds.', 'pass'))).toBe(false);
  });
});
