/** The ways to sign up and their order by partner (specification 2.1). */
import type { Brand } from '../ui/brand-mark.tsx';

export type ProviderName = 'xero' | 'intuit' | 'google' | 'microsoft';

export type Provider = {
  readonly name: ProviderName;
  readonly brand: Brand;
  readonly label: string;
  /** Words in a partner's name that put this provider first. */
  readonly identifiers: readonly string[];
  /** Its page under the host, with the name of the query that carries the partner (specification 7.5). */
  readonly path: string;
  readonly partnerQuery: 'partner_signup' | 'partner_id';
  /** False until its sign-in exists: nothing may lead to a page that does not. */
  readonly available: boolean;
};

/** In the default order: the accounting provider, the Intuit family's, Google, Microsoft. */
export const PROVIDERS: readonly Provider[] = [
  {
    name: 'xero',
    brand: 'xero',
    label: 'Sign up with Xero',
    identifiers: ['xero'],
    path: '/xero_sso_signup',
    partnerQuery: 'partner_signup',
    available: true,
  },
  {
    name: 'intuit',
    brand: 'quickbooks',
    label: 'Sign up with QuickBooks',
    identifiers: ['intuit', 'quickbooks'],
    path: '/intuit_signup',
    partnerQuery: 'partner_id',
    available: true,
  },
  {
    name: 'google',
    brand: 'google',
    label: 'Sign up with Google',
    identifiers: ['google'],
    path: '/google_signup',
    partnerQuery: 'partner_signup',
    available: true,
  },
  {
    name: 'microsoft',
    brand: 'microsoft',
    label: 'Sign up with Microsoft',
    identifiers: ['microsoft'],
    path: '/microsoft_signup',
    partnerQuery: 'partner_signup',
    available: true,
  },
];

export type SignUpWays = { readonly emailFirst: boolean; readonly providers: readonly Provider[] };

/** Which providers a partner's visitors see, in which order, and whether the e-mail comes before them. */
export function orderSignUpWays(partner: string, providers: readonly Provider[] = PROVIDERS): SignUpWays {
  const name = partner.toLowerCase();
  const isNamed = (provider: Provider): boolean => provider.identifiers.some((identifier) => name.includes(identifier));
  const ordered = [...providers.filter(isNamed), ...providers.filter((provider) => !isNamed(provider))];
  return { emailFirst: name === 'organic', providers: ordered.filter(({ available }) => available) };
}

/** Where a provider's button leads; the partner is named unless there is none. */
export function providerUrl(provider: Provider, partner: string): string {
  return partner === 'organic' ? provider.path : `${provider.path}?${provider.partnerQuery}=${encodeURIComponent(partner)}`;
}
