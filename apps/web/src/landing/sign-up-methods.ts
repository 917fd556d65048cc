/** The buttons of the sign-up dialog. The domain defines their order (docs/product/specification.md section 2.1). */
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import { getSignUpOrder, type SignUpProvider } from '@portal/domain/partners/partners.ts';
import type { Brand } from '../ui/brand-mark.tsx';

export type Provider = {
  readonly brand: Brand;
  readonly label: string;
  /** The provider's path, and the query parameter for the partner (docs/product/specification.md section 7.5). */
  readonly path: string;
  readonly partnerQuery: 'partner_signup' | 'partner_id';
  /** Permissions that the provider asks for beyond identity. */
  readonly note?: string;
};

export const PROVIDERS: Readonly<Record<SignUpProvider, Provider>> = {
  xero: {
    brand: 'xero',
    label: 'Sign up with Xero',
    path: '/xero_sso_signup',
    partnerQuery: 'partner_signup',
    note: 'Also connects your Xero books (read-only).',
  },
  intuit: { brand: 'quickbooks', label: 'Sign up with QuickBooks', path: '/intuit_signup', partnerQuery: 'partner_id' },
  google: { brand: 'google', label: 'Sign up with Google', path: '/google_signup', partnerQuery: 'partner_signup' },
  microsoft: { brand: 'microsoft', label: 'Sign up with Microsoft', path: '/microsoft_signup', partnerQuery: 'partner_signup' },
};

export type SignUpMethods = { readonly isEmailFirst: boolean; readonly providers: readonly Provider[] };

/** Returns the sign-up methods for a partner's visitors, in order. */
export function getSignUpMethods(partner: string): SignUpMethods {
  const { emailFirst, providers } = getSignUpOrder(partner);
  return { isEmailFirst: emailFirst, providers: providers.map((name) => PROVIDERS[name]) };
}

/** Returns the URL for a provider's button, including the partner if there is one. */
export function getProviderPath(provider: Provider, partner: string): string {
  return partner === ORGANIC_PARTNER ? provider.path : `${provider.path}?${provider.partnerQuery}=${encodeURIComponent(partner)}`;
}
