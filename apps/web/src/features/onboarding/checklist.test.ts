// Tests which steps an offer needs and which only a payout needs (docs/product/decisions.md section 4, "Steps").
import type { Progress } from '@portal/contract/onboarding.ts';
import { STEPS } from '@portal/contract/onboarding.ts';
import { describe, expect, it } from 'vitest';
import { createChecklist, findNextItem } from './checklist.ts';

const company = '0192f0a0-0000-7000-8000-000000000001';

function createProgress(doneSteps: readonly string[]): Progress {
  return {
    company_id: doneSteps.includes('company') ? company : null,
    steps: STEPS.map((step) => ({ step, status: doneSteps.includes(step) ? ('done' as const) : ('todo' as const) })),
    next_step: null,
    about: { full_name: 'Ada', email: 'ada@example.com', phone: null },
    company: null,
    hmrc: { status: 'not_connected', connected_at: null, vrn: null },
    books: null,
    books_program: null,
    granted_books: null,
    bank_account: null,
  };
}

const bare = { email_verified: true, phone_verified: false, authenticator: null, passkeys: [] };
const safe = {
  email_verified: true,
  phone_verified: true,
  authenticator: null,
  passkeys: [{ passkey_id: 'p', name: 'P', created_at: '2026-11-21T09:00:00Z', last_used_at: null }],
};
type Security = Parameters<typeof createChecklist>[1];

const list = (doneSteps: readonly string[], security: unknown, status: Parameters<typeof createChecklist>[2]['status']) =>
  createChecklist(createProgress(doneSteps), security as Security, { status });

describe('the checklist', () => {
  it('lists five steps for an offer, and only the identity check for the payout', () => {
    const groups = list([], bare, 'not_started');
    expect(groups.map(({ key, items }) => [key, items.map((item) => item.key)])).toEqual([
      ['offer', ['about', 'company', 'government-gateway', 'bookkeeping', 'bank-account']],
      ['payout', ['identity']],
      ['safety', ['email', 'phone', 'second-factor']],
    ]);
  });

  it('links to the first step that an offer still needs', () => {
    expect(findNextItem(list(['about', 'company'], bare, 'not_started'))?.key).toBe('government-gateway');
  });

  it('links to the identity check once an offer is possible, and to the result of a failed one', () => {
    expect(findNextItem(list(STEPS, bare, 'not_started'))?.to).toBe('/verify-identity');
    expect(findNextItem(list(STEPS, bare, 'failed'))?.to).toBe('/verify-identity/next-steps');
  });

  it('does not ask again for what someone else is deciding', () => {
    expect(findNextItem(list(STEPS, safe, 'needs_review'))).toBeUndefined();
    expect(findNextItem(list(STEPS, bare, 'pending'))?.key).toBe('phone');
  });

  it('has nothing left to do when everything is done, and accepts a passkey as the second factor', () => {
    expect(findNextItem(list(STEPS, safe, 'passed'))).toBeUndefined();
    expect(findNextItem(list(STEPS, { ...safe, passkeys: [] }, 'passed'))?.key).toBe('second-factor');
  });

  it('calls a mobile number and a second factor optional, and the email address a task that comes before them', () => {
    const groups = list(STEPS, { ...bare, email_verified: false }, 'passed');
    expect(groups[2]?.items.map(({ key, status }) => [key, status])).toEqual([
      ['email', 'todo'],
      ['phone', 'optional'],
      ['second-factor', 'optional'],
    ]);
    expect(findNextItem(groups)?.key).toBe('email');
  });

  it('includes the company in the links once there is one', () => {
    expect(list(['company'], bare, 'passed')[0]?.items[2]?.to).toBe(`/v2/instant-vat/steps/government-gateway?company_id=${company}`);
    expect(list([], bare, 'passed')[0]?.items[1]?.to).toBe('/v2/instant-vat/steps/company');
  });
});
