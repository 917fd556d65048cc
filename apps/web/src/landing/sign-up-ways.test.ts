// The order of the buttons: specification 2.1.
import { describe, expect, it } from 'vitest';
import { orderSignUpWays, PROVIDERS, providerUrl } from './sign-up-ways.ts';

const ALL = PROVIDERS.map((provider) => ({ ...provider, available: true }));
const namesFor = (partner: string) => orderSignUpWays(partner, ALL).providers.map(({ name }) => name);

describe('the ways to sign up', () => {
  it.each([
    ['azets', ['xero', 'intuit', 'google', 'microsoft']],
    ['xero', ['xero', 'intuit', 'google', 'microsoft']],
    ['quickbooks', ['intuit', 'xero', 'google', 'microsoft']],
    ['intuit-uk', ['intuit', 'xero', 'google', 'microsoft']],
    ['My-Google-Ads', ['google', 'xero', 'intuit', 'microsoft']],
    ['microsoft365', ['microsoft', 'xero', 'intuit', 'google']],
  ])('of %s begin with the provider that its name contains', (partner, names) => {
    expect(namesFor(partner)).toEqual(names);
  });

  it('have the e-mail first for visitors whom nobody sent, and last for a partner’s', () => {
    expect(orderSignUpWays('organic', ALL).emailFirst).toBe(true);
    expect(orderSignUpWays('swoop', ALL).emailFirst).toBe(false);
  });

  it('leave out a provider whose sign-in does not exist yet', () => {
    const onlyGoogle = PROVIDERS.map((provider) => ({ ...provider, available: provider.name === 'google' }));
    expect(orderSignUpWays('xero', onlyGoogle).providers.map(({ name }) => name)).toEqual(['google']);
  });

  it('name the partner in a provider’s address, unless there is none', () => {
    const [xero, intuit] = ALL;
    if (!xero || !intuit) return expect.unreachable('providers are missing');
    expect(providerUrl(xero, 'a&b')).toBe('/xero_sso_signup?partner_signup=a%26b');
    expect(providerUrl(intuit, 'azets')).toBe('/intuit_signup?partner_id=azets');
    expect(providerUrl(xero, 'organic')).toBe('/xero_sso_signup');
  });
});
