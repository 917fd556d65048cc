// Tests the messages for the outcomes that apps/server/src/features/identity/provider-sign-in.ts redirects with.
import { SIGN_IN_PROVIDERS } from '@portal/contract/security.ts';
import { describe, expect, it } from 'vitest';
import { getProviderSignInUrl, LOGIN_PROVIDERS, readProviderOutcome } from './sign-in-providers.ts';

const readOutcome = (query: string) => readProviderOutcome(new URLSearchParams(query));

describe('the outcome of signing in with a provider', () => {
  it.each(['declined', 'sign_up_declined', 'failed', 'needs_link', 'not_linked', 'not_set_up', 'linked', 'linked_elsewhere'])(
    '%s names the provider',
    (outcome) => {
      const message = readOutcome(`outcome=${outcome}&provider=intuit`);
      expect(`${message?.title} ${message?.text}`).toContain('QuickBooks');
    },
  );

  it('is undefined if there is none or it is unknown', () => {
    expect(readOutcome('')).toBeUndefined();
    expect(readOutcome('outcome=you_won&provider=google')).toBeUndefined();
    expect(readOutcome('outcome=constructor&provider=hmrc')).toBeUndefined();
  });

  it('never repeats an unknown provider', () => {
    const message = readOutcome('outcome=failed&provider=%3Cscript%3Eevil');
    expect(`${message?.title} ${message?.text}`).not.toContain('evil');
    expect(message?.title).toBe('We couldn’t complete your sign-in with the other service');
  });

  it('for HMRC mentions the company and its VAT number', () => {
    expect(readOutcome('outcome=not_linked&provider=hmrc')?.title).toContain('VAT number');
    expect(readOutcome('outcome=needs_vrn&provider=hmrc')?.title).toContain('VAT number');
  });
});

describe('the provider buttons', () => {
  it('exist for every provider of the contract', () => {
    expect(LOGIN_PROVIDERS.map(({ name }) => name).toSorted()).toEqual([...SIGN_IN_PROVIDERS].toSorted());
  });

  it('pass on the requested page with its query', () => {
    expect(getProviderSignInUrl('google', { next: '/v2/instant-vat/dashboard?company_id=1&a=2' })).toBe(
      '/portal/v2/auth/provider/google?next=%2Fv2%2Finstant-vat%2Fdashboard%3Fcompany_id%3D1%26a%3D2',
    );
    expect(getProviderSignInUrl('xero')).toBe('/portal/v2/auth/provider/xero');
    expect(getProviderSignInUrl('xero', { link: true })).toBe('/portal/v2/auth/provider/xero?link=1');
    expect(getProviderSignInUrl('hmrc', { next: '/home', vrn: '482193730' })).toBe(
      '/portal/v2/auth/provider/hmrc?next=%2Fhome&vrn=482193730',
    );
  });
});
