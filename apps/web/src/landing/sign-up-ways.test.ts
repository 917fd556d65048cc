// The order is tested beside its rule (domain/partners/partners.test.ts). This tests that the dialog's buttons follow it.
import { describe, expect, it } from 'vitest';
import { orderSignUpWays, PROVIDERS, providerUrl } from './sign-up-ways.ts';

describe('sign-up methods', () => {
  it.each([
    ['azets', false, 'Xero QuickBooks Google Microsoft'],
    ['quickbooks', false, 'QuickBooks Xero Google Microsoft'],
    ['organic', true, 'Xero QuickBooks Google Microsoft'],
  ])('for %s: email first is %s, then %s', (partner, emailFirst, labels) => {
    const ways = orderSignUpWays(partner);
    expect(ways.emailFirst).toBe(emailFirst);
    expect(ways.providers.map(({ label }) => label.replace('Sign up with ', '')).join(' ')).toBe(labels);
  });

  it('name the partner in a provider’s URL, unless there is none', () => {
    expect(providerUrl(PROVIDERS.xero, 'a&b')).toBe('/xero_sso_signup?partner_signup=a%26b');
    expect(providerUrl(PROVIDERS.intuit, 'azets')).toBe('/intuit_signup?partner_id=azets');
    expect(providerUrl(PROVIDERS.xero, 'organic')).toBe('/xero_sso_signup');
  });
});
