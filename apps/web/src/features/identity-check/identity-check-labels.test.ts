// Tests the wording for the statuses of the contract's identityCheckApi, and for the provider port's IDENTITY_REASONS.
import { describe, expect, it } from 'vitest';
import { describeIdentityCheck, describeReason, type IdentityCheck } from './identity-check-labels.ts';

const check = (overrides: Partial<IdentityCheck>): IdentityCheck => ({
  status: 'not_started',
  reasons: [],
  may_begin: true,
  completed_at: null,
  attempts_left: 3,
  ...overrides,
});

describe('the texts of an identity check', () => {
  it.each([
    ['not_started', 'Start identity check'],
    ['pending', 'Continue the check'],
    ['failed', 'Try again'],
    ['expired', 'Start again'],
  ] as const)('for status %s offer “%s”', (status, startLabel) => {
    expect(describeIdentityCheck(check({ status })).startLabel).toBe(startLabel);
  });

  it.each(['passed', 'needs_review'] as const)('for status %s offer no button', (status) => {
    expect(describeIdentityCheck(check({ status })).startLabel).toBeUndefined();
  });

  it('give the reasons only with another attempt, because they say what to do in it', () => {
    const reasons = ['document_doubtful'];
    expect(describeIdentityCheck(check({ status: 'failed', reasons })).showsReasons).toBe(true);
    expect(describeIdentityCheck(check({ status: 'needs_review', reasons })).showsReasons).toBe(false);
    expect(describeIdentityCheck(check({ status: 'failed', reasons, attempts_left: 0 })).showsReasons).toBe(false);
  });

  it('count the attempts left after a failed check', () => {
    expect(describeIdentityCheck(check({ status: 'failed', attempts_left: 1 })).text).toContain('1 attempt left');
    expect(describeIdentityCheck(check({ status: 'failed', attempts_left: 2 })).text).toContain('2 attempts left');
  });

  it('offer no further attempt when none is left, or when the server allows none', () => {
    expect(describeIdentityCheck(check({ status: 'failed', attempts_left: 0 })).startLabel).toBeUndefined();
    const refusedStatus = describeIdentityCheck(check({ status: 'failed', attempts_left: 2, may_begin: false }));
    expect(refusedStatus.startLabel).toBeUndefined();
    expect(refusedStatus.text).toContain('no attempts left');
  });

  it('never show a code as the reason', () => {
    expect(describeReason('document_unreadable')).toMatch(/^We couldn’t read the photo/);
    expect(describeReason('a_new_code')).toBe(describeReason('other'));
    expect(describeReason('Your passport has expired.')).toBe('Your passport has expired.');
  });
});
