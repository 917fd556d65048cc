import { findPage, PAGES } from '@portal/contract/pages.ts';
import { describe, expect, it } from 'vitest';
import { findOtherHome } from './other-home.ts';
import type { Session } from './session-state.ts';

const createSession = (type: 'trader' | 'new' | 'practice' | 'operator' | 'client'): Session => ({ status: 'signed_in', person: { type } });

describe('the home page of users without a trader’s company', () => {
  it.each([
    ['practice', '/home'],
    ['operator', '/admin'],
    ['client', '/home'],
  ] as const)('is offered instead of a trader’s steps: %s', (type, to) => {
    const home = findOtherHome(createSession(type));
    expect(home?.to).toBe(to);
    expect(findPage(to)?.path).not.toContain('/steps/');
    expect(`${home?.meaning} ${home?.action}`).not.toMatch(/add (a|your) company/i);
  });

  it('is offered to a partner’s contact without a company', () => {
    const contact: Session = { status: 'signed_in', person: { type: 'new', home_path: PAGES.partnerReferrals.path } };
    expect(findOtherHome(contact)?.to).toBe('/partner');
  });

  it.each([createSession('trader'), createSession('new'), { status: 'signed_out' } as const, { status: 'checking' } as const])(
    'is undefined for: %j',
    (session) => {
      expect(findOtherHome(session)).toBeUndefined();
    },
  );
});
