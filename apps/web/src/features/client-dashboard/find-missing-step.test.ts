import { describe, expect, it } from 'vitest';
import { findMissingStep, type ClientState } from './find-missing-step.ts';

const NEW: ClientState = { tax: 'vat', hasAmounts: false, hasReference: true, isConnected: true, authority: 'not_started' };

describe('a client without amounts', () => {
  it.each<[string, Partial<ClientState>, string]>([
    ['without a reference leads to the details first', { hasReference: false, isConnected: false }, 'details'],
    ['of a practice that is not connected leads to the connections', { isConnected: false }, 'connections'],
    ['that was not asked leads to the authority', {}, 'authority'],
    ['that HMRC wasn’t asked about is read', { authority: 'not_checked' }, 'read'],
    ['whose link ran out leads to the authority', { authority: 'expired' }, 'authority'],
    ['waits after a request', { authority: 'link_sent' }, 'wait'],
    ['that has said yes is read', { authority: 'authorised' }, 'read'],
    ['of PAYE waits for a statement, connected or not', { tax: 'paye', isConnected: false }, 'statements'],
    ['of corporation tax waits for a statement', { tax: 'ct' }, 'statements'],
  ])('%s', (_name, state, step) => {
    expect(findMissingStep({ ...NEW, ...state })?.step).toBe(step);
  });

  it('needs no step once an amount is known', () => {
    expect(findMissingStep({ ...NEW, hasAmounts: true })).toBeUndefined();
  });
});
