// The order itself is tested beside its rule (domain/partners/partners.test.ts). This file tests that the dialog's buttons follow it.
import { describe, expect, it } from 'vitest';
import { getSignUpMethods, PROVIDERS, getProviderPath } from './sign-up-methods.ts';

describe('sign-up methods', () => {
  it.each([
    ['azets', false, 'Xero QuickBooks Google Microsoft'],
    ['quickbooks', false, 'QuickBooks Xero Google Microsoft'],
    ['organic', true, 'Xero QuickBooks Google Microsoft'],
  ])('for %s: email first is %s, then %s', (partner, emailFirst, labels) => {
    const methods = getSignUpMethods(partner);
    expect(methods.isEmailFirst).toBe(emailFirst);
    expect(methods.providers.map(({ label }) => label.replace('Sign up with ', '')).join(' ')).toBe(labels);
  });

  it('name the partner in a provider’s URL, unless there is none', () => {
    expect(getProviderPath(PROVIDERS.xero, 'a&b')).toBe('/xero_sso_signup?partner_signup=a%26b');
    expect(getProviderPath(PROVIDERS.intuit, 'azets')).toBe('/intuit_signup?partner_id=azets');
    expect(getProviderPath(PROVIDERS.xero, 'organic')).toBe('/xero_sso_signup');
  });
});
