import { describe, expect, it } from 'vitest';
import { findDecisionError } from './approval-decision.ts';

describe('a two-person request', () => {
  it.each([
    ['approved', 'olga', 'omar', true],
    ['rejected', 'olga', 'omar', true],
    ['withdrawn', 'olga', 'olga', true],
    ['approved', 'olga', 'olga', false],
    ['rejected', 'olga', 'olga', false],
    ['withdrawn', 'olga', 'omar', false],
  ] as const)('can be %s when %s made it and %s decides: %j', (decision, requestedBy, decidedBy, isAllowed) => {
    expect(findDecisionError(decision, requestedBy, decidedBy) === undefined).toBe(isAllowed);
  });
});
